import type { Buffer } from '../../../host/bytes';
import type { EngineJob } from '../../../report';
import { sizesOf } from '../directory';
import { readHead } from '../head';
import { bitDifference, byteDifference, looksBilevel } from './measure';
import { rowPeriods, rowPhase } from './period';
import { type SampleHints, type SampleShape, sampleShape } from './samples';
import { hasPaper } from './threes';

/** A picture whose lines are guessed is at most so many times as wide as high, and as high as wide. */
export const mostAspect = { wide: 40, high: 60 };

/** How often a period of the data may be a row: planes, or repeated content. */
const mostParts = 24;

/** Share of another shape's cost below which one is better, and up to which a shorter row is as good. */
const clearlyBetter = 0.97;
const asGood = 1.3;
const headSize = 8;
/** Bytes that a head with the smallest directory takes, and those up to which one is looked for before the data. */
const leastFront = 100;
const mostFront = 1100;
const roundHeights = [100, 80, 60, 50, 48, 40, 32, 30, 25, 24, 20, 16, 10, 8];

/** The likeliest shape of samples in bytes, over the rows lengths they may have; null when nothing fits. */
export function likelyShape(
  job: EngineJob,
  data: Buffer,
  size: number,
  packed: boolean,
  hints: SampleHints & { width?: number | undefined },
): SampleShape | null {
  const bilevel = hints.depth === 1 || (hints.depth === undefined && (hints.samples ?? 1) === 1 && looksBilevel(data));
  const told = hints.width;
  const rows =
    told === undefined
      ? periodsOf(job, data, size, bilevel)
      : [...new Set([1, 3, 4, 2, 6, 8].map((count) => (bilevel ? Math.ceil(told / 8) : told * count)))].filter(
          (row) => size === 0 || size % row === 0,
        );
  let best: SampleShape | null = null;
  for (const row of rows) {
    job.deadline.check();
    const shape = sampleShape(data, row, bilevel, packed, hints);
    if (shape && (!best || shape.cost < best.cost * clearlyBetter)) best = shape;
  }
  if (told === undefined && packed && hints.depth !== 1) best = differencesShape(job, data, size, hints, best);
  return best && told === undefined ? shortest(data, best, best.depth === 1, packed, hints) : best;
}

/**
 * Lengths of rows with which data of no strips makes a picture that may be one; any where none does, since tiles are narrow (TIFF 6.0, section 15).
 * In a smooth picture samples few pixels apart resemble each other more than those of two rows do, whatever its rows are.
 */
function periodsOf(job: EngineJob, data: Buffer, size: number, bilevel: boolean): readonly number[] {
  const pixels = data.length * (bilevel ? 8 : 1);
  const narrowest = Math.ceil(Math.sqrt(pixels / mostAspect.high) / (bilevel ? 8 : 1));
  const wide = size > 0 ? [] : rowPeriods(data, size, bilevel, job.deadline, narrowest);
  return wide.length > 0 ? wide : rowPeriods(data, size, bilevel, job.deadline);
}

/** Rows that a strip holds at least where its rows are tried one by one, their least length in bytes, and the share of another shape's cost below which what is found so is believed. */
const inStrip = { lines: 4, least: 48, better: 0.8 };

/**
 * Differences of neighbours in noisy pictures hardly resemble those of the row above, so that no period shows; but only rows of the right
 * length, which divides that of a strip, become smooth when they are added up. Differences of plain areas look like bits, too.
 */
function differencesShape(
  job: EngineJob,
  data: Buffer,
  size: number,
  hints: SampleHints,
  other: SampleShape | null,
): SampleShape | null {
  if (hints.predictor === undefined ? hasPaper(data) : hints.predictor !== 2) return other;
  const told = { ...hints, predictor: 2 };
  let found: SampleShape | null = null;
  for (let row = inStrip.least; row * inStrip.lines <= size; row++) {
    if (size % row !== 0) continue;
    job.deadline.check();
    const shape = sampleShape(middleOf(data, row), row, false, true, told);
    if (shape && (!found || shape.cost < found.cost * clearlyBetter)) found = shape;
  }
  const shape = found && sampleShape(data, found.row, false, true, told);
  return shape && (!other || shape.cost < other.cost * inStrip.better) ? shape : other;
}

/** Bytes by which rows are tried one by one; there may be a hundred lengths, and ten kinds of samples for each. */
const triedBytes = 1 << 18;

/** Whole rows from the middle of the data, four at least. */
function middleOf(data: Buffer, row: number): Buffer {
  const lines = Math.max(inStrip.lines, Math.floor(triedBytes / row));
  const all = Math.floor(data.length / row);
  const first = Math.max(0, (all - lines) >> 1);
  return data.subarray(first * row, (first + Math.min(all, lines)) * row);
}

/** Bytes by which rows are compared with those above, and up to how many times as much, and levels more, shorter ones may differ from theirs. */
const comparedBytes = 60_000;
const resembles = { times: 1.3, levels: 0.05 };

/** Several rows taken for one fit nearly as well as one does, and with differences of neighbours even better. */
function shortest(
  data: Buffer,
  found: SampleShape,
  bilevel: boolean,
  packed: boolean,
  hints: SampleHints,
): SampleShape {
  let best = found;
  // In a drawing both cost the same along the row; only how rows differ from those above tells half a row from a whole one.
  const differ = (row: number) => (bilevel ? bitDifference : byteDifference)(data, row, comparedBytes);
  const usual = differ(found.row) * resembles.times + resembles.levels;
  for (let parts = 2; parts <= mostParts && found.row / parts >= 16; parts++) {
    if (found.row % parts !== 0 || differ(found.row / parts) > usual) continue;
    const shape = sampleShape(data, found.row / parts, bilevel, packed, hints);
    if (!shape) continue;
    // Another kind of samples has to fit better by itself.
    const isSameKind = shape.samples === found.samples && shape.predictor === found.predictor;
    if (shape.cost < found.cost * (isSameKind ? asGood : 1)) best = shape;
  }
  return best;
}

/** Plain samples in a file: from where to where they lie, in bytes, and their shape. Null when nothing in it looks like rows. */
export function rawRegion(
  job: EngineJob,
  bytes: Buffer,
  hints: SampleHints & { width?: number | undefined },
): { start: number; end: number; shape: SampleShape } | null {
  const tiff = readHead(bytes);
  const told = tiff?.first ?? 0;
  const front = tiff ? sizesOf(tiff.isBig).head : headSize;
  const behind = told > bytes.length / 2;
  const end = behind ? Math.min(told, bytes.length) : bytes.length;
  // What stands before may be anything; the middle is picture.
  const from = behind ? front : Math.min(2048, bytes.length >> 3);
  const shape = likelyShape(job, bytes.subarray(from, end), 0, false, hints);
  if (!shape) return null;
  return { start: behind ? front : firstByte(bytes, end, shape, told), end, shape };
}

/** Where the first row begins: at a place from which whole rows reach to the end, or one at which rows show their edges. */
function firstByte(bytes: Buffer, end: number, { row, samples, depth }: SampleShape, told: number): number {
  const byEnd = end % row;
  const { phase, sure } =
    depth === 1 ? { phase: 0, sure: false } : rowPhase(bytes.subarray(0, end), row, (samples * depth) / 8);
  const near = (left: number, right: number) => (left - right + row) % row < 2 || (right - left + row) % row < 2;
  if (sure && near(phase, headSize % row) && told === 0) return headSize;
  const base = sure && !near(phase, byEnd) ? phase : byEnd;
  const starts: number[] = [];
  for (let start = base; start <= Math.max(mostFront, row + leastFront); start += row)
    if (start >= leastFront) starts.push(start);
  // Rows of few bytes leave the choice between several heights, of which a round one is the likeliest.
  const roundness = (start: number) => roundHeights.find((step) => Math.floor((end - start) / row) % step === 0) ?? 0;
  const shortest = Math.min(...starts);
  if (row > mostFront / 2) return shortest;
  return starts.reduce((best, start) => (roundness(start) > roundness(best) ? start : best), shortest);
}
