import { Buffer } from '../../../host/bytes';
import { space } from '../directory';
import { type Raster, undoPredictor } from '../raster';
import { spaceOfFour } from './inks';
import { between, correlation } from './measure';
import type { SampleShape } from './samples';

/** Steps from piece to piece, by what is usual inside of one: above that they do not stand below each other; a grid must come below a share of it. */
const stacking = { times: 1.8, levels: 1, grid: 0.8 };
/** Bytes that writers fill strips up to with whole rows, and the share of steps inside of such pieces that the one between them must pass to tell tiles. */
const usualStrips = [8192, 65_536];
const passed = 0.95;
/** How many times as large, and levels more, the least step between planes is than the largest inside of them. */
const betweenPlanes = { times: 2.5, levels: 2 };

/** What a surviving part of the directory still tells about the picture as a whole. */
export type PictureHints = {
  width?: number | undefined;
  height?: number | undefined;
  photometric?: number | undefined;
};

/** Unpacked strips, tiles or parts of planes, all of one length in bytes; lost ones hold no data. */
export type Pieces = { data: readonly Buffer[]; size: number };

/** Lays pieces out as a picture: strips one below the other, tiles in a grid or planes one over the other, whichever fits best. */
export function arrange(pieces: Pieces, shape: SampleShape, hints: PictureHints): Raster {
  const { row, samples, depth, big, predictor } = shape;
  const parts = pieces.data.map((piece) => {
    const own = Buffer.from(piece.subarray(0, piece.length - (piece.length % row)));
    if (predictor) undoPredictor(own, row, samples, depth, !big);
    if (big) own.swap16();
    return own;
  });
  const lines = Math.floor(pieces.size / row);
  const pixel = (samples * depth) / 8;
  const grid = depth === 1 ? null : gridOf(parts, row, lines, pixel);
  const raster = grid
    ? fromTiles(parts, shape, lines, grid, hints)
    : (fromPlanes(parts, shape, lines) ?? fromStrips(parts, shape, lines));
  return { ...raster, photometric: hints.photometric ?? likelySpace(raster) };
}

/** The colour space that samples of a picture are most likely in. */
function likelySpace(raster: Raster): number {
  if (raster.samples === 4 && raster.depth === 8) return spaceOfFour(raster);
  if (raster.samples >= 3) return space.rgb;
  return raster.depth === 1 ? space.whiteIsZero : space.blackIsZero;
}

/** Rows that a piece at place `index` takes: the whole number but for a last piece that is shorter. */
function fromStrips(parts: readonly Buffer[], shape: SampleShape, lines: number): Raster {
  const { row, samples, depth } = shape;
  const last = Math.floor((parts.at(-1)?.length ?? 0) / row);
  const height = (parts.length - 1) * lines + last;
  const data = Buffer.alloc(row * height, 128);
  for (const [index, part] of parts.entries()) part.copy(data, index * lines * row);
  return { width: (row * 8) / (samples * depth), height, samples, depth, photometric: 1, data };
}

/** Tiles side by side: how many stand in a row, or null when pieces rather follow each other downwards. Sides of tiles are multiples of 16. */
function gridOf(parts: readonly Buffer[], row: number, lines: number, pixel: number): number | null {
  if (parts.length < 2 || (row / pixel) % 16 !== 0 || lines % 16 !== 0) return null;
  const line = (index: number, at: number) => parts[index]?.subarray(at * row, at * row + row) ?? Buffer.alloc(0);
  const inner: number[] = [];
  for (let index = 0; index < Math.min(parts.length, 40); index++)
    for (let at = 1; at < lines; at += 3)
      if (line(index, at).length === row) inner.push(between(line(index, at), line(index, at - 1)));
  const usual = inner.sort((left, right) => left - right)[inner.length >> 1] ?? 0;
  // In drawings, whose rows hardly differ, an edge that falls between two strips looks like a border of tiles.
  const isUsualStrip = lines !== row / pixel && usualStrips.some((bytes) => lines === Math.floor(bytes / row));
  const mostInside = isUsualStrip ? (inner[Math.floor(inner.length * passed)] ?? 0) : 0;
  const steps = (across: number) => {
    const list: number[] = [];
    for (let index = 0; index + across < parts.length; index++) {
      const [bottom, top] = [line(index, lines - 1), line(index + across, 0)];
      if (bottom.length === row && top.length === row) list.push(between(bottom, top));
    }
    return list;
  };
  const middle = (list: number[]) => list.sort((left, right) => left - right)[list.length >> 1] ?? usual;
  const stacked = middle(steps(1));
  if (stacked < Math.max(usual * stacking.times + stacking.levels, mostInside)) return null;
  let best = { across: parts.length, cost: Number.POSITIVE_INFINITY };
  for (let across = 1; across <= Math.min(parts.length, 512); across++) {
    const sides: number[] = [];
    for (let index = 0; index + 1 < parts.length; index++)
      if ((index + 1) % across !== 0) sides.push(sideStep(parts[index], parts[index + 1], row, pixel));
    const list = [...steps(across), ...sides];
    const cost = list.length === 0 ? Number.POSITIVE_INFINITY : list.reduce((sum, step) => sum + step, 0) / list.length;
    if (cost < best.cost) best = { across, cost };
  }
  return best.cost < stacked * stacking.grid ? best.across : null;
}

function sideStep(left: Buffer | undefined, right: Buffer | undefined, row: number, pixel: number): number {
  if (!left || !right) return 0;
  let [sum, count] = [0, 0];
  for (let at = 0; at + row <= Math.min(left.length, right.length); at += row)
    for (let byte = 0; byte < pixel; byte++, count++)
      sum += Math.abs((left[at + row - pixel + byte] ?? 0) - (right[at + byte] ?? 0));
  return count > 0 ? sum / count : 0;
}

function fromTiles(
  parts: readonly Buffer[],
  { row, samples, depth }: SampleShape,
  lines: number,
  across: number,
  hints: PictureHints,
): Raster {
  const pixel = (samples * depth) / 8;
  const tile = row / pixel;
  const down = Math.ceil(parts.length / across);
  const wide = row * across;
  const all = Buffer.alloc(wide * lines * down);
  for (const [index, part] of parts.entries()) {
    const place = Math.floor(index / across) * lines * wide + (index % across) * row;
    for (let line = 0; line * row < part.length; line++)
      part.copy(all, place + line * wide, line * row, line * row + row);
  }
  const fits = (told: number | undefined, step: number, count: number) =>
    told !== undefined && told <= step * count && told > step * (count - 1);
  // What stands beside the picture in the last tiles is left empty by most programs.
  let width = fits(hints.width, tile, across) ? (hints.width ?? 0) : tile * across;
  let height = fits(hints.height, lines, down) ? (hints.height ?? 0) : lines * down;
  const column = (at: number) => {
    for (let line = 0; line < height; line++)
      for (let byte = 0; byte < pixel; byte++) if (all[line * wide + at * pixel + byte] !== 0) return true;
    return false;
  };
  while (height > 1 && all.subarray((height - 1) * wide, height * wide).every((byte) => byte === 0)) height--;
  while (width > 1 && !column(width - 1)) width--;
  const data = Buffer.alloc(width * pixel * height);
  for (let line = 0; line < height; line++)
    all.copy(data, line * width * pixel, line * wide, line * wide + width * pixel);
  return { width, height, samples, depth, photometric: 1, data };
}

/** Pieces of a plane, by the steps from piece to piece, which are far larger from plane to plane than anywhere else; 0 when there are no such steps. */
function planeLength(steps: readonly number[], count: number): number {
  for (let each = Math.max(2, Math.ceil(count / 4)); each < count; each++) {
    const borders = steps.filter((_, index) => (index + 1) % each === 0);
    const inside = steps.filter((_, index) => (index + 1) % each !== 0);
    if (Math.min(...borders) > Math.max(...inside) * betweenPlanes.times + betweenPlanes.levels) return each;
  }
  return 0;
}

/** Pieces of three or four planes, one plane behind the other, which resemble each other part for part; null when there are none. */
function fromPlanes(parts: readonly Buffer[], shape: SampleShape, lines: number): Raster | null {
  const { row, samples, depth } = shape;
  if (samples !== 1 || depth === 1 || parts.length < 4) return null;
  const likeness = (apart: number) => {
    const list: number[] = [];
    for (let index = 0; index + apart < parts.length; index++) {
      const [first, second] = [parts[index], parts[index + apart]];
      if (first && second && first.length > 0 && second.length > 0) list.push(correlation(first, second));
    }
    return list.length === 0 ? 0 : list.reduce((sum, value) => sum + value, 0) / list.length;
  };
  const steps = parts.slice(1).map((part, index) => {
    const above = parts[index] ?? part;
    return above.length >= row && part.length >= row
      ? between(above.subarray(above.length - row), part.subarray(0, row))
      : 0;
  });
  const each = planeLength(steps, parts.length);
  if (each === 0 || likeness(each) < 0) return null;
  const count = Math.ceil(parts.length / each) > 3 ? 4 : 3;
  const size = depth >> 3;
  const width = row / size;
  const last = Math.floor((parts[each - 1]?.length ?? 0) / row);
  const height = (each - 1) * lines + last;
  const data = Buffer.alloc(width * height * count * size, 128);
  const reached = new Array<number>(count).fill(0);
  for (const [index, part] of parts.entries()) {
    const [plane, top] = [Math.floor(index / each), (index % each) * lines];
    const samplesHere = Math.min(part.length, (height - top) * row) / size;
    for (let at = 0; at < samplesHere; at++)
      for (let byte = 0; byte < size; byte++)
        data[((top * width + at) * count + plane) * size + byte] = part[at * size + byte] ?? 0;
    reached[plane] = top * width + samplesHere;
  }
  fillPlanes(data, width * height, count, size, reached);
  return { width, height, samples: count, depth, photometric: 2, data };
}

/** A colour that is cut off follows the one before it, with the tint that both have where both are known, or that the two before have. */
function fillPlanes(data: Buffer, pixels: number, count: number, size: number, reached: readonly number[]): void {
  const get = (at: number) => (size === 2 ? data.readUInt16LE(at * 2) : (data[at] ?? 0));
  let tint = 1;
  for (let plane = 1; plane < Math.min(count, 3); plane++) {
    const known = reached[plane] ?? 0;
    let [own, before] = [0, 0];
    for (let pixel = 0; pixel < known; pixel += 3) {
      own += get(pixel * count + plane);
      before += get(pixel * count + plane - 1);
    }
    if (before > 0) tint = own / before;
    for (let pixel = known; pixel < pixels; pixel++) {
      const value = Math.round(get(pixel * count + plane - 1) * tint);
      if (size === 2) data.writeUInt16LE(Math.min(65_535, value), (pixel * count + plane) * 2);
      else data[pixel * count + plane] = Math.min(255, value);
    }
  }
}
