import type { BitReader } from './bits';
import { distanceOf } from './planes';
import { type Prefix, readPrefix, symbolOf } from './prefix';

/** The literals of green, the lengths of copies behind them, and the distances (RFC 9649, 3.7.3). */
export const literals = 256;
export const lengthCodes = 24;
export const distanceCodes = 40;
/** How colours are spread over the cache (3.6.2.3), and the most bits of its places. */
const cacheFactor = 0x1e35a7bd;
const mostCacheBits = 11;

/** Groups of codes that are held: libwebp writes some thousands at the most. */
const mostGroups = 1 << 14;

/** The five codes of a group: green with lengths and cache, red, blue, alpha, distance (3.7.1). */
export type Group = readonly [Prefix, Prefix, Prefix, Prefix, Prefix];

/** An image whose codes are read and whose pixels come next. */
export type Coded = {
  width: number;
  height: number;
  groups: readonly Group[];
  /** Which group the blocks of pixels have, by the bits of a block's side; null where there is one. */
  blocks: { bits: number; across: number; group: Uint16Array } | null;
  cacheBits: number;
};

/** Where the reading of pixels stands. */
export type Place = { bit: number; pixel: number; cache: Int32Array };

/** Blocks on a side of a length. */
export const blocksOf = (length: number, bits: number): number => (length + (1 << bits) - 1) >> bits;

/** Reads what stands before the pixels of an image (3.7.2): cache, blocks and groups of codes; null where it makes no sense. */
export function readCodes(bits: BitReader, width: number, height: number, isMain: boolean): Coded | null {
  const cacheBits = bits.flag() ? bits.read(4) : 0;
  if (cacheBits > mostCacheBits) return null;
  let blocks: Coded['blocks'] = null;
  let count = 1;
  if (isMain && bits.flag()) {
    const side = bits.read(3) + 2;
    const across = blocksOf(width, side);
    const image = readImage(bits, across, blocksOf(height, side));
    if (!image) return null;
    const group = Uint16Array.from(image, (pixel) => (pixel >> 8) & 0xffff);
    for (const one of group) count = Math.max(count, one + 1);
    blocks = { bits: side, across, group };
  }
  if (count > mostGroups) return null;
  const groups: Group[] = [];
  const green = literals + lengthCodes + (cacheBits > 0 ? 1 << cacheBits : 0);
  for (let index = 0; index < count; index++) {
    const codes = [green, literals, literals, literals, distanceCodes].map((alphabet) => readPrefix(bits, alphabet));
    if (bits.isOver || codes.some((code) => !code)) return null;
    groups.push(codes as unknown as Group);
  }
  return { width, height, groups, blocks, cacheBits };
}

/** Reads an image inside of the picture's own description: codes and pixels (3.7.2); null where it makes no sense. */
export function readImage(bits: BitReader, width: number, height: number): Int32Array | null {
  const coded = readCodes(bits, width, height, false);
  if (!coded) return null;
  const pixels = new Int32Array(width * height);
  const place = begin(coded, bits);
  return readPixels(coded, bits, place, pixels, pixels.length) ? pixels : null;
}

/** Where the pixels of an image begin. */
export const begin = ({ cacheBits }: Coded, bits: BitReader): Place => ({
  bit: bits.at,
  pixel: 0,
  cache: new Int32Array(cacheBits > 0 ? 1 << cacheBits : 0),
});

/** The value of a code for lengths or distances, with its further bits (3.6.2.2). */
function numberOf(symbol: number, bits: BitReader): number {
  if (symbol < 4) return symbol + 1;
  const extra = (symbol - 2) >> 1;
  return ((2 + (symbol & 1)) << extra) + bits.read(extra) + 1;
}

/**
 * Reads pixels up to `until` at least, to the end of the copy that passes it. False where the data is over or a copy leads out of the
 * image: `place` then stands at the pixel of which nothing is known.
 */
export function readPixels(coded: Coded, bits: BitReader, place: Place, pixels: Int32Array, until: number): boolean {
  bits.at = place.bit;
  while (place.pixel < until) {
    place.bit = bits.at;
    const group = groupAt(coded, place.pixel);
    const symbol = group ? symbolOf(group[0], bits) : -1;
    if (!group || !readOne(coded, group, symbol, bits, place, pixels)) return false;
  }
  place.bit = bits.at;
  return true;
}

/** The codes of the block in which a pixel lies. */
function groupAt({ width, groups, blocks }: Coded, pixel: number): Group | undefined {
  if (!blocks) return groups[0];
  const block = ((pixel / width) >>> blocks.bits) * blocks.across + ((pixel % width) >>> blocks.bits);
  return groups[blocks.group[block] ?? 0];
}

/** Reads what follows a symbol of green (3.7.3): a pixel of its own, a copy, or a colour of the cache. */
function readOne(
  { width, cacheBits }: Coded,
  group: Group,
  symbol: number,
  bits: BitReader,
  place: Place,
  pixels: Int32Array,
): boolean {
  const { cache, pixel: at } = place;
  let length = 1;
  let back = 0;
  if (symbol < literals) {
    const red = symbolOf(group[1], bits);
    const blue = symbolOf(group[2], bits);
    pixels[at] = (symbolOf(group[3], bits) << 24) | (red << 16) | (symbol << 8) | blue;
  } else if (symbol < literals + lengthCodes) {
    length = numberOf(symbol - literals, bits);
    back = distanceOf(numberOf(symbolOf(group[4], bits), bits), width);
  } else pixels[at] = cache[symbol - literals - lengthCodes] ?? 0;
  if (bits.isOver || back > at || at + length > pixels.length) return false;
  for (let done = at; done < at + length; done++) {
    if (back > 0) pixels[done] = pixels[done - back] ?? 0;
    if (cacheBits > 0) cache[Math.imul(cacheFactor, pixels[done] ?? 0) >>> (32 - cacheBits)] = pixels[done] ?? 0;
  }
  place.pixel += length;
  return true;
}
