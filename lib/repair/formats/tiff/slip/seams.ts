import type { Buffer } from '../../../host/bytes';
import type { Run } from './runs';

/** The step between the pixels on either side of a place, in levels; 0 outside of the file. */
function stepAt(bytes: Buffer, { pixel, size, high }: Run, at: number): number {
  if (at < pixel || at + pixel > bytes.length) return 0;
  let sum = 0;
  for (let byte = at + high; byte < at + pixel; byte += size)
    sum += Math.abs((bytes[byte] ?? 0) - (bytes[byte - pixel] ?? 0));
  return (sum * size) / pixel;
}

/** The border of a row with the one before it: where it stands in the file, and the step there and at the place moved by so many bytes, in levels. */
export type Seam = { at: number; told: number; moved: number };

/** All borders of rows in the order of the file. */
export function seamsOf(bytes: Buffer, runs: readonly Run[], moved: number): Seam[] {
  const seams: Seam[] = [];
  for (const run of runs)
    for (let line = 1; line < run.rows; line++) {
      const at = run.at + line * run.row;
      seams.push({ at, told: stepAt(bytes, run, at), moved: stepAt(bytes, run, at + moved) });
    }
  return seams;
}

/** The border from which on they speak for the moved places, and before it for the told ones; null where none does. */
export function changeOf(seams: readonly Seam[]): Seam | null {
  let [sum, best] = [0, 0];
  let from: Seam | null = seams[0] ?? null;
  for (const [index, { told, moved }] of seams.entries()) {
    sum += told - moved;
    if (sum > best) [best, from] = [sum, seams[index + 1] ?? null];
  }
  return from;
}

/** Standard deviations of a fair coin by which more borders speak for the moved places than against them. */
export function votes(seams: readonly Seam[]): number {
  let [sum, count] = [0, 0];
  for (const { told, moved } of seams) {
    if (told === moved) continue;
    sum += Math.sign(moved - told);
    count++;
  }
  return count > 0 ? sum / Math.sqrt(count) : 0;
}

/** How many times as much, and how many levels more, a border stands out that is one. */
const clear = { times: 1.5, levels: 2 };
/** Borders that say which of two places they are at. */
const enough = 4;

/** Whether borders stand out at the one place and not at the other; not where too few are asked. */
export function standsOut(seams: readonly Seam[], of: 'told' | 'moved'): boolean {
  if (seams.length < enough) return false;
  const mean = (key: 'told' | 'moved') => seams.reduce((sum, seam) => sum + seam[key], 0) / seams.length;
  return mean(of) > mean(of === 'told' ? 'moved' : 'told') * clear.times + clear.levels;
}
