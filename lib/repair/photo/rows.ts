/** Kind of samples in a row: bytes from one pixel to the next, the byte order of 16-bit ones, and whether they are amounts that can be averaged. */
export type Samples = { pixel: number; wide: 'big' | 'little' | null; numbers: boolean };

const rowsForMean = 4;

function reader(data: Uint8Array, wide: Samples['wide']): (at: number) => number {
  if (wide === 'big') return (at) => ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
  if (wide === 'little') return (at) => ((data[at + 1] ?? 0) << 8) | (data[at] ?? 0);
  return (at) => data[at] ?? 0;
}

function writer(data: Uint8Array, wide: Samples['wide']): (at: number, value: number) => void {
  const [high, low] = wide === 'big' ? [0, 1] : [1, 0];
  if (wide)
    return (at, value) => {
      const whole = Math.max(0, Math.min(65_535, Math.round(value)));
      data[at + high] = whole >> 8;
      data[at + low] = whole & 255;
    };
  return (at, value) => {
    data[at] = Math.max(0, Math.min(255, Math.round(value)));
  };
}

/** The mean of a few rows, softened along the row: the best guess for rows that continue them, as noise cannot be guessed. */
function softRow(data: Uint8Array, row: number, from: number, to: number, samples: Samples, blur = 2): Float64Array {
  const get = reader(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  const mean = new Float64Array(row);
  for (let at = 0; at + size <= row; at += size) {
    for (let line = from; line < to; line++) mean[at] = (mean[at] ?? 0) + get(line * row + at) / (to - from);
  }
  const soft = new Float64Array(row);
  for (let at = 0; at + size <= row; at += size) {
    let sum = 0;
    let count = 0;
    for (let near = -blur; near <= blur; near++) {
      const place = at + near * samples.pixel;
      if (place < 0 || place + size > row) continue;
      sum += mean[place] ?? 0;
      count++;
    }
    soft[at] = sum / count;
  }
  return soft;
}

/** Fills rows `from` to `to` (not included) between their neighbours above and below, or from the only side that has any. */
export function fillRows(
  data: Uint8Array,
  row: number,
  from: number,
  to: number,
  height: number,
  samples: Samples,
): void {
  const [hasAbove, hasBelow] = [from > 0, to < height];
  if (!hasAbove && !hasBelow) return;
  if (!samples.numbers) {
    for (let line = from; line < to; line++) {
      const source = hasAbove && (!hasBelow || line - from < to - line) ? from - 1 : to;
      data.copyWithin(line * row, source * row, source * row + row);
    }
    return;
  }
  const set = writer(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  const above = hasAbove ? softRow(data, row, Math.max(0, from - rowsForMean), from, samples) : null;
  const below = hasBelow ? softRow(data, row, to, Math.min(height, to + rowsForMean), samples) : null;
  for (let line = from; line < to; line++) {
    const share = (line - from + 1) / (to - from + 1);
    for (let at = 0; at + size <= row; at += size) {
      const value =
        above && below ? (above[at] ?? 0) * (1 - share) + (below[at] ?? 0) * share : ((above ?? below)?.[at] ?? 0);
      set(line * row + at, value);
    }
  }
}

/**
 * Sets rows `from` to `to` (not included), which are off by about the same amount in each column, right by row `to`, which is not: the
 * difference between the last of them and that row, softened along the row, is taken from all of them. Samples wrap round as filters do.
 */
export function shiftRows(data: Uint8Array, row: number, from: number, to: number, samples: Samples): void {
  const get = reader(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  const range = samples.wide ? 65_536 : 256;
  const offsets = new Float64Array(row);
  for (let at = 0; at + size <= row; at += size) {
    const gap = get((to - 1) * row + at) - get(to * row + at);
    offsets[at] = gap > range / 2 ? gap - range : gap < -range / 2 ? gap + range : gap;
  }
  const set = writer(data, samples.wide);
  for (let at = 0; at + size <= row; at += size) {
    const near: number[] = [];
    for (let step = -4; step <= 4; step++) {
      const place = at + step * samples.pixel;
      if (place >= 0 && place + size <= row) near.push(offsets[place] ?? 0);
    }
    near.sort((left, right) => left - right);
    const offset = near[near.length >> 1] ?? 0;
    for (let line = from; line < to; line++) {
      const place = line * row + at;
      const value = get(place) - offset;
      // A little beyond the range is the softening; far beyond it the filter had wrapped round.
      set(place, value < -range / 4 ? value + range : value > range * 1.25 ? value - range : value);
    }
  }
}

/**
 * Continues the rows above into row `line`, sharp along the row, as what the rows below build on: level where the picture is noisy, along
 * its slope where that would have foretold the last rows better.
 */
export function continueRow(data: Uint8Array, row: number, line: number, samples: Samples): void {
  if (line < 1) return;
  if (!samples.numbers || line < 6) {
    data.copyWithin(line * row, (line - 1) * row, line * row);
    return;
  }
  const get = reader(data, samples.wide);
  const set = writer(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  // The share of the slope that foretells the last row best from those before it, by least squares.
  let [along, square] = [0, 1];
  for (let at = 0; at < row; at += size) {
    const value = (back: number) => get((line - back) * row + at);
    const slope = (value(2) - value(5)) / 3;
    along += slope * (value(1) - (value(2) + value(3)) / 2 - slope / 2);
    square += slope * slope;
  }
  const share = Math.max(0, Math.min(1, along / square + 0.5));
  for (let at = 0; at < row; at += size) {
    const value = (back: number) => get((line - back) * row + at);
    const slope = (value(1) - value(4)) / 3;
    const mean = (value(1) + value(2)) / 2;
    set(line * row + at, mean + slope * 1.5 * share);
  }
}
