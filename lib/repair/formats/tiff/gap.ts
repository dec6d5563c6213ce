import { Buffer } from '../../host/bytes';

/** How much clearer the edges of rows have to stand at the moved places than at the told ones, as a share of all that tells them apart. */
const clear = 0.25;
/** Standard deviations of a fair coin by which more rows must speak for moved places behind the gap than against them, and for told ones before it. */
const deviations = { behind: 3, before: 2 };
/** Rows by which the step alone may be wrong, where the picture's sides are much alike. */
const roughly = 10;

/**
 * Where bytes are missing in plain rows: from the returned place on, in bytes, everything stands `missing` bytes too early. Shown by the
 * step from the end of each row to the beginning of the next, which moves with the rows; -1 when rows do not move, as in a file cut short.
 */
export function findGap(data: Buffer, row: number, pixel: number, missing: number): number {
  const rows = Math.floor((data.length + missing) / row);
  if (rows < 6 || missing % row === 0) return -1;
  const step = (at: number) => {
    let sum = 0;
    for (let byte = at; byte < at + pixel; byte++) sum += Math.abs((data[byte] ?? 0) - (data[byte - pixel] ?? 0));
    return sum / pixel;
  };
  const gains = Array.from({ length: rows }, (_, line) =>
    line === 0 || line * row >= data.length ? 0 : step(line * row) - step(Math.max(pixel, line * row - missing)),
  );
  const all = gains.reduce((sum, gain) => sum + Math.abs(gain), 0);
  const total = gains.reduce((sum, gain) => sum + gain, 0);
  let [sum, best, from] = [0, Number.NEGATIVE_INFINITY, 0];
  for (let line = 1; line < rows; line++) {
    sum += gains[line - 1] ?? 0;
    // Told places before this row, moved ones from it on.
    const score = sum - (total - sum);
    if (score > best) [best, from] = [score, line];
  }
  const behind = gains.slice(from).reduce((part, gain) => part - gain, 0);
  if (from < 3 || behind < (clear * all * (rows - from)) / rows) return -1;
  // Behind the gap the border stands at the moved places, before it at the told ones: an upright line of a drawing does so at neither.
  const told = gains.slice(0, from).map((gain) => -gain);
  if (!isAgreed(gains.slice(from), deviations.behind) || !isAgreed(told, deviations.before)) return -1;
  const near = exactly(data, row, missing, from, Math.min(from - 1, roughly));
  return exactly(data, row, missing, Math.max(2, Math.floor(near / row)), 1);
}

/**
 * Whether so many more rows speak for the moved places than against them that it is no chance. A drawing has few rows that say anything,
 * and a line or two that reach its border may say it loudly.
 */
function isAgreed(gains: readonly number[], least: number): boolean {
  const moved = gains.filter((gain) => gain < 0).length;
  const told = gains.filter((gain) => gain > 0).length;
  return moved > 0 && moved - told >= least * Math.sqrt(moved + told);
}

/** The byte up to `reach` rows around `line` from which the moved rows continue one above better than the told ones. */
function exactly(data: Buffer, row: number, missing: number, line: number, reach: number): number {
  const from = Math.max(1, line - reach) * row;
  const above = from - row;
  const to = Math.min((line + reach + 1) * row, data.length);
  let [sum, least, place] = [0, 0, from];
  for (let at = from; at < to; at++) {
    const value = data[above + ((at - from) % row)] ?? 0;
    sum += Math.abs((data[at] ?? 0) - value) - Math.abs((data[at - missing] ?? 0) - value);
    if (sum < least) [least, place] = [sum, at + 1];
  }
  return place;
}

/** Rows with room for the missing bytes, which are taken from the row above. */
export function withRoom(data: Buffer, row: number, place: number, missing: number, size: number): Buffer {
  const result = Buffer.alloc(size);
  data.copy(result, 0, 0, place);
  data.copy(result, Math.min(size, place + missing), place);
  for (let at = place; at < Math.min(size, place + missing); at++) result[at] = result[at - row] ?? 0;
  return result;
}
