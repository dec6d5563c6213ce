/** Bytes whose three in a row are counted, by a hash of so many bits: what falls on one count is rare. */
const hashBits = 20;
/** Knuth's multiplicative hash: 2^32 by the golden ratio (The Art of Computer Programming 3, 6.4). */
const golden = 0x9e3779b1;
/** How much a count of three in a row must have before it is believed over that of two, and that over chance. */
const trust = { three: 1.5, two: 4 };
/** Bytes that are about equally likely where nothing is known. */
const alphabet = 96;
const mostCounted = 0xffff;

const pairOf = (first: number, second: number): number => (first << 8) | second;
const tripleOf = (pair: number, third: number): number => Math.imul((pair << 8) | third, golden) >>> (32 - hashBits);

/** How surprising a text is, by how often three bytes followed each other in what was read before, and two where that is not known. */
export class Letters {
  readonly #ones = new Uint32Array(1 << 8);
  readonly #pairs = new Uint32Array(1 << 16);
  readonly #triples = new Uint16Array(1 << hashBits);

  /** Takes in the text between two offsets. */
  learn(text: Uint8Array, from: number, to: number): void {
    for (let at = Math.max(2, from); at < to; at++) {
      const [first, second, third] = [text[at - 2] ?? 0, text[at - 1] ?? 0, text[at] ?? 0];
      const next = pairOf(second, third);
      const triple = tripleOf(pairOf(first, second), third);
      this.#ones[second] = (this.#ones[second] ?? 0) + 1;
      this.#pairs[next] = (this.#pairs[next] ?? 0) + 1;
      this.#triples[triple] = Math.min(mostCounted, (this.#triples[triple] ?? 0) + 1);
    }
  }

  /** How many bits it takes to tell a byte that stands behind two others. */
  bits(first: number, second: number, third: number): number {
    const pair = pairOf(first, second);
    const known = this.#pairs[pairOf(second, third)] ?? 0;
    const two = (known + trust.two / alphabet) / ((this.#ones[second] ?? 0) + trust.two);
    const together = this.#triples[tripleOf(pair, third)] ?? 0;
    return -Math.log2((together + trust.three * two) / ((this.#pairs[pair] ?? 0) + trust.three));
  }

  /** The same of all bytes between two offsets. */
  sum(text: Uint8Array, from: number, to: number): number {
    let sum = 0;
    for (let at = Math.max(2, from); at < to; at++)
      sum += this.bits(text[at - 2] ?? 0, text[at - 1] ?? 0, text[at] ?? 0);
    return sum;
  }
}
