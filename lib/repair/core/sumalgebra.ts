import { Buffer } from '../host/bytes';
import { crc32 } from './sums';

/**
 * CRC-32 as arithmetic (ISO/IEC 15948, annex D; Peterson and Brown 1961): without the values it begins and ends with, the sum of a text is the
 * text as a polynomial, modulo the sum's own, so that the sum of two differing texts is that of their difference. Sums are 32 bits, the
 * highest power in the lowest bit.
 */
export const polynomial = 0xedb88320;
/** A sum times x. */
export const timesX = (value: number): number => (value & 1 ? (value >>> 1) ^ polynomial : value >>> 1);

/** The sum of each byte. */
const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = timesX(value);
  return value;
});
/** The byte of a sum, by the highest byte of that, which tells it. */
const bytes = new Uint8Array(256);
for (const [byte, sum] of sums.entries()) bytes[sum >>> 24] = byte;

/** The sum of one byte. */
export const byteSum = (byte: number): number => sums[byte & 255] ?? 0;

/** The sum with one more byte of zero behind what was summed up. */
export const shifted = (sum: number): number => (sum >>> 8) ^ (sums[sum & 255] ?? 0);

/** The sum that becomes this one with one more byte of zero. */
function unshifted(sum: number): number {
  const byte = bytes[sum >>> 24] ?? 0;
  return ((sum ^ (sums[byte] ?? 0)) << 8) | byte;
}

/** The sum of a text without the values that a CRC-32 begins and ends with. */
export const plainSum = (text: Uint8Array): number => crc32(text) ^ crc32(Buffer.alloc(text.length));

/** The product of two sums. */
export function product(one: number, other: number): number {
  let result = 0;
  let power = other;
  for (let left = one; left !== 0; left <<= 1) {
    if (left < 0) result ^= power;
    power = timesX(power);
  }
  return result;
}

/** 1 as a sum, and what one byte of zero multiplies by: x to the power of 8. */
const one = 1 << 31;
const byZero = 1 << 23;

/** What so many bytes of zero behind a text multiply its sum by. */
export function zeroesBehind(count: number): number {
  let result = one;
  let square = byZero;
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

/** What a sum that is not 0 is multiplied by to give 1: they are a field of 2^32, as the polynomial has no factors. */
export function inverse(sum: number): number {
  let result = one;
  let square = sum;
  for (let bit = 1; bit < 32; bit++) {
    square = product(square, square);
    result = product(result, square);
  }
  return result;
}

/** So many wrong bytes in a row that a sum allows: where they begin, and what they are off by, the first byte lowest. */
export type ByteChange = { at: number; value: number };

/** Changes that are told of at most. */
const mostChanges = 64;

/**
 * Places of a text of `length` bytes where `width` bytes in a row (one or two) may be wrong, if its sum is off by `difference`. By chance one
 * in 2^24 bytes is such a place for one byte, and one in 2^16 for two.
 */
export function wrongBytes(difference: number, length: number, width: number): ByteChange[] {
  const found: ByteChange[] = [];
  let sum = difference;
  for (let back = 1; back < width; back++) sum = unshifted(sum);
  for (let at = length - width; at >= 0 && found.length < mostChanges; at--) {
    sum = unshifted(sum);
    if (sum >>> (width * 8) === 0) found.push({ at, value: sum });
  }
  return found;
}

/**
 * Places where `width` bytes in a row (one or two) may be lost from a text, with the bytes, if its sum with them is off by `difference` from
 * what it is with zeroes at its end instead.
 */
export function lostBytes(text: Uint8Array, difference: number, width: number): ByteChange[] {
  const found: ByteChange[] = [];
  let sum = difference;
  for (let at = text.length; found.length < mostChanges; at--) {
    let value = sum;
    for (let back = 0; back < width; back++) value = unshifted(value);
    // A byte before one that is the same is the one behind it as well.
    if (value >>> (width * 8) === 0 && !(width === 1 && text[at] === value)) found.push({ at, value });
    if (at === 0) break;
    const own = byteSum(text[at - 1] ?? 0);
    let ahead = own;
    for (let on = 0; on < width; on++) ahead = shifted(ahead);
    sum = unshifted(sum ^ own ^ ahead);
  }
  return found;
}
