import type { Source } from '../../video/source';
import type { Block, Walk } from './walk';

/** One frame of a track: its bytes in the file, and its time in units of the segment's clock. */
export type Frame = { from: number; to: number; time: number };

/** The frames of up to `most` blocks of each track, in order; blocks whose lacing cannot be read are left out. */
export function framesOf(source: Source, walk: Walk, most: number): Map<number, Frame[]> {
  const frames = new Map<number, Frame[]>();
  const taken = new Map<number, number>();
  for (const cluster of walk.clusters)
    for (const block of cluster.blocks) {
      const count = taken.get(block.track) ?? 0;
      if (count >= most) continue;
      taken.set(block.track, count + 1);
      const list = frames.get(block.track) ?? [];
      frames.set(block.track, list);
      for (const [from, to] of unlaced(source, block)) list.push({ from, to, time: cluster.time + block.time });
    }
  return frames;
}

/** The frames that share a block (RFC 9559, 10.3): alone, or with sizes in the manner of Xiph, all the same, or of EBML; none where these cannot be. */
export function unlaced(source: Source, block: Block): [number, number][] {
  const { data, dataEnd, lacing } = block;
  if (lacing === 0) return [[data, dataEnd]];
  const count = (source.read(data, 1)[0] ?? 0) + 1;
  if (lacing === 2) {
    const size = (dataEnd - data - 1) / count;
    if (!Number.isInteger(size)) return [];
    return Array.from({ length: count }, (_, index) => [data + 1 + index * size, data + 1 + (index + 1) * size]);
  }
  const sizes = lacing === 1 ? xiphSizes(source, data + 1, count) : ebmlSizes(source, data + 1, count);
  if (!sizes) return [];
  let at = sizes.end;
  const frames: [number, number][] = [];
  for (const size of [...sizes.values, dataEnd - at - sizes.values.reduce((sum, value) => sum + value, 0)]) {
    if (size <= 0 || at + size > dataEnd) return [];
    frames.push([at, at + size]);
    at += size;
  }
  return frames;
}

function xiphSizes(source: Source, from: number, count: number): { values: number[]; end: number } {
  const values: number[] = [];
  let at = from;
  while (values.length < count - 1) {
    let size = 0;
    let byte = 255;
    while (byte === 255) {
      byte = source.read(at++, 1)[0] ?? 0;
      size += byte;
    }
    values.push(size);
  }
  return { values, end: at };
}

/** The first size is a number of EBML; each next one is told as what it adds, shifted so that it can be less. */
function ebmlSizes(source: Source, from: number, count: number): { values: number[]; end: number } | null {
  const values: number[] = [];
  let at = from;
  for (let last = 0; values.length < count - 1; ) {
    const width = Math.clz32(source.read(at, 1)[0] ?? 0) - 23;
    const bytes = source.read(at, width);
    if (width > 4 || bytes.length < width) return null;
    const raw = bytes.readUIntBE(0, width) & (2 ** (7 * width) - 1);
    last = values.length === 0 ? raw : last + raw - (2 ** (7 * width - 1) - 1);
    values.push(last);
    at += width;
  }
  return { values, end: at };
}
