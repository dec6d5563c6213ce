import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Stretch } from './stretches';

/** Zero bytes in a row that are no data, where they decode to blocks that are not plain. */
export const tooManyZeroes = 64;

/**
 * Whether zeroes decode to anything else than plain blocks of one value, of which an encoder with tables of its own may write many: blocks
 * without detail whose brightness or colours change by the same amount each time are no picture's, either.
 */
export function areZeroesNone(plan: ScanPlan): boolean {
  if (plan.noZeroes) return true;
  const reader = new McuReader(new Uint8Array(tooManyZeroes * plan.blocks.length), plan);
  return !reader.mcu() || reader.last.some((last) => last > 0) || reader.predictors.some((value) => value !== 0);
}

/** Zeroes in data, in bytes. */
export type Hole = { from: number; to: number };

/** The last zero bytes in a row that are too many, before a byte; null where there are none. */
export function lastZeroes(data: Uint8Array, before = data.length): Hole | null {
  for (let at = before - 1; at >= tooManyZeroes; at -= tooManyZeroes) {
    if (data[at] !== 0) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && data[from - 1] === 0) from--;
    while (data[to] === 0) to++;
    if (to - from >= tooManyZeroes) return { from, to };
    at = Math.min(at, from + tooManyZeroes);
  }
  return null;
}

/** All zero bytes in a row that are too many, in their order. */
export function zeroesIn(data: Uint8Array): Hole[] {
  const holes: Hole[] = [];
  for (let hole = lastZeroes(data); hole; hole = lastZeroes(data, hole.from)) holes.push(hole);
  return holes.reverse();
}

/** Places of the data that were written over with zeroes: decoders read those as blocks, and may even find as many as belong there. */
export function wipedPlaces(stretches: readonly Stretch[], plan: ScanPlan): number {
  const places = stretches.reduce((sum, { data }) => sum + zeroesIn(data).length, 0);
  return places > 0 && areZeroesNone(plan) ? places : 0;
}
