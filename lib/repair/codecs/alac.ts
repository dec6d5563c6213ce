import type { Buffer } from '../host/bytes';
import { BitReader } from './bits';

/** What a decoder of Apple Lossless is told (ALACMagicCookieDescription.txt in Apple's reference): frames in samples, bits of a sample, Rice parameters. */
export type AlacConfig = {
  frameLength: number;
  bits: number;
  historyMult: number;
  initialHistory: number;
  limit: number;
  channels: number;
  rate: number;
};

/** Bytes of ALACSpecificConfig, and where its fields lie. */
const configBytes = 24;

/** Reads ALACSpecificConfig; null for what none can be. */
export function readAlacConfig(bytes: Buffer | null): AlacConfig | null {
  if (!bytes || bytes.length < configBytes) return null;
  const config = {
    frameLength: bytes.readUInt32BE(0),
    bits: bytes[5] ?? 0,
    historyMult: bytes[6] ?? 0,
    initialHistory: bytes[7] ?? 0,
    limit: bytes[8] ?? 0,
    channels: bytes[9] ?? 0,
    rate: bytes.readUInt32BE(20),
  };
  const isPossible =
    config.frameLength > 0 && config.frameLength <= mostSamples && [16, 20, 24, 32].includes(config.bits);
  return isPossible && config.channels > 0 && config.limit > 0 && config.limit <= mostTaken ? config : null;
}

/** Samples of a frame at most that are believed; encoders write 4096. */
const mostSamples = 16384;

/** Bits that a bit reader takes at once. */
const mostTaken = 24;

/** Element tags (ALACBitUtilities.h): one channel, two, low frequencies, end. */
const tags = { single: 0, pair: 1, low: 3, end: 7 };

/** Bits of the mean's fraction, most ones of a prefix, and the mean below which runs of zero are coded (aglib.h). */
const fraction = 9;
const mostOnes = 9;
const runsBelow = 128;
const clamp = 0xffff;

const log2 = (value: number) => 31 - Math.clz32(value);

/** A number of the adaptive Golomb code (dyn_get_32bit in ag_dec.c). */
function codeOf(bits: BitReader, k: number, escapeBits: number): number {
  let ones = 0;
  while (ones < mostOnes && bits.bit() === 1) ones++;
  if (ones === mostOnes)
    return escapeBits > mostTaken ? bits.take(escapeBits - 16) * 65536 + bits.take(16) : bits.take(escapeBits);
  if (k === 1) return ones;
  const rest = bits.take(k - 1);
  const whole = ones * ((1 << k) - 1);
  if (rest === 0) return whole;
  return whole + rest * 2 + bits.bit() - 1;
}

/** Length of a run of zeroes (dyn_get). */
function runOf(bits: BitReader, k: number): number {
  let ones = 0;
  while (ones < mostOnes && bits.bit() === 1) ones++;
  if (ones === mostOnes) return bits.take(16);
  const rest = k > 1 ? bits.take(k - 1) : 0;
  const whole = ones * ((1 << k) - 1);
  return rest === 0 ? whole : whole + rest * 2 + bits.bit() - 1;
}

/** Reads over the residual of one channel (dyn_decomp in ag_dec.c); false when it runs over what may be there. */
function skipResidual(
  bits: BitReader,
  config: AlacConfig,
  factor: number,
  samples: number,
  escapeBits: number,
): boolean {
  const mult = Math.floor((config.historyMult * factor) / 4);
  let mean = config.initialHistory;
  let zero = 0;
  for (let done = 0; done < samples; ) {
    const k = Math.min(log2((mean >> fraction) + 3), config.limit);
    const value = codeOf(bits, k, escapeBits);
    if (bits.over) return false;
    done++;
    mean = value > clamp ? clamp : mult * (value + zero) + mean - ((mult * mean) >> fraction);
    zero = 0;
    if (mean >= runsBelow || done >= samples) continue;
    const runK = Math.min(Math.clz32(mean) - 24 + ((mean + 16) >> 6), config.limit);
    const run = runOf(bits, runK);
    done += run;
    if (done > samples) return false;
    zero = run < clamp ? 1 : 0;
    mean = 0;
  }
  return true;
}

/** Reads over one element of one or two channels behind its tag; its samples, or 0 for what none can be. */
function skipElement(bits: BitReader, config: AlacConfig, channels: number): number {
  bits.skip(4);
  if (bits.take(12) !== 0) return 0;
  const isPartial = bits.bit() === 1;
  const shift = bits.take(2) * 8;
  const isRaw = bits.bit() === 1;
  const samples = isPartial ? bits.take(16) * 65536 + bits.take(16) : config.frameLength;
  if (samples === 0 || samples > config.frameLength || shift >= config.bits) return 0;
  if (isRaw) {
    bits.skip(samples * channels * config.bits);
    return bits.over ? 0 : samples;
  }
  bits.skip(16);
  const factors: number[] = [];
  for (let channel = 0; channel < channels; channel++) {
    if (bits.take(4) !== 0) return 0;
    bits.skip(4);
    factors.push(bits.take(3));
    bits.skip(16 * bits.take(5));
  }
  bits.skip(shift * samples * channels);
  const escapeBits = config.bits - shift + channels - 1;
  for (const factor of factors) if (!skipResidual(bits, config, factor, samples, escapeBits)) return 0;
  return samples;
}

/** A frame of Apple Lossless that `bytes` begin with: its length in bytes and its samples; null where none is. */
export function readAlac(
  bytes: Buffer,
  config: AlacConfig,
): { length: number; samples: number; channels: number } | null {
  const bits = new BitReader(bytes);
  let samples = 0;
  let channels = 0;
  for (let element = 0; element <= config.channels; element++) {
    const tag = bits.take(3);
    if (tag === tags.end) {
      const isPadded = bits.align();
      return channels > 0 && isPadded && !bits.over ? { length: bits.position >> 3, samples, channels } : null;
    }
    const own = tag === tags.pair ? 2 : tag === tags.single || tag === tags.low ? 1 : 0;
    channels += own;
    if (own === 0 || channels > config.channels) return null;
    samples = skipElement(bits, config, own);
    if (samples === 0) return null;
  }
  return null;
}
