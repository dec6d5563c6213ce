import { ones } from '../../../core/bits';
import { Buffer } from '../../../host/bytes';
/** Rows of samples: bytes of a row, samples of a pixel, bits of a sample, and whether the high byte of 16-bit samples comes first. */
export type Rows = { data: Uint8Array; row: number; samples: number; depth: 1 | 8 | 16; big: boolean };

/** Mean difference of samples far apart below which an area is flat, and the same of bits. */
const leastContrast = { levels: 0.7, bits: 0.01 };
/** Seven of eight bits have a neighbour in their byte. */
const insideBytes = 7 / 8;
/** Shares of bytes that are all the same, change once or more often, in pictures of one bit. */
const bilevel = { plain: 0.3, mixed: 0.005, once: 0.25, rest: 2 };
/** Rows of a band, as `bands` takes them. */
export const bandRows = 24;
const mostBands = 8;

/** Up to eight bands of 24 rows from all over the data, one behind the other: enough to judge a shape by. */
export function bands(data: Uint8Array, row: number): Buffer {
  const lines = Math.floor(data.length / row);
  if (lines <= bandRows * mostBands) return Buffer.from(data.subarray(0, lines * row));
  const step = Math.floor((lines - bandRows) / (mostBands - 1));
  return Buffer.concat(
    Array.from({ length: mostBands }, (_, band) => data.subarray(band * step * row, (band * step + bandRows) * row)),
  );
}

/**
 * How much neighbours differ, as a share of how much samples far apart do: near 1 for noise and for pictures read with a wrong shape, far
 * below for pictures. Rows behind every 24th are not held against the row above, as bands begin there.
 */
export function costOf({ data, row, samples, depth, big }: Rows): number {
  const lines = Math.floor(data.length / row);
  if (lines < 2) return 1;
  if (depth === 1) return bitCost(data, row, lines);
  const size = depth >> 3;
  const pixel = samples * size;
  const high = depth === 16 && !big ? 1 : 0;
  const aside = Math.floor((row / pixel) * 0.37) * pixel;
  let [along, down, far] = [0, 0, 0];
  let [columns, rows] = [0, 0];
  for (let line = 0; line < lines; line++) {
    const start = line * row;
    const other = ((line * 7919 + 13) % lines) * row;
    const follows = line % bandRows !== 0;
    for (let at = pixel + high; at < row; at += size) {
      const value = data[start + at] ?? 0;
      along += Math.abs(value - (data[start + at - pixel] ?? 0));
      far += Math.abs(value - (data[other + ((at + aside) % row)] ?? 0));
      columns++;
      if (!follows) continue;
      down += Math.abs(value - (data[start + at - row] ?? 0));
      rows++;
    }
  }
  // A flat area fits every shape and proves none.
  if (columns === 0 || rows === 0 || far / columns < leastContrast.levels) return 1;
  return Math.max(along / columns, down / rows) / (far / columns);
}

/** Changes from bit to bit inside a byte. */
const changes = Uint8Array.from({ length: 256 }, (_, byte) => ones[(byte ^ (byte >> 1)) & 127] ?? 0);

function bitCost(data: Uint8Array, row: number, lines: number): number {
  let [along, down, set] = [0, 0, 0];
  for (let line = 1; line < lines; line++) {
    for (let at = line * row; at < line * row + row; at++) {
      const value = data[at] ?? 0;
      along += changes[value] ?? 0;
      down += ones[value ^ (data[at - row] ?? 0)] ?? 0;
      set += ones[value] ?? 0;
    }
  }
  const bits = (lines - 1) * row * 8;
  const share = set / bits;
  const far = 2 * share * (1 - share);
  return far < leastContrast.bits ? 1 : Math.max(along / (bits * insideBytes), down / bits) / far;
}

/** Whether bytes hold eight pixels of one bit each: most are all the same, and the others mostly change once. */
export function looksBilevel(data: Uint8Array): boolean {
  const step = Math.max(1, Math.floor(data.length / 100_000));
  let [plain, once, rest] = [0, 0, 0];
  for (let at = 0; at < data.length; at += step) {
    const count = changes[data[at] ?? 0] ?? 0;
    if (count === 0) plain++;
    else if (count === 1) once++;
    else rest++;
  }
  const mixed = once + rest;
  return (
    plain > mixed * bilevel.plain &&
    mixed > plain * bilevel.mixed &&
    once > mixed * bilevel.once &&
    plain + once > rest * bilevel.rest
  );
}

/** A step through `length` bytes that meets every sample of a pixel and every byte of a sample in turn. */
function oddStep(length: number, samples: number): number {
  let step = Math.max(1, Math.floor(length / samples));
  while (step > 1 && (step % 2 === 0 || step % 3 === 0)) step--;
  return step;
}

/** Mean bits by which bytes `lag` apart differ. */
export function bitDifference(data: Uint8Array, lag: number, samples: number): number {
  const step = oddStep(data.length - lag, samples);
  let [sum, count] = [0, 0];
  for (let at = lag; at < data.length; at += step, count++) sum += ones[(data[at] ?? 0) ^ (data[at - lag] ?? 0)] ?? 0;
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}

/** The mean difference of samples `lag` bytes apart, round the clock of a byte, over about `samples` of them. */
export function byteDifference(data: Uint8Array, lag: number, samples: number): number {
  const step = oddStep(data.length - lag, samples);
  let [sum, count] = [0, 0];
  for (let at = lag; at < data.length; at += step, count++) {
    const gap = Math.abs((data[at] ?? 0) - (data[at - lag] ?? 0));
    sum += gap > 128 ? 256 - gap : gap;
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}

/** Mean difference between two rows of the same length, in levels of a byte. */
export function between(first: Uint8Array, second: Uint8Array): number {
  const length = Math.min(first.length, second.length);
  let sum = 0;
  for (let at = 0; at < length; at++) sum += Math.abs((first[at] ?? 0) - (second[at] ?? 0));
  return length > 0 ? sum / length : 0;
}

/** How well two stretches of bytes go together, from -1 to 1 (Pearson), by at most 20,000 of their bytes. */
export function correlation(first: Uint8Array, second: Uint8Array): number {
  const length = Math.min(first.length, second.length);
  const step = Math.max(1, Math.floor(length / 20_000));
  let [a, b, aa, bb, ab, count] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < length; at += step, count++) {
    const [x, y] = [first[at] ?? 0, second[at] ?? 0];
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const spread = Math.sqrt((aa - (a * a) / count) * (bb - (b * b) / count));
  return count > 0 && spread > 0 ? (ab - (a * b) / count) / spread : 0;
}
