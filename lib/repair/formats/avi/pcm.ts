import type { Buffer } from '../../host/bytes';
import { adpcmWays } from './adpcm';
import { tags } from './soundcodes';
import type { Sound } from './tell';

/** How sound without frames may lie in bytes; `bytesPerSample` are those of all channels, and `excess` is how much less smooth than the smoothest way it is. */
export type Way = Pick<Sound, 'tag' | 'bits' | 'channels' | 'block' | 'extra'> & {
  bytesPerSample: number;
  excess: number;
};

const pcmRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];

/** PCM of 8 and 16 bits, one and two channels, in the way in which neighbouring samples differ least, and ADPCM; the rate from the length in seconds. */
export function tellPcm(bytes: Buffer, lengths: readonly number[], total: number, seconds: number): Sound | null {
  if (seconds <= 0) return null;
  let best: { sound: Sound; misfit: number } | null = null;
  for (const { excess, bytesPerSample, ...way } of waysOf(bytes, lengths)) {
    for (const rate of pcmRates) {
      const misfit = Math.abs(Math.log(total / (seconds * rate * bytesPerSample))) + excess;
      if (!best || misfit < best.misfit)
        best = { sound: { ...way, rate, bytesPerSecond: Math.round(rate * bytesPerSample) }, misfit };
    }
  }
  return best && best.misfit < mostMisfit ? best.sound : null;
}

/** PCM or ADPCM of which a stream header tells the bytes of a block and how many of them there are a second. */
export function pcmOfHead(bytes: Buffer, lengths: readonly number[], blocks: number, block: number): Sound | null {
  const ways = waysOf(bytes, lengths).filter((way) => way.block === block);
  const best = ways.toSorted((one, other) => one.excess - other.excess)[0];
  if (!best) return null;
  const { excess: _, bytesPerSample, ...way } = best;
  const measured = Math.round((blocks * block) / bytesPerSample);
  const rate = pcmRates.find((one) => Math.abs(one - measured) <= one * blockRounding) ?? measured;
  return { ...way, rate, bytesPerSecond: Math.round(rate * bytesPerSample) };
}

/** How far a rate may be from a usual one that was told by blocks a second, which are whole numbers. */
const blockRounding = 0.04;

/** Logarithm of how far the lengths of picture and sound may be apart. */
const mostMisfit = 0.7;

/** How PCM may lie in bytes, by how smooth it is then. */
function waysOf(bytes: Buffer, lengths: readonly number[]): Way[] {
  const packed = adpcmWays(bytes, lengths);
  if (packed.length > 0) return packed;
  const isWide = isOfTwoBytes(bytes);
  const ways = [
    { bits: 16, channels: 2 },
    { bits: 16, channels: 1 },
    { bits: 8, channels: 2 },
    { bits: 8, channels: 1 },
  ]
    .filter(({ bits, channels }) => (bits === 16 || !isWide) && (channels === 2 || !isDoubled(bytes, bits / 8)))
    .map((way) => ({ ...way, rough: roughness(bytes, way.bits, way.channels) }));
  const smooth = Math.min(...ways.map(({ rough }) => rough));
  return ways
    .filter(({ rough }) => rough <= smooth * 1.5 + 0.001)
    .map(({ bits, channels, rough }) => {
      const block = (bits / 8) * channels;
      const excess = rough / Math.max(smooth, 1e-6) - 1;
      return { tag: tags.pcm, bits, channels, block, bytesPerSample: block, extra: null, excess };
    });
}

/** How far picture and sound may be apart in length, and what counts against rates of both that are seldom; chosen on the bench. */
const mostApart = 0.02;
const seldom = { pcm: 0.01, frames: 0.005 };
/** Rates of both by how usual they are together in AVI. */
const usualPcm = [44100, 48000, 22050, 11025, 32000, 8000, 16000];
const usualFrames = [25, 30, 30000 / 1001, 24, 24000 / 1001, 15, 20, 12, 10, 50, 60];

/** Frames a second with which PCM of a usual rate is as long as so many pictures: the most usual pair of the two; null where there is none. */
export function rateByPcm(bytes: Buffer, lengths: readonly number[], total: number, frames: number): number | null {
  let best: { rate: number; misfit: number } | null = null;
  for (const { bytesPerSample, excess } of waysOf(bytes, lengths))
    for (const [pcm, hertz] of usualPcm.entries())
      for (const [order, rate] of usualFrames.entries()) {
        const apart = Math.abs(Math.log((frames * hertz * bytesPerSample) / (total * rate)));
        const misfit = apart + excess + pcm * seldom.pcm + order * seldom.frames;
        if (apart <= mostApart && (!best || misfit < best.misfit)) best = { rate, misfit };
      }
  return best?.rate ?? null;
}

/** Mean distance of a byte from the middle beyond which it is no sample of 8 bits, whose silence lies there, but the upper byte of one of 16. */
const farFromMiddle = 64;

/** Whether every other byte is the upper one of a value with a sign, which is near 0 or 255 unless it is loud. */
function isOfTwoBytes(bytes: Buffer): boolean {
  let sum = 0;
  for (let at = 1; at < bytes.length; at += 2) sum += Math.abs((bytes[at] ?? 0) - 128);
  return sum > farFromMiddle * (bytes.length >> 1);
}

/** Share of pairs of samples that are the same from which on they are one sound in two channels, and below which those between them differ. */
const mostDoubled = 0.9;

/** Whether each sample of so many bytes stands there twice, as where both channels hold the same; two channels would pass for one that is smoother. */
function isDoubled(bytes: Buffer, width: number): boolean {
  const samples = Math.floor(bytes.length / width);
  const counts = [0, 0];
  for (let index = 0; index + 1 < samples; index++) {
    const at = index * width;
    if (bytes.compare(bytes, at + width, at + 2 * width, at, at + width) === 0)
      counts[index & 1] = (counts[index & 1] ?? 0) + 1;
  }
  const [within = 0, between = 0] = counts.map((count) => (count * 2) / samples);
  return within >= mostDoubled && between < mostDoubled;
}

/** Mean difference of neighbouring samples of a channel, as a share of the range that the sound uses. */
function roughness(bytes: Buffer, bits: number, channels: number): number {
  const wide = bits === 16;
  const step = (bits / 8) * channels;
  const value = (at: number) => (wide ? bytes.readInt16LE(at) : ((bytes[at] ?? 128) - 128) * 256);
  let sum = 0;
  let level = 0;
  let count = 0;
  for (let at = 0; at + step * 2 <= bytes.length; at += step) {
    sum += Math.abs(value(at + step) - value(at));
    level += Math.abs(value(at));
    count++;
  }
  return count === 0 || level === 0 ? 0 : sum / level;
}
