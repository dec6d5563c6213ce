import type { Mended } from '../../core/deflate/mended';
import { predicted } from '../../core/predict';
import { type PngHeader, rowSizes } from './header';
import type { PngRows } from './rows';

/**
 * One sample of every pixel, row by row. `tree` is 0 where a value is certain, -1 where nothing is known of it, otherwise the number of all
 * pixels that build on one such: the `value` of these is by how much they differ from it, as a byte.
 */
export type Traced = { width: number; value: Uint8Array; tree: Int32Array; trees: number };

/**
 * Follows what one sample of each pixel builds on, by the filters of rows (ISO/IEC 15948, 9.2) and what is known of the amounts that these added; what an
 * earlier trace made certain is certain in this one. Not for interlaced pictures.
 */
export function trace(
  header: PngHeader,
  model: PngRows,
  mended: Mended,
  sample: number,
  before: Traced | null,
): Traced {
  const { width, height } = header;
  const { pixel } = rowSizes(header);
  const found: Traced = {
    width,
    value: new Uint8Array(width * height),
    tree: new Int32Array(width * height).fill(-1),
    trees: 0,
  };
  for (let line = 0; line < height; line++) {
    const start = model.starts[line] ?? 0;
    const filter = mended.known[start] === 0 ? 5 : (mended.data[start] ?? 5);
    for (let x = 0; x < width; x++) {
      const at = line * width + x;
      const byte = start + 1 + pixel * x + sample;
      if (before?.tree[at] === 0) {
        found.tree[at] = 0;
        found.value[at] = before.value[at] as number;
      } else if (filter <= 4 && mended.known[byte] === 1) tracePixel(found, filter, line, x, mended.data[byte] ?? 0);
    }
  }
  return found;
}

/** Puts one pixel to what it builds on: `amount` is what its row's filter added. */
function tracePixel(found: Traced, filter: number, line: number, x: number, amount: number): void {
  const { value, tree, width } = found;
  const at = line * width + x;
  const left = x > 0 ? at - 1 : -1;
  const above = line > 0 ? at - width : -1;
  const corner = x > 0 && line > 0 ? above - 1 : -1;
  const isSure = (place: number) => place < 0 || tree[place] === 0;
  const of = (place: number) => (place < 0 ? 0 : (value[place] as number));
  // The first needs the left one, the second the upper one, the third both, and Paeth's the corner, too.
  const isTold =
    (filter === 0 || filter === 2 || isSure(left)) && (filter < 2 || isSure(above)) && (filter < 4 || isSure(corner));
  if (isTold) {
    tree[at] = 0;
    value[at] = amount + predicted(filter, of(left), of(above), of(corner));
    return;
  }
  const on = builtOn(found, filter, left, above, corner);
  if (on < 0) return;
  if (tree[on] === -1) {
    found.trees++;
    tree[on] = found.trees;
  }
  tree[at] = tree[on] as number;
  value[at] = of(on) + amount;
}

/** The one pixel that a forecast surely follows, although not all are certain; -1 where there is none. */
function builtOn({ value, tree }: Traced, filter: number, left: number, above: number, corner: number): number {
  const isSame = (one: number, other: number) =>
    one >= 0 && other >= 0 && tree[one] !== -1 && tree[one] === tree[other] && value[one] === value[other];
  if (filter === 1 || (filter === 4 && above < 0)) return left;
  if (filter === 2 || (filter === 4 && left < 0)) return above;
  if (filter === 3) return isSame(left, above) ? left : -1;
  // Paeth's forecast is the left one where the two above are alike, and the upper one where the two on the left are.
  if (isSame(above, corner)) return left;
  if (isSame(left, corner)) return above;
  return isSame(left, above) ? left : -1;
}

/** Values and how often each comes. */
export type Runs = [value: number, count: number][];

/** Calls `each` for all trees with how often each byte comes that `of` gives for their pixels; below zero it gives none. */
export function eachTree(
  { tree }: Traced,
  of: (pixel: number) => number,
  each: (number: number, runs: Runs) => void,
): void {
  let size = 0;
  for (let at = 0; at < tree.length; at++) if ((tree[at] as number) > 0 && of(at) >= 0) size++;
  const keys = new Float64Array(size);
  let next = 0;
  for (let at = 0; at < tree.length; at++)
    if ((tree[at] as number) > 0 && of(at) >= 0) keys[next++] = (tree[at] as number) * 256 + of(at);
  keys.sort();
  for (let from = 0; from < size; ) {
    const number = Math.floor((keys[from] as number) / 256);
    const runs: Runs = [];
    while (from < size && Math.floor((keys[from] as number) / 256) === number) {
      const key = keys[from] as number;
      let end = from;
      while (keys[end] === key) end++;
      runs.push([key % 256, end - from]);
      from = end;
    }
    each(number, runs);
  }
}

/** Makes the values of trees certain that have a base (-1 for none), the value of what they build on. */
export function settleTrees({ value, tree }: Traced, bases: Int16Array): void {
  for (let at = 0; at < tree.length; at++) {
    const base = bases[tree[at] as number] ?? -1;
    if ((tree[at] as number) <= 0 || base < 0) continue;
    value[at] = (value[at] as number) + base;
    tree[at] = 0;
  }
}
