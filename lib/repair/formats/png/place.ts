import type { Buffer } from '../../host/bytes';
import { type PngHeader, rowSizes } from './header';
import type { Pass } from './passes';

/** The rows of one pass without filters, and which of them are lost. */
export type PassRows = { data: Uint8Array; row: number; lost: Uint8Array };

/** Lays the pixels of a pass out; those of lost rows leave what coarser passes put there. Of an interlaced picture `given` takes 1 for each pixel that has its own value. */
export function placePass(header: PngHeader, pass: Pass, plain: PassRows, pixels: Buffer, given: Uint8Array): void {
  const { row, pixel } = rowSizes(header);
  if (!header.interlaced) {
    pixels.set(plain.data);
    return;
  }
  const bits = header.depth < 8 ? header.depth : 0;
  const coarsest = pass.x === 0 && pass.y === 0 && pass.dx === 8;
  const fill = (x: number, y: number, line: number, column: number) => {
    if (bits > 0) return putBits(pixels, y * row, x, bits, getBits(plain.data, line * plain.row, column, bits));
    const from = line * plain.row + column * pixel;
    for (let byte = 0; byte < pixel; byte++) pixels[y * row + x * pixel + byte] = plain.data[from + byte] ?? 0;
  };
  for (let line = 0; line < pass.height; line++) {
    if (plain.lost[line] === 1 && !coarsest) continue;
    for (let column = 0; column < pass.width; column++) {
      const [left, top] = [pass.x + column * pass.dx, pass.y + line * pass.dy];
      if (plain.lost[line] === 0) given[top * header.width + left] = 1;
      const [right, bottom] = [Math.min(header.width, left + pass.wide), Math.min(header.height, top + pass.high)];
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) fill(x, y, line, column);
    }
  }
}

/** How much further a row behind damage may lie from what coarser passes show at its place, against rows before it, and levels on top. */
const strange = { times: 2, levels: 6 };

/**
 * Counts rows of a pass, from `from` on, as lost where they do not look like what coarser passes show at their place. `usual` is the mean
 * difference that rows before them had there so far, null before there was one; returns it with those of this pass. Whole bytes only.
 */
export function dropStrange(
  header: PngHeader,
  pass: Pass,
  plain: PassRows,
  from: number,
  pixels: Buffer,
  usual: number | null,
): number | null {
  const { row, pixel } = rowSizes(header);
  const differences = Float64Array.from(plain.lost, (_, line) => {
    let sum = 0;
    const above = (pass.y + line * pass.dy) * row;
    for (let at = 0; at < pass.width * pixel; at++) {
      const place = above + (pass.x + Math.floor(at / pixel) * pass.dx) * pixel + (at % pixel);
      sum += Math.abs((plain.data[line * plain.row + at] ?? 0) - (pixels[place] ?? 0));
    }
    return sum / Math.max(1, pass.width * pixel);
  });
  const sure = differences.subarray(0, from);
  const now = sure.length > 0 ? sure.reduce((sum, value) => sum + value, 0) / sure.length : usual;
  if (now === null) return null;
  for (let line = from; line < plain.lost.length; line++)
    if ((differences[line] ?? 0) > now * strange.times + strange.levels) plain.lost[line] = 1;
  return now;
}

function getBits(data: Uint8Array, row: number, column: number, bits: number): number {
  const at = column * bits;
  return ((data[row + (at >> 3)] ?? 0) >> (8 - bits - (at & 7))) & ((1 << bits) - 1);
}

function putBits(data: Uint8Array, row: number, column: number, bits: number, value: number): void {
  const at = row + ((column * bits) >> 3);
  const shift = 8 - bits - ((column * bits) & 7);
  data[at] = ((data[at] ?? 0) & ~(((1 << bits) - 1) << shift)) | (value << shift);
}

/** Fills pixels of lost rows of early passes in from the later passes' pixels beside them, which lie all around. Whole bytes only. */
export function fillLostPixels(header: PngHeader, pixels: Buffer, given: Uint8Array): void {
  const { row, pixel } = rowSizes(header);
  const { width, height } = header;
  for (let at = 0; at < given.length; at++) {
    if (given[at] === 1) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const near = [
      x > 0 ? at - 1 : -1,
      x + 1 < width ? at + 1 : -1,
      y > 0 ? at - width : -1,
      y + 1 < height ? at + width : -1,
    ].filter((place) => place >= 0 && given[place] === 1);
    if (near.length === 0) continue;
    for (let byte = 0; byte < pixel; byte++) {
      const sum = near.reduce(
        (total, place) => total + (pixels[Math.floor(place / width) * row + (place % width) * pixel + byte] ?? 0),
        0,
      );
      pixels[y * row + x * pixel + byte] = Math.round(sum / near.length);
    }
  }
}
