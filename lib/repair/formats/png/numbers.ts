import type { Mended } from '../../core/deflate/mended';
import { predicted } from '../../core/predict';
import { fillRows, type Samples } from '../../core/rows';
import type { PassRows } from './place';
import type { PngRows } from './rows';

/**
 * Undoes the filters (ISO/IEC 15948, 9.2) of the lines from `damaged` on where samples are numbers of colours or parts of a byte, which
 * cannot be averaged: a lost one is taken from the line above. `first` is the number of the pass's first row in the picture. Returns 1
 * for each line that builds on lost bytes.
 */
export function restoreNumbers(
  plain: PassRows,
  first: number,
  model: PngRows,
  mended: Mended,
  samples: Samples,
  damaged: number,
): Uint8Array {
  const { data, row, lost } = plain;
  const height = lost.length;
  const tainted = new Uint8Array(height);
  let isTainted = false;
  const stale = { ground: commonest(data.subarray(0, damaged * row)), rows: new Uint16Array(row) };
  for (let line = damaged; line < height; line++) {
    const start = model.starts[first + line] ?? 0;
    const [at, above] = [line * row, line > 0 ? (line - 1) * row : -1];
    if (lost[line] === 1) {
      if (above >= 0) data.copyWithin(at, above, above + row);
      for (let index = 0; index < row; index++) stale.rows[index] = (stale.rows[index] ?? 0) + 1;
      isTainted = true;
      continue;
    }
    const isTold = mended.known[start] !== 0;
    const filter = isTold
      ? Math.min(4, mended.data[start] ?? 0)
      : model.likelyFilter(mended.data, start, data, at, above, row);
    const gaps = unfilterWithGaps(filter, mended, start + 1, data, at, above, row, samples.pixel, stale);
    isTainted = gaps > 0 || (isTainted && filter > 1);
    if (isTainted) tainted[line] = 1;
  }
  fillLost(plain, samples);
  return tainted;
}

/** Fills lines of which nothing is known between their neighbours. */
function fillLost({ data, row, lost }: PassRows, samples: Samples): void {
  const height = lost.length;
  for (let from = 0; from < height; from++) {
    if (lost[from] === 0) continue;
    let to = from;
    while (to < height && lost[to] === 1) to++;
    fillRows(data, row, from, to, height, samples);
    from = to;
  }
}

/** Rows below the last known sample of a column from which on what it had says less than what most of the picture has. */
const mostCarried = 12;

/** What most samples of the rows above the damage have, and of each byte of a row how many rows ago it was known. */
type Stale = { ground: number; rows: Uint16Array };

/** The byte that there is most of; 0 where there is none. */
function commonest(bytes: Uint8Array): number {
  const seen = new Uint32Array(256);
  for (const byte of bytes) seen[byte] = (seen[byte] ?? 0) + 1;
  return seen.reduce((best, count, byte) => (count > (seen[best] ?? 0) ? byte : best), 0);
}

/**
 * Undoes the filter of one row; lost bytes come from the row above, or from the left in the first one, and far below what is known from the
 * ground of the picture. Returns how many those are.
 */
function unfilterWithGaps(
  filter: number,
  { data: bytes, known }: Mended,
  raw: number,
  out: Uint8Array,
  at: number,
  above: number,
  count: number,
  pixel: number,
  stale: Stale,
): number {
  let gaps = 0;
  for (let index = 0; index < count; index++) {
    const left = index >= pixel ? (out[at + index - pixel] ?? 0) : 0;
    const up = above >= 0 ? (out[above + index] ?? 0) : 0;
    if (known[raw + index] === 0) {
      const rows = stale.rows[index] ?? 0;
      stale.rows[index] = rows + 1;
      out[at + index] = rows > mostCarried ? stale.ground : above >= 0 ? up : left;
      gaps++;
      continue;
    }
    stale.rows[index] = 0;
    const corner = above >= 0 && index >= pixel ? (out[above + index - pixel] ?? 0) : 0;
    out[at + index] = ((bytes[raw + index] ?? 0) + predicted(filter, left, up, corner)) & 255;
  }
  return gaps;
}
