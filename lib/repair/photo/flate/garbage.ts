import type { Mended } from './mend';

/** Copies that must end one after the other without one too early, to tell that the program made each as long as it goes. */
const cleanEnds = 64;
/** Copies that are judged together, and the share and number of them that may end too early. */
const judgedTogether = 24;
const mostBroken = 0.04;
const leastBroken = 2;

/**
 * The first row of data that was read wrongly without that being noticed: programs make copies as long as they go, so that the byte behind
 * one differs from the one behind its source, and in garbage it often does not. The number of rows where there is no such row.
 */
export function firstGarbage({ ends, breaks, gaps }: Mended, rows: number): number {
  if (longestClean(ends, breaks) < cleanEnds) return rows;
  const isInGap = (row: number) => gaps.some(({ from, to }) => row >= from - 1 && row <= to);
  let [from, ended, broken] = [-1, 0, 0];
  for (let row = 0; row < rows; row++) {
    if (isInGap(row)) continue;
    if ((breaks[row] ?? 0) > 0 && broken === 0) from = row;
    ended += ends[row] ?? 0;
    broken += breaks[row] ?? 0;
    if (broken >= leastBroken && broken > ended * mostBroken) return from;
    if (ended >= judgedTogether) [ended, broken] = [0, 0];
  }
  return rows;
}

function longestClean(ends: Uint16Array, breaks: Uint16Array): number {
  let [longest, run] = [0, 0];
  for (let row = 0; row < ends.length; row++) {
    run = (breaks[row] ?? 0) > 0 ? 0 : run + (ends[row] ?? 0);
    longest = Math.max(longest, run);
  }
  return longest;
}
