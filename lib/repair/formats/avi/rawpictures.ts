import { commonest } from '../../core/commonest';
import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Chunk } from './chunks';
import type { Picture } from './tell';

/** Fewest pictures that tell a size, and share of them that must have the same number of bytes. */
const fewest = 3;
const mostOf = 0.9;
/** Bytes of a picture that are looked at, and places in them. */
const mostBytes = 1 << 20;
const samples = 20_000;
/** Bytes of rows, rows, and how wide pictures are for their height. */
const strides = { least: 32, most: 32_768 };
const leastRows = 16;
const shapes = { least: 0.4, most: 4 };
/** How much less a row differs from the next one in the right place than bytes do that have nothing to do with each other. */
const smooth = 0.5;

/** Mean difference of bytes that lie so far apart, in a stretch of some pictures. */
function difference(pictures: readonly Buffer[], apart: number, from = 0, to = Number.POSITIVE_INFINITY): number {
  let [sum, count] = [0, 0];
  for (const bytes of pictures) {
    const end = Math.min(bytes.length, to) - apart;
    const step = Math.max(1, Math.floor((end - from) / samples)) | 1;
    for (let at = from; at < end; at += step, count++) sum += Math.abs((bytes[at] ?? 0) - (bytes[at + apart] ?? 0));
  }
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}

/** Bytes of a pixel, by how far apart those are that differ least; of YUY2 and UYVY two, in pairs. */
function pixelBytes(pictures: readonly Buffer[]): number {
  const apart = [1, 2, 3, 4].map((bytes) => ({ bytes, value: difference(pictures, bytes) }));
  return apart.reduce((one, other) => (other.value < one.value ? other : one)).bytes;
}

/** Whether every fourth byte is one and the same, which is not shown. */
function isPadded(pictures: readonly Buffer[]): boolean {
  return pictures.every((bytes) => {
    for (let at = 7; at < bytes.length; at += 4) if (bytes[at] !== bytes[3]) return false;
    return true;
  });
}

/** Whether brightness comes first in each pair of bytes: the bytes of colours lie nearer to their middle. */
function isBrightFirst(pictures: readonly Buffer[]): boolean {
  const far = [0, 0];
  for (const bytes of pictures)
    for (let at = 0; at < bytes.length; at++) far[at & 1] = (far[at & 1] ?? 0) + Math.abs((bytes[at] ?? 0) - 128);
  return (far[0] ?? 0) >= (far[1] ?? 0);
}

/** Whether the last third of pictures are colours of half the width (I420) rather than more rows. */
function isPlanar(pictures: readonly Buffer[], stride: number, length: number): boolean {
  const rows = length / stride;
  if (rows % 3 !== 0 || stride % 2 !== 0 || length > mostBytes) return false;
  const from = (length * 2) / 3;
  return difference(pictures, stride / 2, from, length) < difference(pictures, stride, from, length);
}

/** Name, width and bits of a pixel of rows of so many bytes; `share` of the rows are those of the picture. */
function layoutOf(pictures: readonly Buffer[], stride: number, length: number) {
  const bytes = pixelBytes(pictures);
  if (bytes === 1)
    return isPlanar(pictures, stride, length)
      ? { code: 'I420', width: stride, bits: 12, share: 2 / 3 }
      : { code: '\0\0\0\0', width: stride, bits: 8, share: 1 };
  if (bytes === 3) return { code: '\0\0\0\0', width: Math.floor(stride / 3), bits: 24, share: 1 };
  if (isPadded(pictures)) return { code: '\0\0\0\0', width: stride / 4, bits: 32, share: 1 };
  return { code: isBrightFirst(pictures) ? 'YUY2' : 'UYVY', width: stride / 2, bits: 16, share: 1 };
}

/** Pictures that are not compressed, which all have one size: rows are as long as those differ least that lie below each other. */
export function tellRaw(source: Source, chunks: readonly Chunk[]): Picture | null {
  const { value: length, count } = commonest(chunks.map((chunk) => chunk.length));
  if (count < fewest || count < chunks.length * mostOf) return null;
  const own = chunks.filter((chunk) => chunk.length === length);
  const pictures = [0, 1, 2].flatMap((part) => {
    const chunk = own[Math.floor((own.length * (2 * part + 1)) / 6)];
    return chunk ? [source.copy(chunk.offset + 8, Math.min(length, mostBytes))] : [];
  });
  let best: { stride: number; value: number } | null = null;
  for (let rows = leastRows; rows * strides.least <= length; rows++) {
    const stride = length / rows;
    if (!Number.isInteger(stride) || stride > strides.most) continue;
    const value = difference(pictures, stride);
    if (!best || value < best.value) best = { stride, value };
  }
  // Bytes that lie an odd number of them and many rows apart have nothing to do with each other.
  if (!best || best.value > difference(pictures, Math.floor(length / 3) | 1) * smooth) return null;
  const { share, ...layout } = layoutOf(pictures, best.stride, length);
  const height = Math.round((length / best.stride) * share);
  const shape = layout.width / height;
  if (shape < shapes.least || shape > shapes.most) return null;
  return { ...layout, height, rate: null, prefix: null };
}
