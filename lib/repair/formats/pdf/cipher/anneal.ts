import type { Effort } from '../../../report';

/** Cost of each letter behind two others, by `(first * 27 + second) * 27 + third`, in 6.3 parts of a natural unit; letters are numbered from 1, 0 is the border of a word. */
export type TrigramTable = Uint8Array;

/** How costs are written: digits of base 64, the dearest of which stands for a share of none. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Parts of a natural unit in a digit: 63 of them are ten natural units, a share of one in 22,000. */
const unit = 6.3;

/** Reads a table whose costs, the negative logarithms of shares, are written as digits of base 64. */
export const readTable = (text: string): TrigramTable => Uint8Array.from(text, (digit) => digits.indexOf(digit));

/** Letters from the most usual one down, to begin with. */
const usual = 'etaoinsrhldcumpfgywbvkxjzq';
/** What a sign that is no small letter costs, in parts of a natural unit: as much as a letter that stands there in 8 of 1000. */
const otherCost = 30;
/** What an exchange may cost at first and at last, for text of `usualWeight`; of longer ones every exchange costs more. */
const [hot, cold] = [60, 0.6];
const usualWeight = 1500;

/** Pieces of words: the numbers of three signs (0 for the border of a word), and how much they weigh. */
type Trigrams = { signs: Int32Array; weights: Float64Array };

/** Words as numbers of signs from 1 on, and how often each occurs. */
export type SignWords = readonly { signs: readonly number[]; count: number }[];

/** Beginnings that are tried, and exchanges from each of them. */
export type Pains = { restarts: number; steps: number };

/** Letters (1 to 26, 0 for none) by the number of each sign, what all of the text costs, and a letter on average, in natural units. */
export type Guess = { letters: Uint8Array; total: number; cost: number };

/** Counts pieces of three signs; words repeated many times weigh little more than once. */
function trigramsOf(words: SignWords): Trigrams {
  const found = new Map<string, { key: readonly number[]; weight: number }>();
  for (const { signs, count } of words) {
    const text = [0, 0, ...signs, 0];
    for (let at = 2; at < text.length; at++) {
      const key = text.slice(at - 2, at + 1);
      const name = key.join();
      const known = found.get(name) ?? { key, weight: 0 };
      known.weight += Math.sqrt(count);
      found.set(name, known);
    }
  }
  const all = [...found.values()];
  return {
    signs: Int32Array.from(all.flatMap(({ key }) => key)),
    weights: Float64Array.from(all, ({ weight }) => weight),
  };
}

/**
 * Finds the letters that signs stand for, by which letters follow each other in words: simulated annealing over exchanges of two letters.
 * `order` are the signs from the most frequent one down. Null once the effort is spent.
 */
export function guessLetters(
  words: SignWords,
  order: readonly number[],
  table: TrigramTable,
  { restarts, steps }: Pains,
  effort: Effort,
): Guess | null {
  const trigrams = trigramsOf(words);
  let best: Guess | null = null;
  for (let turn = 0; turn < restarts; turn++) {
    const guess = new Annealing(trigrams, order, table, turn + 1).run(steps, effort);
    if (guess && (!best || guess.total < best.total)) best = guess;
  }
  return best;
}

class Annealing {
  readonly #trigrams: Trigrams;
  readonly #table: TrigramTable;
  readonly #letters: Uint8Array;
  readonly #within: Int32Array[];
  readonly #marks: Int32Array;
  #mark = 0;
  #seed: number;

  constructor(trigrams: Trigrams, order: readonly number[], table: TrigramTable, seed: number) {
    this.#trigrams = trigrams;
    this.#table = table;
    this.#seed = seed;
    // Letters that no sign stands for belong to signs that do not occur.
    this.#letters = new Uint8Array(order.length + 1 + usual.length);
    for (const [index, sign] of order.slice(0, usual.length).entries())
      this.#letters[sign] = usual.charCodeAt(index) - 96;
    for (let index = order.length; index < usual.length; index++)
      this.#letters[order.length + 1 + index] = usual.charCodeAt(index) - 96;
    const lists = Array.from(this.#letters, (): number[] => []);
    for (let at = 0; at < trigrams.signs.length; at++) {
      const list = lists[trigrams.signs[at] ?? 0];
      const index = Math.floor(at / 3);
      if (list && list.at(-1) !== index) list.push(index);
    }
    this.#within = lists.map((list) => Int32Array.from(list));
    this.#marks = new Int32Array(trigrams.weights.length);
  }

  run(steps: number, effort: Effort): Guess | null {
    const letters = this.#letters;
    const count = letters.length - 1;
    const scale = Math.max(1, this.#trigrams.weights.reduce((sum, weight) => sum + weight, 0) / usualWeight);
    for (let step = 0; step < steps; step++) {
      if ((step & 1023) === 0 && effort.isSpent) return null;
      const heat = scale * hot * (cold / hot) ** (step / steps);
      const left = 1 + Math.floor(this.#random() * count);
      const right = 1 + Math.floor(this.#random() * count);
      if (letters[left] === letters[right]) continue;
      effort.spend('trigram', 2 * ((this.#within[left]?.length ?? 0) + (this.#within[right]?.length ?? 0)));
      const before = this.#costOf(left, right);
      this.#swap(left, right);
      const gain = before - this.#costOf(left, right);
      if (gain < 0 && this.#random() >= Math.exp(gain / heat)) this.#swap(left, right);
    }
    let total = 0;
    const sound = { cost: 0, weight: 0 };
    for (let index = 0; index < this.#trigrams.weights.length; index++) {
      const cost = this.#cost(index);
      total += cost;
      if (!this.#isLetters(index)) continue;
      sound.cost += cost;
      sound.weight += this.#trigrams.weights[index] ?? 0;
    }
    return { letters: letters.slice(0), total, cost: sound.cost / Math.max(1, sound.weight) / unit };
  }

  /** Whether a piece tells of a letter, or of the end of a word behind one. */
  #isLetters(index: number): boolean {
    const { signs } = this.#trigrams;
    const sign = signs[index * 3 + 2] ?? 0;
    const isLetter = (one: number) => this.#letters[one] !== 0;
    return isLetter(sign) || (sign === 0 && isLetter(signs[index * 3 + 1] ?? 0));
  }

  #swap(left: number, right: number): void {
    const kept = this.#letters[left] ?? 0;
    this.#letters[left] = this.#letters[right] ?? 0;
    this.#letters[right] = kept;
  }

  /** What the pieces cost that hold one of two signs. */
  #costOf(left: number, right: number): number {
    this.#mark++;
    let sum = 0;
    for (const list of [this.#within[left], this.#within[right]]) {
      for (const index of list ?? []) {
        if (this.#marks[index] === this.#mark) continue;
        this.#marks[index] = this.#mark;
        sum += this.#cost(index);
      }
    }
    return sum;
  }

  #cost(index: number): number {
    const { signs, weights } = this.#trigrams;
    const sign = signs[index * 3 + 2] ?? 0;
    const second = this.#letters[signs[index * 3 + 1] ?? 0] ?? 0;
    // Nothing before the border of a word tells of what comes behind it.
    const first = second === 0 ? 0 : (this.#letters[signs[index * 3] ?? 0] ?? 0);
    const third = this.#letters[sign] ?? 0;
    const other = sign > 0 && third === 0 ? otherCost : 0;
    // Signs that are no letters follow each other, and end words, as they like.
    const cost = second === 0 && third === 0 ? 0 : (this.#table[(first * 27 + second) * 27 + third] ?? 63);
    return (weights[index] ?? 0) * (cost + other);
  }

  /** A number from 0 to 1 that is the same in every run (Park and Miller's generator). */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}
