import { bandRows } from './measure';

/** What bytes of 8-bit samples are told to be by how they go on: red, green and blue in turn, or greys. Null where nothing tells it. */
export type Told = 'colours' | 'greys' | null;

/** How many times as large differences at one of three places must be in all, and in which share of the bands at the same place. */
const clearlyMore = 1.1;
const mostBands = 0.8;
/** Greys next to each other differ by less than this share of what those three apart do. */
const clearlyCloser = 0.9;
/** Share of bytes that equal the one before from which on a picture is a drawing, and that of changes at the beginnings of pixels that shows colours in one. */
const drawing = { plain: 0.5, atPixels: 0.4 };

/** Counts over the bytes of a band, within its rows. */
type Counts = {
  /** Sums of the differences to the byte before, by the place in threes, and how many differ from it. */
  sums: [number, number, number];
  changes: [number, number, number];
  /** Sum of the differences to the byte three before. */
  apart: number;
  /** Bytes that equal the one before and not the one three before, and the other way round. */
  asBefore: number;
  asThird: number;
  bytes: number;
};

const add = (into: Counts, from: Counts): void => {
  for (const place of [0, 1, 2] as const) {
    into.sums[place] += from.sums[place];
    into.changes[place] += from.changes[place];
  }
  into.apart += from.apart;
  into.asBefore += from.asBefore;
  into.asThird += from.asThird;
  into.bytes += from.bytes;
};

const noCounts = (): Counts => ({
  sums: [0, 0, 0],
  changes: [0, 0, 0],
  apart: 0,
  asBefore: 0,
  asThird: 0,
  bytes: 0,
});

const sumOf = ([first, second, third]: readonly [number, number, number]): number => first + second + third;

/**
 * What rows of `row` bytes, a multiple of three, hold. Differences from byte to byte depend on the place in threes where a pixel has three
 * colours, in all bands alike. Of greys those next to each other differ less than those three apart; in drawings, where a few edges fall
 * unevenly on the places, flat areas of a colour come again every three bytes, and pixels begin at the first of three.
 */
export function kindOfValues(data: Uint8Array, row: number): Told {
  const all = noCounts();
  const most = { sums: [0, 0, 0], changes: [0, 0, 0] };
  let counted = 0;
  for (let from = 0; from < data.length; from += row * bandRows) {
    const band = countsOf(data.subarray(from, from + row * bandRows), row);
    add(all, band);
    if (sumOf(band.changes) === 0) continue;
    counted++;
    for (const what of ['sums', 'changes'] as const) {
      const place = band[what].indexOf(Math.max(...band[what]));
      most[what][place] = (most[what][place] ?? 0) + 1;
    }
  }
  const changes = sumOf(all.changes);
  if (changes < all.bytes * (1 - drawing.plain)) {
    if (all.asThird > all.asBefore) return 'colours';
    const isAtPixels = all.changes[0] > changes * drawing.atPixels && (most.changes[0] ?? 0) >= counted * mostBands;
    return isAtPixels ? 'colours' : 'greys';
  }
  const total = sumOf(all.sums);
  if (total > all.apart) return 'colours';
  const isUneven = Math.max(...all.sums) > Math.min(...all.sums) * clearlyMore;
  if (isUneven && Math.max(...most.sums) >= counted * mostBands) return 'colours';
  return total < all.apart * clearlyCloser ? 'greys' : null;
}

function countsOf(data: Uint8Array, row: number): Counts {
  const counts = noCounts();
  for (let at = 3; at + 3 <= data.length; at += 3) {
    // From the end of a row to the beginning of the next one is no neighbourhood, and falls on one place of three alone.
    if (at % row === 0) continue;
    for (const place of [0, 1, 2] as const) {
      const value = data[at + place] ?? 0;
      const third = Math.abs(value - (data[at + place - 3] ?? 0));
      const step = Math.abs(value - (data[at + place - 1] ?? 0));
      counts.sums[place] += step;
      counts.apart += third;
      if (step > 0) counts.changes[place]++;
      if (step === 0 && third > 0) counts.asBefore++;
      if (step > 0 && third === 0) counts.asThird++;
    }
    counts.bytes += 3;
  }
  return counts;
}

/** Share of bytes that are the ground of a drawing. */
const mostPaper = 0.4;

/** Whether one value other than zero is that of a great part of the bytes: the ground of a drawing, since of differences zero is the commonest. */
export function hasPaper(data: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  for (const byte of data) counts[byte] = (counts[byte] ?? 0) + 1;
  return counts.subarray(1).some((count) => count > data.length * mostPaper);
}

/** Least stretches of differences that tell something, and the share of them that begins at one place of three in colours, and at most in greys. */
const beginnings = { least: 30, colours: 0.55, greys: 0.45 };

/** What stretches of differences between zeroes tell: in colours they begin with a pixel, in greys anywhere. Null where there are too few, or no plain areas. */
export function kindOfSteps(data: Uint8Array): Told {
  const begun = [0, 0, 0];
  let [count, zeros] = [0, 0];
  for (let at = 3; at < data.length; at++) {
    if (data[at] === 0) zeros++;
    if (data[at] === 0 || data[at - 1] !== 0 || data[at - 2] !== 0 || data[at - 3] !== 0) continue;
    begun[at % 3] = (begun[at % 3] ?? 0) + 1;
    count++;
  }
  if (count < beginnings.least || zeros * 2 < data.length) return null;
  const share = Math.max(...begun) / count;
  return share > beginnings.colours ? 'colours' : share < beginnings.greys ? 'greys' : null;
}
