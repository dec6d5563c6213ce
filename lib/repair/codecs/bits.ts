import { Buffer } from '../host/bytes';
/** Reads bits from a buffer, most significant first; past its end everything is zero and `over` tells so. */
export class BitReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  /** `from` is an offset in bytes. */
  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from * 8;
    this.#end = bytes.length * 8;
  }

  /** Position in bits from the start of the buffer. */
  get position(): number {
    return this.#at;
  }

  get over(): boolean {
    return this.#at > this.#end;
  }

  bit(): number {
    const value = ((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1;
    this.#at++;
    return value;
  }

  /** Up to 24 bits. */
  take(count: number): number {
    const byte = this.#at >> 3;
    const bytes = this.#bytes;
    const word =
      (((bytes[byte] ?? 0) << 24) |
        ((bytes[byte + 1] ?? 0) << 16) |
        ((bytes[byte + 2] ?? 0) << 8) |
        (bytes[byte + 3] ?? 0)) >>>
      0;
    const value = count === 0 ? 0 : (word << (this.#at & 7)) >>> (32 - count);
    this.#at += count;
    return value;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Goes to the next byte; true when the bits passed over were all zero. */
  align(): boolean {
    const rest = (8 - (this.#at & 7)) & 7;
    return this.take(rest) === 0;
  }
}

/** The first `most` bytes of a NAL unit's content without emulation prevention: 00 00 03 stands for 00 00 (ISO/IEC 14496-10, 7.3.1). */
export function unescaped(nal: Buffer, most = nal.length): Buffer {
  const out = Buffer.allocUnsafe(Math.min(most, nal.length));
  let length = 0;
  let zeros = 0;
  for (let index = 0; index < nal.length && length < out.length; index++) {
    const byte = nal[index] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/** Where a byte of a unit without emulation prevention lies in the unit with it. */
export function escapedPlace(unit: Buffer, place: number): number {
  let zeros = 0;
  let seen = 0;
  for (let index = 0; index < unit.length; index++) {
    const byte = unit[index] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    if (seen++ === place) return index;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return unit.length;
}

/** Zeroes before the longest number that is read: larger ones stand in no head. */
const mostZeroes = 24;

/** ue(v), an Exp-Golomb number (ISO/IEC 14496-10, 9.1). */
export function golomb(bits: BitReader): number {
  let zeros = 0;
  while (zeros < mostZeroes && bits.bit() === 0) zeros++;
  return 2 ** zeros - 1 + bits.take(zeros);
}

/** se(v), the same with a sign (9.1.1). */
export function signedGolomb(bits: BitReader): number {
  const value = golomb(bits);
  return value % 2 === 0 ? -value / 2 : (value + 1) / 2;
}

/** Turns a bit, counted from the uppermost of the first byte on, into the other one. */
export function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (128 >> (bit & 7));
}
