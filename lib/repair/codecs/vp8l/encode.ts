import { BitReader, BitWriter } from './bits';
import { codesOf, lengthsOf } from './huffman';
import { distanceCodes, lengthCodes, literals } from './image';
import type { Lossless } from './picture';
import { lengthOrder } from './prefix';

/** The longest copy (RFC 9649, 3.6.2.2), and the shortest that is worth its codes. */
const longest = 4096;
const shortest = 4;
/** Bits in which a length of the code for lengths stands (3.7.2.1.2), and the longest that they tell. */
const lengthBits = 3;
const mostLength = 7;
/** Distance codes of the pixel above and of the one to the left (3.6.2.2), as symbols. */
const above = 0;
const left = 1;

/** A pixel of its own (`count` 0), or a copy of so many from above or from the left. */
type Token = { pixel: number; count: number; from: number };

/** How far the pixels from a place on are the same as those `back` before them. */
function runOf(pixels: Int32Array, at: number, back: number): number {
  const end = at < back ? at : Math.min(pixels.length, at + longest);
  let to = at;
  while (to < end && pixels[to] === pixels[to - back]) to++;
  return to - at;
}

function* tokensOf(pixels: Int32Array, width: number): Generator<Token> {
  for (let at = 0; at < pixels.length; ) {
    const [beside, over] = [runOf(pixels, at, 1), runOf(pixels, at, width)];
    const count = Math.max(beside, over);
    const token = { pixel: pixels[at] ?? 0, count: count >= shortest ? count : 0, from: over >= beside ? above : left };
    yield token;
    at += Math.max(1, token.count);
  }
}

/** The code of a length, and its further bits (3.6.2.2). */
function lengthCode(count: number): { symbol: number; extra: number; bits: number } {
  if (count <= 4) return { symbol: count - 1, extra: 0, bits: 0 };
  const high = 31 - Math.clz32(count - 1);
  const second = ((count - 1) >> (high - 1)) & 1;
  return { symbol: 2 * high + second, extra: (count - 1) & ((1 << (high - 1)) - 1), bits: high - 1 };
}

/** The symbols of a token in each of the five alphabets (3.7.3); -1 where it has none. */
function symbolsOf({ pixel, count, from }: Token): readonly number[] {
  if (count > 0) return [literals + lengthCode(count).symbol, -1, -1, -1, from];
  return [(pixel >> 8) & 255, (pixel >> 16) & 255, pixel & 255, pixel >>> 24, -1];
}

/**
 * Writes a lossless picture anew: what tells how its pixels were changed stays bit by bit, and the changed pixels follow in one group of
 * codes without a cache.
 */
export function writeLossless(data: Uint8Array, { codesAt, coded }: Lossless, pixels: Int32Array): Uint8Array {
  const counts = [literals + lengthCodes, literals, literals, literals, distanceCodes].map(
    (size) => new Uint32Array(size),
  );
  for (const token of tokensOf(pixels, coded.width))
    for (const [index, symbol] of symbolsOf(token).entries()) {
      const own = counts[index];
      if (own && symbol >= 0) own[symbol] = (own[symbol] ?? 0) + 1;
    }
  const writer = new BitWriter();
  const reader = new BitReader(data);
  while (reader.at < codesAt) writer.write(reader.read(1), 1);
  // Neither a cache nor groups of codes (3.7.2).
  writer.write(0, 2);
  const codes = counts.map((own) => {
    const lengths = lengthsOf(own);
    writeCode(writer, lengths);
    const isOnly = lengths.filter((length) => length > 0).length <= 1;
    return { lengths: isOnly ? new Uint8Array(lengths.length) : lengths, codes: codesOf(lengths) };
  });
  for (const token of tokensOf(pixels, coded.width)) {
    for (const [index, symbol] of symbolsOf(token).entries()) {
      const code = codes[index];
      if (!code || symbol < 0) continue;
      writer.write(code.codes[symbol] ?? 0, code.lengths[symbol] ?? 0);
      if (index > 0 || token.count === 0) continue;
      const { extra, bits } = lengthCode(token.count);
      writer.write(extra, bits);
    }
  }
  return writer.finished();
}

/** Writes a prefix code by its lengths, one by one (3.7.2.1). */
function writeCode(writer: BitWriter, lengths: Uint8Array): void {
  if (lengths.every((length) => length === 0)) {
    // A simple code of the symbol 0 alone: simple, one symbol, of one bit, which is 0 (3.7.2.1.1).
    writer.write(1, 4);
    return;
  }
  const counts = new Uint32Array(lengthOrder.length);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  const own = lengthsOf(counts, mostLength);
  const codes = codesOf(own);
  writer.write(0, 1);
  writer.write(lengthOrder.length - 4, 4);
  for (const symbol of lengthOrder) writer.write(own[symbol] ?? 0, lengthBits);
  // All of the alphabet follows.
  writer.write(0, 1);
  const isOnly = own.filter((length) => length > 0).length === 1;
  for (const length of lengths) writer.write(codes[length] ?? 0, isOnly ? 0 : (own[length] ?? 0));
}
