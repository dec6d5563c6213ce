import type { Deadline } from '../../../report';
import { bitDifference, byteDifference } from './measure';

/** Samples by which a distance is judged: at first, where rows must divide a strip, and for the best ones again. */
const judged = { first: 1500, inStrip: 40_000, again: 60_000 };
/** Distances that are judged again and given back, how near to the best they must come, and the share of the median's cost that the best must come below. */
const kept = { again: 80, given: 6, times: 1.25, levels: 0.01, ofMedian: 0.9 };
/** How many times as large as any other the step at the end of rows must be to be sure. */
const surely = 1.4;

const mostRow = 80_000;
const leastRow = 16;

/**
 * Lengths in bytes that rows may have, the likeliest first: rows resemble the one above, whether they hold samples or their differences.
 * `strip` is a length that rows must divide, 0 when unknown, and `shortest` the least that they have. Empty where data resembles itself at no distance, as noise and packed data do.
 */
export function rowPeriods(
  data: Uint8Array,
  strip: number,
  bilevel: boolean,
  deadline: Deadline,
  shortest = 0,
): number[] {
  const sample = data.subarray(0, Math.min(data.length, 8 << 20));
  const most = Math.min(strip > 0 ? strip : mostRow, Math.floor(sample.length / 4));
  const differ = bilevel ? bitDifference : byteDifference;
  const least = Math.max(shortest, bilevel ? 2 : leastRow);
  const lags: { lag: number; cost: number }[] = [];
  for (let lag = least; lag <= most; lag++) {
    if (strip > 0 && strip % lag !== 0) continue;
    if (lag % 512 === 0) deadline.check();
    lags.push({ lag, cost: differ(sample, lag, strip > 0 ? judged.inStrip : judged.first) });
  }
  if (strip > 0 && sample.length <= strip && strip <= mostRow) lags.push({ lag: strip, cost: 1e9 });
  lags.sort((left, right) => left.cost - right.cost);
  const typical = lags[lags.length >> 1]?.cost ?? 0;
  const finer = lags
    .slice(0, kept.again)
    .map(({ lag }) => ({ lag, cost: differ(sample, lag, judged.again) }))
    .sort((left, right) => left.cost - right.cost);
  const best = finer[0];
  if (!best || (strip === 0 && best.cost > typical * kept.ofMedian)) return [];
  return finer
    .filter(({ cost }) => cost < best.cost * kept.times + kept.levels)
    .slice(0, kept.given)
    .map(({ lag }) => lag);
}

/**
 * Where rows begin in data of which every row has `row` bytes, modulo that: the last pixel of a row and the first of the next one do not
 * go together. `sure` when no other place comes near.
 */
export function rowPhase(data: Uint8Array, row: number, pixel: number): { phase: number; sure: boolean } {
  const lines = Math.floor(data.length / row);
  const step = Math.max(1, Math.floor(lines / 240));
  const edges = new Float64Array(row);
  for (let line = 1; line < lines; line += step) {
    for (let at = 0; at < row; at++)
      edges[at] = (edges[at] ?? 0) + Math.abs((data[line * row + at] ?? 0) - (data[line * row + at - pixel] ?? 0));
  }
  // A step shows in all samples of the pixel behind it.
  const sums = Array.from(edges, (_, at) => {
    let sum = 0;
    for (let step = 0; step < pixel; step++) sum += edges[(at + step) % row] ?? 0;
    return sum;
  });
  let phase = 0;
  for (let at = 1; at < row; at++) if ((sums[at] ?? 0) > (sums[phase] ?? 0)) phase = at;
  let second = 0;
  for (let at = 0; at < row; at++) {
    const away = Math.min((at - phase + row) % row, (phase - at + row) % row);
    if (away > pixel) second = Math.max(second, sums[at] ?? 0);
  }
  return { phase, sure: (sums[phase] ?? 0) > second * surely };
}
