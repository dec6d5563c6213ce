/** Codewords as bits, apart by spaces, in the order of their values. */
export type Words = string;

/** How long the longest word of a table is. */
const mostOf = (words: readonly string[]) => Math.max(...words.map(({ length }) => length));

/** A table of codewords, looked up by the next bits. */
export class WordTable {
  readonly bits: number;
  /** How many words there are. */
  readonly count: number;
  /** Value and length of the word that bits begin with, or 0. */
  readonly #table: Uint16Array;

  constructor(words: Words) {
    const all = words.split(' ');
    this.count = all.length;
    this.bits = mostOf(all);
    this.#table = new Uint16Array(2 ** this.bits);
    for (const [value, word] of all.entries()) {
      const rest = this.bits - word.length;
      const from = Number.parseInt(word, 2) << rest;
      this.#table.fill((value << 5) | word.length, from, from + 2 ** rest);
    }
  }

  /** Value and length of a word, as value times 32 plus length; 0 where there is none such. */
  find(next: number): number {
    return this.#table[next] as number;
  }
}
