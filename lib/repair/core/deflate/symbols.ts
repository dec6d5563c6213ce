import { type Codes, distanceBase, distanceExtra, lengthBase, lengthExtra } from './codes';

/*
 * The one place where symbols of DEFLATE are decoded (RFC 1951, 3.2.3): all that read such data, to unpack, to mend or to measure it, walk
 * from symbol to symbol by `symbolAt`.
 */

/** Bits that a symbol may be read past the end of the input: with as many bytes of zero behind it, reading ahead needs no care. */
const paddingBytes = 16;

/** Packed bytes behind which zeroes stand. */
export function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + paddingBytes);
  result.set(bytes);
  return result;
}

/** Length in bits of what stands before the zeroes. */
export const bitsOf = (paddedBytes: Uint8Array): number => (paddedBytes.length - paddingBytes) * 8;

/** The symbol that ends a block, the first one of a length, and the last (RFC 1951, 3.2.5). */
const endOfBlock = 256;
const lastLength = 285;
/** A table takes the next 15 bits, the most that a code has (3.2.7). */
const codeMask = 0x7fff;

/** The next 25 bits at least; as a signed number, which is quicker. */
const bitsAt = (view: DataView, bit: number): number => view.getInt32(bit >>> 3, true) >> (bit & 7);

/**
 * The symbol at a bit, with all bits that belong to it, as one number: see `widthOf`, `symbolValue` and `distanceOf`. Below zero for bits that
 * are none: the complement of how many bits could still be read.
 */
export function symbolAt(view: DataView, { literal, distance }: Codes, bit: number): number {
  const ahead = bitsAt(view, bit);
  const entry = literal[ahead & codeMask] ?? 0;
  const width = entry & 15;
  const symbol = entry >> 4;
  if (symbol <= endOfBlock) return entry === 0 ? ~0 : (symbol << 6) | width;
  if (symbol > lastLength) return ~width;
  const lengthBits = lengthExtra[symbol - endOfBlock - 1] ?? 0;
  const length = (lengthBase[symbol - endOfBlock - 1] ?? 0) + ((ahead >>> width) & ((1 << lengthBits) - 1));
  const behind = bit + width + lengthBits;
  const far = distance[bitsAt(view, behind) & codeMask] ?? 0;
  if (far === 0) return ~(width + lengthBits);
  const farBits = distanceExtra[far >> 4] ?? 0;
  const added = bitsAt(view, behind + (far & 15)) & ((1 << farBits) - 1);
  const back = (distanceBase[far >> 4] ?? 0) + added;
  return (back << 15) | (length << 6) | (width + lengthBits + (far & 15) + farBits);
}

/** Bits of the input that a symbol takes. */
export const widthOf = (symbol: number): number => symbol & 63;
/** The byte that it stands for, or the length of a copy. */
export const symbolValue = (symbol: number): number => (symbol >> 6) & 511;
/** How far back what it copies lies, in bytes; 0 for a byte, and for the end of a block. */
export const distanceOf = (symbol: number): number => symbol >> 15;
/** Whether it stands for a byte, which is what most do. */
export const isByte = (symbol: number): boolean => symbol >= 0 && symbol < endOfBlock << 6;
/** Whether it ends its block. */
export const isEndOfBlock = (symbol: number): boolean => symbol >> 6 === endOfBlock;
/** Sizes of the symbol at `bit`: its input bits plus 64 times its output bytes; 0 for an end of block and for what is no symbol. */
export function sizesAt(view: DataView, tables: Codes, bit: number): number {
  const symbol = symbolAt(view, tables, bit);
  return symbol < 0 || isEndOfBlock(symbol) ? 0 : widthOf(symbol) + bytesOf(symbol) * 64;
}

/** Bytes of output that it gives. */
const bytesOf = (symbol: number): number => (symbol >> 15 === 0 ? 1 : (symbol >> 6) & 511);
