import type { BoolReader } from '../bool';
import { startingProbabilities } from './tables';

/** Values of coefficients of one size of transform, and of one plane and reference: three of each context, of which the first band has three. */
export const coefficients = { size: 396, plane: 198, reference: 99, band: 18, firstBand: 9, nodes: 3 };

/** Where the probabilities of each syntax element begin (VP9 bitstream specification, 10.5); the vectors' are given for rows, then columns. */
export const places = {
  coefficients: 0,
  skip: 1584,
  transform8: 1587,
  transform16: 1589,
  transform32: 1593,
  interMode: 1599,
  filter: 1620,
  isInter: 1628,
  compound: 1632,
  single: 1637,
  compoundReference: 1647,
  mode: 1652,
  colourMode: 1688,
  partition: 1778,
  joint: 1826,
  vector: 1829,
  end: 1895,
};

/** Within the probabilities of a vector: sign, class, the bit of class 0, the others' bits, fractions of both, and their last bits. */
export const vector = {
  sign: 0,
  class: 1,
  near: 11,
  bits: 12,
  nearFraction: 22,
  fraction: 28,
  nearLast: 31,
  last: 32,
  all: 33,
};

/** Trees (9.3.1): a number above 0 is the next node, the others are values, negated. */
export const trees = {
  mode: Int8Array.of(0, 2, -9, 4, -1, 6, 8, 12, -2, 10, -4, -5, -3, 14, -8, 16, -6, -7),
  partition: Int8Array.of(0, 2, -1, 4, -2, -3),
  interMode: Int8Array.of(-2, 2, 0, 4, -1, -3),
  filter: Int8Array.of(0, 2, -1, -2),
  joint: Int8Array.of(0, 2, -1, 4, -2, -3),
  class: Int8Array.of(0, 2, -1, 4, 6, 8, -2, -3, 10, 12, -4, -5, -6, 14, 16, 18, -7, -8, -9, -10),
  fraction: Int8Array.of(0, 2, -1, 4, -2, -3),
};

/** What a key frame begins with. */
export const freshProbabilities = (): Uint8Array => startingProbabilities.slice();

/** Reads syntax elements with the probabilities of a frame, and counts how each of them came out (9.3.4): by node, which adaptation asks for. */
export class Symbols {
  readonly probabilities: Uint8Array;
  readonly counts = new Uint32Array(2 * places.end);
  reader: BoolReader;

  constructor(probabilities: Uint8Array, reader: BoolReader) {
    this.probabilities = probabilities;
    this.reader = reader;
  }

  bit(place: number): 0 | 1 {
    const bit = this.reader.bit(this.probabilities[place] as number);
    (this.counts[2 * place + bit] as number)++;
    return bit;
  }

  tree(tree: Int8Array, place: number): number {
    let node = 0;
    do node = tree[node + this.bit(place + (node >> 1))] as number;
    while (node > 0);
    return -node;
  }

  /** Reads by probabilities that do not change. */
  fixed(tree: Int8Array, table: Uint8Array, at: number): number {
    let node = 0;
    do node = tree[node + this.reader.bit(table[at + (node >> 1)] as number)] as number;
    while (node > 0);
    return -node;
  }
}

/** How much counts weigh (8.4.2): of coefficients, and of everything else. */
const saturation = { coefficients: 24, others: 20 };
const factors = { usual: 112, afterKey: 128, others: 128 };

/** merge_prob (8.4.2). */
function merged(before: number, zeroes: number, ones: number, most: number, factor: number): number {
  const all = zeroes + ones;
  if (all === 0) return before;
  const seen = Math.min(255, Math.max(1, Math.floor((zeroes * 256 + (all >> 1)) / all)));
  const weight = Math.floor((factor * Math.min(all, most)) / most);
  return (before * (256 - weight) + seen * weight + 128) >> 8;
}

/** What probabilities are adapted: those of coefficients alone in frames without references. */
export type Adaptation = { isIntra: boolean; isAfterKey: boolean; isPrecise: boolean };

/** Probabilities that a frame leaves (8.4.3 and 8.4.4): those from before it, moved to what it held. */
export function adapted(
  symbols: Symbols,
  before: Uint8Array,
  { isIntra, isAfterKey, isPrecise }: Adaptation,
): Uint8Array {
  const { counts, probabilities } = symbols;
  const result = probabilities.slice();
  const move = (from: number, to: number, most: number, factor: number) => {
    for (let place = from; place < to; place++)
      result[place] = merged(
        before[place] as number,
        counts[2 * place] as number,
        counts[2 * place + 1] as number,
        most,
        factor,
      );
  };
  const factor = !isIntra && isAfterKey ? factors.afterKey : factors.usual;
  move(places.coefficients, places.skip, saturation.coefficients, factor);
  if (isIntra) return result;
  move(places.skip, places.vector, saturation.others, factors.others);
  for (const axis of [0, 1]) {
    const from = places.vector + axis * vector.all;
    move(from, from + (isPrecise ? vector.all : vector.nearLast), saturation.others, factors.others);
  }
  return result;
}
