import { Buffer } from '../host/bytes';
import { BitReader } from './bits';

/** Kinds of open bitstream units that temporal units are made of (AV1 bitstream specification, 6.2.2). */
export const obuType = {
  sequence: 1,
  delimiter: 2,
  frameHeader: 3,
  tiles: 4,
  metadata: 5,
  frame: 6,
  again: 7,
  padding: 15,
};
const known = new Set<number>(Object.values(obuType));

/** An open bitstream unit: its kind, where what it holds begins and how many bytes that is, counted from the unit's own first byte. */
export type Obu = { type: number; body: number; length: number };

/** Bytes of a unit's head at most: one of its own, one of its layers, and a size in leb128 (4.10.5) of which four are believed. */
export const obuHeadBytes = 6;

/** The unit whose head `bytes` begin with (5.3.2); null for what no encoder writes, as every unit in a file carries its size. */
export function readObu(bytes: Uint8Array): Obu | null {
  const head = bytes[0] ?? 0xff;
  const type = (head >> 3) & 15;
  // obu_forbidden_bit, obu_reserved_1bit, obu_has_size_field.
  if ((head & 0x81) !== 0 || (head & 2) === 0 || !known.has(type)) return null;
  let at = (head & 4) !== 0 ? 2 : 1;
  let length = 0;
  for (let count = 0; count < 4; count++) {
    const byte = bytes[at++];
    if (byte === undefined) return null;
    length += (byte & 0x7f) * 2 ** (7 * count);
    // Encoders write sizes in as few bytes as they take.
    if (byte < 0x80) return byte === 0 && count > 0 ? null : { type, body: at, length };
  }
  return null;
}

/** Whether a unit begins with this byte that ends with its sample, as the last one may (AV1 in ISO base media, 2.4): it carries no size. */
export const isOpenObu = (head: number): boolean => (head & 0x83) === 0 && known.has((head >> 3) & 15);

/** What the first byte of a frame's head tells (5.9.2): whether it is shown, whether it only shows an earlier one, and its kind. */
export const frameHead = (byte: number): { isShown: boolean; isAgain: boolean; isKey: boolean } => ({
  isAgain: (byte & 0x80) !== 0,
  isKey: (byte & 0xe0) === 0,
  isShown: (byte & 0x80) !== 0 || (byte & 0x10) !== 0,
});

/** What a decoder is told before the first frame (5.5.1), as far as av1C repeats it. Sides in pixels. */
export type Av1Sequence = {
  profile: number;
  level: number;
  tier: number;
  width: number;
  height: number;
  /** high_bitdepth to chroma_sample_position, as av1C packs them (AV1 in ISO base media, 2.3.3). */
  colour: number;
};

/** Values of color_primaries, transfer_characteristics and matrix_coefficients of sRGB (6.4.2). */
const srgb = { primaries: 1, transfer: 13, matrix: 0 };

/** Skips timing_info and decoder_model_info (5.5.3, 5.5.4); the bits of a decoder model's delays, 0 where there is none. */
function skipTiming(bits: BitReader): number {
  if (bits.bit() === 0) return 0;
  bits.skip(64);
  if (bits.bit() === 1) skipUvlc(bits);
  if (bits.bit() === 0) return 0;
  const delay = bits.take(5) + 1;
  bits.skip(32 + 10);
  return delay;
}

/** uvlc() (4.10.3). */
function skipUvlc(bits: BitReader): void {
  let zeros = 0;
  while (zeros < 32 && bits.bit() === 0) zeros++;
  bits.skip(zeros);
}

/** Level and tier of the first operating point; all of them are read over (5.5.1). */
function readPoints(bits: BitReader): { level: number; tier: number } {
  const delay = skipTiming(bits);
  const hasDelays = bits.bit() === 1;
  const count = bits.take(5) + 1;
  let first = { level: 0, tier: 0 };
  for (let point = 0; point < count; point++) {
    bits.skip(12);
    const level = bits.take(5);
    const tier = level > 7 ? bits.bit() : 0;
    if (point === 0) first = { level, tier };
    if (delay > 0 && bits.bit() === 1) bits.skip(2 * delay + 1);
    if (hasDelays && bits.bit() === 1) bits.skip(4);
  }
  return first;
}

/** Tools that are switched on or off between the sides of the pictures and their colours (5.5.1). */
function skipTools(bits: BitReader, isReduced: boolean): void {
  if (!isReduced && bits.bit() === 1) bits.skip(7);
  bits.skip(3);
  if (isReduced) return;
  bits.skip(4);
  const hasOrder = bits.bit() === 1;
  if (hasOrder) bits.skip(2);
  const force = bits.bit() === 1 ? 2 : bits.bit();
  if (force > 0 && bits.bit() === 0) bits.skip(1);
  if (hasOrder) bits.skip(3);
}

/** color_config (5.5.2) as av1C packs it. */
function readColour(bits: BitReader, profile: number): number {
  const high = bits.bit();
  const twelve = profile === 2 && high === 1 ? bits.bit() : 0;
  const mono = profile === 1 ? 0 : bits.bit();
  const [primaries, transfer, matrix] = bits.bit() === 1 ? [bits.take(8), bits.take(8), bits.take(8)] : [2, 2, 2];
  const packed = (across: number, down: number, place = 0) =>
    (high << 6) | (twelve << 5) | (mono << 4) | (across << 3) | (down << 2) | place;
  if (mono === 1) {
    bits.skip(1);
    return packed(1, 1);
  }
  if (primaries === srgb.primaries && transfer === srgb.transfer && matrix === srgb.matrix) return packed(0, 0);
  bits.skip(1);
  if (profile === 1) return packed(0, 0);
  if (profile === 0) return packed(1, 1, bits.take(2));
  const across = twelve === 1 ? bits.bit() : 1;
  const down = across === 1 && twelve === 1 ? bits.bit() : 0;
  return packed(across, down, across === 1 && down === 1 ? bits.take(2) : 0);
}

/** Least side of a picture in pixels, and the highest level that is defined but for 31, which names none (annex A.3). */
const leastSide = 64;
const [highestLevel, noLevel] = [24, 31];

/** Whether what follows in a unit is its trailing bits (5.3.4): a one, then zeros to the end. */
function isTrailing(bits: BitReader, length: number): boolean {
  const left = length * 8 - bits.position;
  if (left < 1 || left > 8) return false;
  return bits.take(left) === 1 << (left - 1);
}

/** A sequence header (5.5.1), which is all that `bytes` hold, behind the head of its unit; null for what none can be. */
export function readAv1Sequence(bytes: Uint8Array): Av1Sequence | null {
  const bits = new BitReader(Buffer.from(bytes));
  const profile = bits.take(3);
  bits.skip(1);
  const isReduced = bits.bit() === 1;
  const { level, tier } = isReduced ? { level: bits.take(5), tier: 0 } : readPoints(bits);
  const [wide, high] = [bits.take(4) + 1, bits.take(4) + 1];
  const [width, height] = [bits.take(wide) + 1, bits.take(high) + 1];
  skipTools(bits, isReduced);
  bits.skip(3);
  const colour = readColour(bits, profile);
  // separate_uv_delta_q where there are colours, film_grain_params_present.
  bits.skip((colour & monochrome) === 0 ? 2 : 1);
  const isPossible = profile <= 2 && (level <= highestLevel || level === noLevel);
  const isPicture = width >= leastSide && height >= leastSide;
  return isPossible && isPicture && isTrailing(bits, bytes.length)
    ? { profile, level, tier, width, height, colour }
    : null;
}

/** mono_chrome in what av1C packs. */
const monochrome = 0x10;
