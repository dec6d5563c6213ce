import type { Effort } from '../../../report';
import { type Guess, guessLetters, readTable, type SignWords, type TrigramTable } from './anneal';
import { dutch } from './dutch';
import { english } from './english';
import { french } from './french';
import { german } from './german';
import { italian } from './italian';
import { Naming } from './naming';
import { portuguese } from './portuguese';
import { spanish } from './spanish';

/** Letters of a word on average, in any of the languages, with room for texts of short and long ones. */
const wordLength = { least: 2.5, most: 12 };

/**
 * A language by its name and its trigrams. The more usual letters that are written with a mark stand in the table for letters that the
 * language hardly uses, `standIns` in pairs; `marked` are the others, the more usual ones first.
 */
type Language = { name: string; table: string; standIns: string; marked: string };

const languages: readonly Language[] = [
  { name: 'English', table: english, standIns: '', marked: '' },
  { name: 'German', table: german, standIns: 'qüxä', marked: 'öß' },
  { name: 'French', table: french, standIns: 'wékà', marked: 'èêôîçâùûï' },
  { name: 'Spanish', table: spanish, standIns: 'kówá', marked: 'íúñéü' },
  { name: 'Italian', table: italian, standIns: 'jèkàwò', marked: 'ùìé' },
  { name: 'Dutch', table: dutch, standIns: '', marked: 'éëï' },
  { name: 'Portuguese', table: portuguese, standIns: 'kãwçyá', marked: 'íéóúõêâàô' },
];

/** Text told from which letters follow each other: the text of every code, and the language it makes sense in. */
export type SolvedText = { texts: Map<number, string>; language: string };

/** Less text tells nothing for certain: different words, codes in them, and the part of them that are small letters, as in any language. */
const least = { words: 40, codes: 300, letters: 0.7 };
/** Words that are looked at, the most frequent ones, their length, and codes in an alphabet. */
const most = { words: 400, length: 24, codes: 160 };
/** What is spent on every language, and then on the likeliest one. */
const pains = { each: { restarts: 2, steps: 40_000 }, best: { restarts: 8, steps: 100_000 } };

/** What a letter costs on average, in natural units, where the letters are right: up to 2.55, and more than 2.65 where they are not. */
const soundCost = 2.6;

/** A sign whose letter is not known. */
const unknown = '\ufffd';

/**
 * Tells what text says whose font is gone, so that its codes only say where the same letter stands again: a simple substitution, which is
 * solved by the letters that follow each other in a language. `runs` are the codes of pieces of text, which end where words do. Small
 * letters come out right, capitals mostly; figures and rare signs cannot be told. Null where no language makes sense.
 */
export function solveText(runs: readonly (readonly number[])[], effort: Effort): SolvedText | null {
  let best: Solution | null = null;
  for (const space of spacesOf(runs)) {
    const solution = solutionWith(runs, space, effort);
    if (solution && (!best || solution.guess.cost < best.guess.cost)) best = solution;
  }
  if (!best) return null;
  const { text, table, language } = best;
  const again = guessLetters(text.words, text.order, table, pains.best, effort);
  const guess = again && again.total < best.guess.total ? again : best.guess;
  if (guess.cost > soundCost || text.shareOf(guess) < least.letters) return null;
  const texts = new Map<number, string>(best.space === noSpace ? [] : [[best.space, ' ']]);
  const named = text.named(guess, table, language);
  for (const [index, code] of text.codes.entries()) texts.set(code, named[index + 1] ?? unknown);
  return { texts, language: language.name };
}

/** The language that makes most sense of a text with a certain code between words. */
type Solution = { space: number; text: SignText; language: Language; table: TrigramTable; guess: Guess };

function solutionWith(runs: readonly (readonly number[])[], space: number, effort: Effort): Solution | null {
  const text = new SignText(runs, space);
  if (text.words.length < least.words || text.length < least.codes || text.codes.length > most.codes) return null;
  let best: Solution | null = null;
  for (const language of languages) {
    const table = readTable(language.table);
    const guess = guessLetters(text.words, text.order, table, pains.each, effort);
    if (guess && (!best || guess.total < best.guess.total)) best = { space, text, language, table, guess };
  }
  return best;
}

/** Where every word is a piece of its own, no code stands between them. */
const noSpace = -1;

/** More bits than the fewest, as a factor, with which a code may still be the one between words. */
const bitsBeyond = 1.25;

/** Codes that may stand between words: of the most frequent ones those with which the text is told in the fewest bits, as the same words come again. */
function spacesOf(runs: readonly (readonly number[])[]): number[] {
  const counts = new Map<number, number>();
  for (const run of runs) for (const code of run) counts.set(code, (counts.get(code) ?? 0) + 1);
  const isWords = ({ mean }: { mean: number }) => mean >= wordLength.least && mean <= wordLength.most;
  const likely = [...counts]
    .sort((left, right) => right[1] - left[1])
    .slice(0, 4)
    .map(([code]) => ({ code, ...tellingCost(runs, code, counts.size) }))
    .filter(isWords)
    .sort((left, right) => left.bits - right.bits);
  const fewest = likely[0]?.bits ?? 0;
  const codes = likely.slice(0, 2).filter(({ bits }) => bits <= fewest * bitsBeyond);
  return [...codes.map(({ code }) => code), ...(isWords(tellingCost(runs, noSpace, counts.size)) ? [noSpace] : [])];
}

/** Bits that tell a text by a list of its different words and which of them follow each other; `mean` is the length of a word. */
function tellingCost(
  runs: readonly (readonly number[])[],
  space: number,
  codes: number,
): { bits: number; mean: number } {
  const words = runs.flatMap((run) => wordsOf(run, space));
  const counts = new Map<string, { count: number; length: number }>();
  for (const word of words) {
    const name = word.join();
    const known = counts.get(name) ?? { count: 0, length: word.length };
    known.count++;
    counts.set(name, known);
  }
  let bits = 0;
  for (const { count, length } of counts.values())
    bits += count * Math.log2(words.length / count) + (length + 1) * Math.log2(codes);
  const mean = words.reduce((sum, { length }) => sum + length, 0) / Math.max(1, words.length);
  return { bits, mean };
}

function wordsOf(run: readonly number[], space: number): number[][] {
  const words: number[][] = [];
  let word: number[] = [];
  for (const code of [...run, space]) {
    if (code !== space) word.push(code);
    else if (word.length > 0) {
      words.push(word);
      word = [];
    }
  }
  return words;
}

/** Text whose codes are numbered from 1 on, in the order of their first use. */
class SignText {
  readonly codes: number[] = [];
  readonly order: number[];
  readonly words: SignWords;
  readonly length: number;
  /** Words as they follow each other. */
  readonly #all: number[][];

  constructor(runs: readonly (readonly number[])[], space: number) {
    const signs = new Map<number, number>();
    const signOf = (code: number) => {
      const known = signs.get(code);
      if (known) return known;
      this.codes.push(code);
      signs.set(code, this.codes.length);
      return this.codes.length;
    };
    this.#all = runs.flatMap((run) => wordsOf(run, space)).map((word) => word.map(signOf));
    const counts = new Map<string, { signs: number[]; count: number }>();
    const frequency = new Map<number, number>();
    for (const word of this.#all) {
      for (const sign of word) frequency.set(sign, (frequency.get(sign) ?? 0) + 1);
      if (word.length > most.length) continue;
      const name = word.join();
      const known = counts.get(name) ?? { signs: word, count: 0 };
      known.count++;
      counts.set(name, known);
    }
    this.length = this.#all.reduce((sum, word) => sum + word.length, 0);
    this.words = [...counts.values()].sort((left, right) => right.count - left.count).slice(0, most.words);
    this.order = [...frequency].sort((left, right) => right[1] - left[1]).map(([sign]) => sign);
  }

  /** The part of the text that small letters make. */
  shareOf({ letters }: Guess): number {
    const small = this.#all.reduce((sum, word) => sum + word.filter((sign) => letters[sign] !== 0).length, 0);
    return small / this.length;
  }

  /** What each sign is, by its number. */
  named(guess: Guess, table: TrigramTable, { standIns, marked }: Language): (string | undefined)[] {
    return new Naming({ all: this.#all, order: this.order, letters: guess.letters, table }).names(marked, standIns);
  }
}
