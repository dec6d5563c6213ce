import type { Buffer } from '../../../../host/bytes';
import { type Part, sector } from '../parts';
import type { Rows } from './rows';

/**
 * What tells values of chance, as packed and encrypted data has them: the mean step between pixels of the same filter, in 256 levels (85 of random
 * ones), and the share of the kinds of values that as many random ones would hold. Photos of the darkest nights have far smaller steps.
 */
const chance = { step: 65, kinds: 0.8 };
/** The same step that sectors of the picture have at most for chance to be none of it, by their median. */
const mostUsual = 40;
/** Sectors in a row that are values of chance at least, and the share of a picture that may be. */
const least = 2;
const mostChance = 0.45;
/** Levels that values are told apart by, and pixels that repeat the same filter. */
const levels = 256;
const sameFilter = 2;

/** Sectors of rows that hold no picture but bytes of chance. Empty where that is how the picture is made. */
export function chanceParts(data: Buffer, rows: Rows): Part[] {
  const count = Math.floor(data.length / sector);
  const isChance = new Uint8Array(count);
  const steps = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const { step, kinds, pixels } = told(data, rows, index * sector);
    steps[index] = step;
    const expected = levels * (1 - Math.exp(-pixels / levels));
    if (step >= chance.step && kinds >= expected * chance.kinds) isChance[index] = 1;
  }
  const usual = [...steps].sort((one, other) => one - other)[count >> 1] ?? 0;
  const parts: Part[] = [];
  let sum = 0;
  for (let from = 0; usual <= mostUsual && from < count; from++) {
    if (isChance[from] === 0) continue;
    let to = from + 1;
    while (to < count && isChance[to] === 1) to++;
    if (to - from >= least) {
      parts.push({ start: from * sector, end: to * sector });
      sum += to - from;
    }
    from = to;
  }
  return sum > count * mostChance ? [] : parts;
}

/** What the upper bits of a sector's pixels come to: their mean step, how many kinds there are, and how many pixels. */
function told(
  data: Buffer,
  { coarse, group, row }: Rows,
  start: number,
): { step: number; kinds: number; pixels: number } {
  const seen = new Uint8Array(levels);
  const before: number[] = [];
  let [sum, kinds, pixels] = [0, 0, 0];
  // Groups of pixels begin with every row.
  const first = Math.ceil((start % row) / group) * group - (start % row);
  for (let at = start + first; at + group <= start + sector; at += group)
    for (const value of coarse(data, at)) {
      if (pixels >= sameFilter) sum += Math.abs(value - (before[pixels % sameFilter] ?? 0));
      before[pixels % sameFilter] = value;
      if (seen[value] === 0) kinds++;
      seen[value] = 1;
      pixels++;
    }
  return { step: sum / Math.max(1, pixels - sameFilter), kinds, pixels };
}
