import type { Buffer } from '../../../host/bytes';
import { endOf, type Run } from './runs';

/** The most that one sample counts, in levels. */
export const mostGap = 64;

/** What each bit counts that differs: eight of them are as much as a sample counts at most. */
const bitGap = mostGap / 8;

/** How many bits are set in each byte, in levels. */
export const bitGaps = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let left = byte; left > 0; left &= left - 1) count++;
  return count * bitGap;
});

/** How far two samples of a run are from each other, in levels; of bits, eight pixels. */
export function gapOf(bytes: Buffer, { high, isBits }: Run, one: number, other: number): number {
  const [left, right] = [bytes[one + high] ?? 0, bytes[other + high] ?? 0];
  return isBits ? (bitGaps[left ^ right] ?? 0) : Math.min(mostGap, Math.abs(left - right));
}

/**
 * A place in a run from which on all stands `moved` bytes too late or too early, and the mean difference of samples from those above, in
 * levels: around it as told, with what is moved put back, and of the rows near it.
 */
export type Crossing = { at: number; told: number; back: number; usual: number; mass: number };

/** How many times as far rows are from those above as told as they are with the move undone, at least. */
const clearlyBetter = 1.5;

export const goesOnBetter = ({ told, back }: Crossing): boolean => told > back * clearlyBetter;

/** Rows on either side that tell what is usual. */
const around = 12;

/**
 * The shares of the moved samples of the row behind a place that continue the row above better with the move undone, and worse, out of how
 * many bytes of that row can be asked.
 */
export function fitBehind(bytes: Buffer, { row, size, high }: Run, at: number, moved: number): Fit {
  const [from, to] = moved > 0 ? [at + moved, at + row] : [at, at + row + moved];
  let [better, worse, count] = [0, 0, 0];
  for (let place = from; place < to && place + high < bytes.length; place += size, count++) {
    const own = bytes[place + high] ?? 0;
    const told = Math.abs(own - (bytes[place + high - row] ?? 0));
    const back = Math.abs(own - (bytes[place + high - moved - row] ?? 0));
    if (told > back + notable) better++;
    else if (back > told + notable) worse++;
  }
  return { better: better / Math.max(1, count), worse: worse / Math.max(1, count), share: (count * size) / row };
}

export type Fit = { better: number; worse: number; share: number };
/** Levels from which on one fit is better than another. */
const notable = 4;

/** The place of a run between two others at which rows go on best with what is behind it put back by so many bytes. */
export function crossingIn(bytes: Buffer, run: Run, moved: number, from: number, to: number): Crossing | null {
  const { row, at, size } = run;
  const [more, less] = [Math.max(0, moved), Math.max(0, -moved)];
  // Of rows that are lost themselves nothing is known: what comes behind them is held against the last one before them.
  const up = row * Math.max(1, Math.ceil((less + 1) / row));
  const end = Math.min(endOf(run), bytes.length - more);
  const gap = (place: number, above: number) => gapOf(bytes, run, place, above);
  const told = (place: number) => (place < end + more && place - row >= at ? gap(place, place - row) : 0);
  const back = (place: number) => (place < end + less && place - up >= at ? gap(place + moved, place - up) : 0);
  const first = Math.max(at + row, from - ((from - at) % size));
  const even = (bytes: number) => bytes + (bytes % size);
  const span = { told: even(more) + row, back: up - even(less) };
  let [toldSum, backSum] = [0, 0];
  for (let place = first; place < first + span.told; place += size) toldSum += told(place);
  for (let place = first + even(less); place < first + even(less) + span.back; place += size) backSum += back(place);
  let best: { at: number; mass: number; told: number; back: number } | null = null;
  for (let place = first; place < Math.min(to, end - row); place += size) {
    const mass = toldSum - backSum;
    if (!best || mass > best.mass) best = { at: place, mass, told: toldSum, back: backSum };
    toldSum += told(place + span.told) - told(place);
    backSum += back(place + even(less) + span.back) - back(place + even(less));
  }
  if (!best) return null;
  const usual = usualAround(bytes, run, best.at, best.at + span.told);
  const count = (bytes: number) => Math.max(1, bytes / size);
  return {
    at: best.at,
    mass: best.mass,
    told: best.told / count(span.told),
    back: best.back / count(span.back),
    usual,
  };
}

/** The mean difference of samples from those above in the rows before and behind two places, in levels. */
function usualAround(bytes: Buffer, run: Run, from: number, to: number): number {
  const { row, at, size } = run;
  const [before, behind] = [Math.max(at + row, from - around * row), Math.min(endOf(run), to + around * row)];
  let [sum, count] = [0, 0];
  for (let place = before + ((from - before) % size); place < behind; place += size) {
    if (place === from) place = to + ((to - from) % size);
    if (place >= behind) break;
    sum += gapOf(bytes, run, place, place - row);
    count++;
  }
  return count > 0 ? sum / count : 0;
}
