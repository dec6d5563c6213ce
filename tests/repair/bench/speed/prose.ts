import { randomFrom } from '../../support/random';

const syllables =
  'ba be bi bo da de di do fa fe ga go ha he ka ke ki la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve wa we'.split(
    ' ',
  );
const endings = ['', '', 'n', 's', 'r', 't', 'l', 'nd', 'st', 'ng'];
const vocabulary = 6000;

/** Endless text like that of a language: a few words in every sentence, most of them rarely. */
export class Prose {
  readonly #random: () => number;
  readonly #words: string[];

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    const pick = (list: readonly string[]) => list[Math.floor(this.#random() * list.length)] ?? '';
    this.#words = Array.from({ length: vocabulary }, (_, rank) => {
      const length = rank < 60 ? 1 : rank < 800 ? 2 : 3;
      return `${Array.from({ length }, () => pick(syllables)).join('')}${pick(endings)}`;
    });
  }

  /** A number from 0 up to `below`. */
  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  /** How often a word comes falls off with its rank, as Zipf's law has it. */
  word(): string {
    return this.#words[Math.floor(vocabulary ** this.#random()) - 1] ?? '';
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  sentence(): string {
    const text = this.words(5 + this.number(14));
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }

  paragraph(sentences = 3 + this.number(5)): string {
    return Array.from({ length: sentences }, () => this.sentence()).join(' ');
  }
}
