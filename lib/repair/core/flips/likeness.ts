/** What stands for a byte that is not known: one that no UTF-8 holds (RFC 3629, 3), so that reading it as text gives U+FFFD. */
export const lostByte = 0xff;

/** What three bytes in a row count that were met before, that are new though each two of them were met, and that are strange. */
const weights = { met: 1, new: -1, strange: -4 };

/** What a text looks like, by which three bytes follow each other in what is known of it. */
export class Likeness {
  readonly #pairs = new Uint8Array(1 << 13);
  readonly #triples = new Uint8Array(1 << 21);
  /** Three bytes in a row that were met once where that may be damage. */
  readonly #doubted = new Uint8Array(1 << 21);

  /** Takes in the text between two offsets, but for bytes that are not known. */
  learn(bytes: Uint8Array, from = 0, to = bytes.length): void {
    let [first, second] = [lostByte, lostByte];
    for (let at = from; at < to; at++) {
      const third = bytes[at] ?? lostByte;
      if (third !== lostByte && second !== lostByte) {
        put(this.#pairs, (second << 8) | third);
        if (first !== lostByte) put(this.#triples, (first << 16) | (second << 8) | third);
      }
      [first, second] = [second, third];
    }
  }

  /** Takes in three bytes in a row that may be damaged: what comes again is none, as damage does not garble twice in the same way. */
  learnDoubted(first: number, second: number, third: number): void {
    const triple = (first << 16) | (second << 8) | third;
    if (!has(this.#doubted, triple)) {
      put(this.#doubted, triple);
      return;
    }
    put(this.#triples, triple);
    put(this.#pairs, (first << 8) | second);
    put(this.#pairs, (second << 8) | third);
  }

  /** What three bytes in a row count; nothing where one of them is not known. */
  weight(first: number, second: number, third: number): number {
    if (first === lostByte || second === lostByte || third === lostByte) return 0;
    if (has(this.#triples, (first << 16) | (second << 8) | third)) return weights.met;
    return has(this.#pairs, (first << 8) | second) && has(this.#pairs, (second << 8) | third)
      ? weights.new
      : weights.strange;
  }
}

const put = (bits: Uint8Array, index: number) => {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
};
const has = (bits: Uint8Array, index: number) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
