import type { Buffer } from '../../../host/bytes';
import { type Crossing, crossingIn, gapOf } from './crossing';
import { endOf, type Run } from './runs';

/** Rows that tell how far samples at the end of a picture usually are from those above. */
const lastRows = 8;
/** How far what stands behind the last row may be from it, by what is usual and in levels on top, and at most: noise goes on with anything. */
const goesOn = { times: 1.5, levels: 3, most: 16 };
/**
 * How many times as much as at any other place rows go on better with a move undone, and how many times and levels more they do not as they
 * are told: where what stands behind the last row is part of a picture, and where it is of one value, as writers fill files up with.
 */
const standsOut = {
  picture: [{ ratio: 1.5, times: 1.03, levels: 0 }],
  flat: [
    { ratio: 2, times: 1.2, levels: 7 },
    { ratio: 8, times: 1.2, levels: 4 },
  ],
};
/** The least that a place stands out by, in levels of all samples together: less is a dot. */
const leastMass = 300;
/** The least of those levels where each bit is a pixel. */
const bitLevels = 4;

/**
 * What so many bytes behind the last rows are: more of the picture, which whatever was put into it moved there; more of its last row's one
 * value, which may have been put there by a writer that fills files up; or something else.
 */
export function behindRows(bytes: Buffer, runs: readonly Run[], moved: number): 'picture' | 'flat' | null {
  const last = runs.at(-1);
  const end = endOf(last);
  if (!last || moved <= 0 || end + moved > bytes.length) return null;
  const meanGap = (from: number, to: number) => {
    let [sum, count] = [0, 0];
    for (let at = from; at + last.size <= to; at += last.size, count++) sum += gapOf(bytes, last, at, at - last.row);
    return sum / Math.max(1, count);
  };
  const usual = meanGap(Math.max(last.at + last.row, end - lastRows * last.row), end);
  const gap = meanGap(end, end + moved);
  if (gap > Math.min(goesOn.most, usual * goesOn.times + goesOn.levels)) return null;
  for (let at = end; at < end + moved; at++) if (bytes[at] !== bytes[at - last.pixel]) return 'picture';
  return 'flat';
}

/** Bytes of a picture behind its last rows from which on they are proof enough, and how much less any other place of theirs fits, by times and levels. */
const surely = { bytes: 64, times: 2, levels: 2 };

/** Whether what stands behind the last rows goes on with them where it stands, and nowhere beside. */
export function surelyGoesOn(bytes: Buffer, runs: readonly Run[], moved: number): boolean {
  const last = runs.at(-1);
  // Whole rows may be some that are not shown.
  if (!last || moved < surely.bytes || moved % last.row === 0 || behindRows(bytes, runs, moved) !== 'picture')
    return false;
  const end = endOf(last);
  const gapAt = (by: number) => {
    let sum = 0;
    for (let at = end; at + last.size <= end + moved; at += last.size)
      sum += gapOf(bytes, last, at, at - last.row - by);
    return sum;
  };
  const away = [1 / 8, 1 / 4, 1 / 2, 3 / 4, 7 / 8].map(
    (part) => Math.floor((last.row / last.pixel) * part) * last.pixel,
  );
  const least = gapAt(0) * surely.times + (surely.levels * moved) / last.size;
  return away.every((by) => end - last.row - by >= last.at && gapAt(by) >= least);
}

/**
 * Whether a place in a run stands out among all others as the one at which bytes were put in, where more of the picture stands behind its last
 * rows: nothing else brings that there.
 */
export function isPutIn(
  bytes: Buffer,
  { run, ...found }: Crossing & { run: Run },
  moved: number,
  kind: 'picture' | 'flat',
): boolean {
  if (found.mass < leastMass) return false;
  const away = 2 * (run.row + moved);
  const others = [
    crossingIn(bytes, run, moved, run.at, found.at - away),
    crossingIn(bytes, run, moved, found.at + away, endOf(run)),
  ];
  return standsOut[moved % run.row === 0 ? 'flat' : kind].some(({ ratio, times, levels }) => {
    const least = run.isBits ? Math.max(levels, bitLevels) : levels;
    const isClear = found.told >= found.back * times + least;
    return isClear && others.every((other) => !other || found.mass >= other.mass * ratio);
  });
}
