import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import type { LosslessFrame } from './frame';
import { type Places, placesOf } from './places';
import { readLossless } from './read';
import { differencesOf, type Stretch } from './stretches';

/** A lossless picture that was put together again: its samples in the order of the data, and how many of them are made up. */
export type MendedPicture = { samples: Uint16Array; madeUp: number };

/** Samples of the largest picture that is put together, which takes six bytes for each. */
const mostSamples = 64 << 20;
/** Lines whose samples tell by how much all behind a gap are too bright or too dark. */
const linesHeld = 3;
/** Rows above, of the same filters, in which a known neighbour is looked for. */
const rowsAbove = 40;
/** How much more than its usual step, from line to line, a line must be off to be no part of the picture. */
const timesOff = 5;
/** Lines whose steps tell what is usual. */
const usualLines = 64;
/** Places that a stretch between two damages is tried at, and how much better than the median of all the best must fit. */
const mostPlaces = 40_000;
const clearlyBetter = 0.93;
/** Differences for a byte of data that was lost: twice the most that codes of photos come to. */
const mostForByte = 2;

/**
 * Puts together what is left of a damaged lossless picture: what stands before the damage, and what can be read behind it, which is
 * counted back from the end of the data, or laid where it goes on from the rows above. What is missing is taken from the rows above.
 * `widths` are those of the upright slices that the lines are cut into, one for none. Null where nothing is won, and for pictures
 * that foretell samples by more than the one on their left.
 */
export function mendLossless(
  bytes: Buffer,
  frame: LosslessFrame,
  end: number,
  widths: readonly number[],
  deadline: Deadline,
): MendedPicture | null {
  const { width, height, components } = frame;
  const all = width * height * components.length;
  if (frame.predictor !== 1 || frame.interval > 0 || all > mostSamples || widths.some((one) => one < 2)) return null;
  const places = placesOf(widths, height);
  const samples = new Uint16Array(all);
  const known = new Uint8Array(all);
  let standing = 0;
  const line = width * components.length;
  readLossless(bytes, frame, end, (values, index) => {
    samples.set(values, index * line);
    standing = (index + 1) * line;
  });
  standing = soundLines(samples, standing, line, places) * line;
  known.fill(1, 0, standing);
  const { values, stretches } = differencesOf(bytes, frame, end, deadline);
  const picture: Laid = { frame, places, samples, known, values, next: standing, reached: frame.dataAt };
  for (const [index, stretch] of stretches.entries()) {
    deadline.check();
    lay(picture, stretch, index === stretches.length - 1 && isEnd(bytes, stretch.end, end));
  }
  let madeUp = 0;
  for (let at = 0; at < all; at++) if (known[at] === 0) madeUp++;
  if (madeUp === all) return null;
  fillFromAbove(picture);
  return { samples, madeUp };
}

/** Whether data was read up to its end mark, or to the end of what there is with nothing cut off. */
const isEnd = (bytes: Buffer, at: number, end: number): boolean =>
  (bytes[at] === 0xff && bytes[at + 1] === 0xd9) || (at >= end && end < bytes.length);

/** A picture while it is put together: `next` is the sample behind all that stands, `reached` the byte. */
type Laid = {
  frame: LosslessFrame;
  places: Places;
  samples: Uint16Array;
  known: Uint8Array;
  values: Uint16Array;
  next: number;
  reached: number;
};

/** Lines that go on from each other: data that is out of step is read on for a while before a value is impossible. */
function soundLines(samples: Uint16Array, standing: number, line: number, places: Places): number {
  const lines = Math.floor(standing / line);
  const steps: number[] = [];
  for (let index = 0; index < lines; index++) {
    const step = stepOf(samples, index * line, (index + 1) * line, places);
    if (step === null) continue;
    const usual = [...steps.slice(-usualLines)].sort((left, right) => left - right);
    const median = usual[usual.length >> 1] ?? 0;
    if (usual.length >= usualLines / 4 && step > median * timesOff + 1) return Math.max(0, index - 1);
    steps.push(step);
  }
  return lines;
}

/** The usual step of samples from those two rows above; null where none of them has one. */
function stepOf(samples: Uint16Array, from: number, to: number, places: Places): number | null {
  let sum = 0;
  let count = 0;
  for (let at = from; at < to; at += 7) {
    const above = places.above(at, 2);
    if (above < 0) continue;
    sum += Math.abs((samples[at] ?? 0) - (samples[above] ?? 0));
    count++;
  }
  return count > 0 ? sum / count : null;
}

/** Lays a stretch of differences where it belongs, with its level set by what stands above. */
function lay(picture: Laid, stretch: Stretch, isLast: boolean): void {
  const { samples, known, frame } = picture;
  const all = samples.length;
  const count = frame.components.length;
  // What was read before the damage stands already; only what the same stretch has behind it is of use.
  const isFirst = stretch.from === 0;
  if (isFirst) picture.reached = stretch.end;
  if (isFirst && (!isLast || picture.next >= all || stretch.count === all)) return;
  const skipped = isFirst ? picture.next : 0;
  const length = stretch.count - skipped;
  const start = isLast ? all - length : placeOf(picture, stretch);
  if (start === null || start < 0 || start + length > all + count) return;
  const line = frame.width * count;
  // The level of a line comes from the first sample of the line above, so only whole lines can be told.
  const from = Math.ceil(Math.max(start, picture.next) / line) * line;
  const to = Math.min(all, start + length);
  if (to - from < line) return;
  const values = picture.values.subarray(stretch.from + skipped);
  unpack(picture, values.subarray(from - start), from, to);
  if (!level(picture, from, to)) return;
  known.fill(1, from, to);
  picture.next = to;
  picture.reached = stretch.end;
}

/** Adds differences up, from nothing on. */
function unpack({ samples, frame }: Laid, values: Uint16Array, from: number, to: number): void {
  const count = frame.components.length;
  const line = frame.width * count;
  for (let at = from; at < to; at++) {
    const inLine = (at - from) % line;
    const before = inLine >= count ? (samples[at - count] ?? 0) : at - from >= line ? (samples[at - line] ?? 0) : 0;
    samples[at] = before + (values[at - from] ?? 0);
  }
}

/** Raises or lowers all samples of each component so that they go on from what stands above; false where nothing does. */
function level({ samples, known, places, frame }: Laid, from: number, to: number): boolean {
  const count = frame.components.length;
  const line = frame.width * count;
  const most = 2 ** (frame.precision - frame.shift) - 1;
  for (let component = 0; component < count; component++) {
    const steps: number[] = [];
    for (let at = from + component; at < Math.min(to, from + line * linesHeld); at += count) {
      const above = knownAbove(known, places, at);
      if (above >= 0) steps.push((((samples[above] ?? 0) - (samples[at] ?? 0)) << 16) >> 16);
    }
    if (steps.length === 0) return false;
    steps.sort((left, right) => left - right);
    const step = steps[steps.length >> 1] ?? 0;
    for (let at = from + component; at < to; at += count) {
      const value = ((((samples[at] ?? 0) << 16) >> 16) + step) & 0xffff;
      samples[at] = value <= most ? value : value > 0xc000 ? 0 : most;
    }
  }
  return true;
}

/** The nearest known sample of the same filter above, or on the left; -1 without one. */
function knownAbove(known: Uint8Array, places: Places, at: number): number {
  for (let rows = 2; rows <= rowsAbove; rows += 2) {
    const above = places.above(at, rows);
    if (above < 0) break;
    if (known[above] === 1) return above;
  }
  const left = places.left(at, 2);
  return left >= 0 && known[left] === 1 ? left : -1;
}

/** Where a stretch between two damaged places goes on best from the rows above; null where no place is better than others. */
function placeOf({ samples, known, places, values, next, reached, frame }: Laid, stretch: Stretch): number | null {
  const count = frame.components.length;
  const line = frame.width * count;
  const gap = (stretch.at - reached) * mostForByte + 2 * line;
  if (gap > mostPlaces) return null;
  const compared = Math.min(stretch.count, 2 * line);
  let best = { start: -1, cost: Number.POSITIVE_INFINITY };
  const costs: number[] = [];
  for (let start = next; start <= next + gap && start + stretch.count <= samples.length; start += 1) {
    const cost = costAt(samples, known, places, values, stretch.from, start, compared, count);
    if (cost === null) continue;
    costs.push(cost);
    if (cost < best.cost) best = { start, cost };
  }
  const median = costs.sort((left, right) => left - right)[costs.length >> 1] ?? 0;
  return best.start >= 0 && best.cost < median * clearlyBetter ? best.start : null;
}

/** How far differences are from those of the row above at a place; null where nothing stands there. */
function costAt(
  samples: Uint16Array,
  known: Uint8Array,
  places: Places,
  values: Uint16Array,
  from: number,
  start: number,
  compared: number,
  count: number,
): number | null {
  let sum = 0;
  let seen = 0;
  for (let step = count; step < compared; step += 3) {
    const above = knownAbove(known, places, start + step);
    if (above < count || known[above - count] !== 1) continue;
    const theirs = (samples[above] ?? 0) - (samples[above - count] ?? 0);
    const ours = ((values[from + step] ?? 0) << 16) >> 16;
    sum += Math.min(512, Math.abs(theirs - ours));
    seen++;
  }
  return seen > compared / 12 ? sum / seen : null;
}

/** Fills what is missing from the row of the same filters above, or below, or with what is darkest. */
function fillFromAbove({ samples, known, places }: Laid): void {
  let dark = 0xffff;
  for (let at = 0; at < samples.length; at += 31) if (known[at] === 1) dark = Math.min(dark, samples[at] ?? 0);
  for (let at = 0; at < samples.length; at++) {
    if (known[at] === 1) continue;
    const above = knownAbove(known, places, at);
    samples[at] = above >= 0 ? (samples[above] ?? 0) : dark;
  }
}
