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
