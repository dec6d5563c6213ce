/**
 * Kind of samples in a row: bytes from one pixel to the next, the byte order of 16-bit ones, whether they are amounts that can be averaged, and
 * the byte of which pixels are that one looks through, where there are such.
 */
export type Samples = { pixel: number; wide: 'big' | 'little' | null; numbers: boolean; clear?: number | null };

const rowsForMean = 4;
/** Rows from which on a gap is long, how near its ends rows continue their neighbours, and how many rows beside it tell of its ground. */
const longGap = { rows: 24, near: 12, beside: 48 };

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

/** Rows that are missing: from `from` up to before `to`, of all `height`, each of `row` bytes. */
type Gap = { data: Uint8Array; row: number; from: number; to: number; height: number };

/**
 * Fills rows `from` to `to` (not included) between their neighbours above and below, or from the only side that has any; a picture that has
 * holes anyway gets one there, or in a long gap, rather than a row drawn out.
 */
export function fillRows(
  data: Uint8Array,
  row: number,
  from: number,
  to: number,
  height: number,
  samples: Samples,
): void {
  if (from <= 0 && to >= height) return;
  const { clear = null } = samples;
  if (clear !== null && (from <= 0 || to >= height || to - from >= longGap.rows)) {
    data.fill(clear, from * row, to * row);
    return;
  }
  const gap = { data, row, from, to, height };
  const ground = to - from >= longGap.rows ? commonRow(data, row, from, to, height, samples) : null;
  if (samples.numbers) fillNumbers(gap, samples, ground);
  else fillNames(gap, ground);
}

/** Whether a line lies so deep in a long gap that its ground is a better guess than its neighbours. */
const isDeep = ({ from, to, height }: Gap, line: number): boolean =>
  !(from > 0 && line - from < longGap.near) && !(to < height && to - line <= longGap.near);

/** Samples that are no amounts, such as numbers of colours: each row is the nearest one that is there. */
function fillNames(gap: Gap, ground: Int32Array | null): void {
  const { data, row, from, to, height } = gap;
  for (let line = from; line < to; line++) {
    const isNearAbove = from > 0 && (to >= height || line - from < to - line);
    const source = isNearAbove ? from - 1 : to;
    data.copyWithin(line * row, source * row, source * row + row);
    if (!ground || !isDeep(gap, line)) continue;
    for (let at = 0; at < row; at++) if ((ground[at] ?? -1) >= 0) data[line * row + at] = ground[at] ?? 0;
  }
}

/** Samples that are amounts: a passage from the rows above to those below. */
function fillNumbers(gap: Gap, samples: Samples, ground: Int32Array | null): void {
  const { data, row, from, to, height } = gap;
  const set = writer(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  const above = from > 0 ? softRow(data, row, Math.max(0, from - rowsForMean), from, samples) : null;
  const below = to < height ? softRow(data, row, to, Math.min(height, to + rowsForMean), samples) : null;
  const nearest = above ?? below;
  for (let line = from; line < to; line++) {
    const share = (line - from + 1) / (to - from + 1);
    const deep = ground && isDeep(gap, line) ? ground : null;
    for (let at = 0; at + size <= row; at += size) {
      const common = deep?.[at] ?? -1;
      if (common >= 0) set(line * row + at, common);
      else if (above && below) set(line * row + at, (above[at] ?? 0) * (1 - share) + (below[at] ?? 0) * share);
      else set(line * row + at, nearest?.[at] ?? 0);
    }
  }
}

/** What more than half of the rows beside a gap have in common at each sample, as pages and screens have their ground; -1 where nothing is. */
function commonRow(
  data: Uint8Array,
  row: number,
  from: number,
  to: number,
  height: number,
  samples: Samples,
): Int32Array {
  const get = reader(data, samples.wide);
  const size = samples.wide ? 2 : 1;
  const lines: number[] = [];
  for (let line = Math.max(0, from - longGap.beside); line < from; line++) lines.push(line * row);
  for (let line = to; line < Math.min(height, to + longGap.beside); line++) lines.push(line * row);
  const common = new Int32Array(row).fill(-1);
  for (let at = 0; at + size <= row; at += size) {
    // The value that outlasts all pairs of unlike ones is the only one that more than half can have.
    let [value, left] = [-1, 0];
    for (const line of lines) {
      const next = get(line + at);
      if (left === 0) value = next;
      left += next === value ? 1 : -1;
    }
    let count = 0;
    for (const line of lines) if (get(line + at) === value) count++;
    if (count * 2 > lines.length) common[at] = value;
  }
  return common;
}
