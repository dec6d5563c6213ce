/**
 * A text by which four bytes follow each other in it, and how often, to weigh changes of some of its letters. What was copied as a whole
 * tells nothing new: a wrong letter is copied as well.
 */
export class Fours {
  readonly #text: Uint8Array;
  readonly #counts = new Uint16Array(1 << hashBits);

  constructor(text: Uint8Array, sources: Int32Array) {
    this.#text = text;
    for (let at = 3; at < text.length; at++) {
      const first = sources[at - 3] ?? -1;
      if (first >= 0 && sources[at - 2] === first + 1 && sources[at - 1] === first + 2 && sources[at] === first + 3)
        continue;
      const hash = hashOf(text[at - 3] ?? 0, text[at - 2] ?? 0, text[at - 1] ?? 0, text[at] ?? 0);
      this.#counts[hash] = Math.min(mostCounted, (this.#counts[hash] ?? 0) + 1);
    }
  }

  /** How much more often, in powers of two, what would stand there is met than what stands at an offset, `count` bytes long. */
  gain(fresh: Uint8Array, begin: number, count: number): number {
    let sum = 0;
    for (let at = begin; at < Math.min(this.#text.length, begin + count + 3); at++) {
      const now = this.#countAt(at, (one) => this.#text[one] ?? 0);
      const then = this.#countAt(at, (one) =>
        one >= begin && one < begin + count ? (fresh[one - begin] ?? 0) : (this.#text[one] ?? 0),
      );
      if (now !== then) sum += Math.log2((then + unseen) / (Math.max(0, now - 1) + unseen));
    }
    return sum;
  }

  #countAt(at: number, byteAt: (at: number) => number): number {
    if (at < 3) return 0;
    return this.#counts[hashOf(byteAt(at - 3), byteAt(at - 2), byteAt(at - 1), byteAt(at))] ?? 0;
  }
}

const hashBits = 18;
const mostCounted = 0xffff;
/** What is never met counts as met half a time. */
const unseen = 0.5;
/** Knuth's multiplier (The Art of Computer Programming 3, 6.4): 2 to the power of 32 by the golden ratio. */
const multiplier = 0x9e3779b1;

const hashOf = (first: number, second: number, third: number, fourth: number): number =>
  Math.imul((first << 24) | (second << 16) | (third << 8) | fourth, multiplier) >>> (32 - hashBits);
