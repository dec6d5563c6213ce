import { readAvcSps } from '../../codecs/avc/sets';
import { BitReader } from '../../codecs/bits';
import { readAc3, readMp3 } from '../../codecs/sound';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Chunk, Movi } from './chunks';

/** Codec by its code of four letters, size in pixels, and frames a second where the stream itself says. */
export type Picture = { code: string; width: number; height: number; rate: number | null };

/** A sound format (WAVEFORMATEX): tag, channels, hertz, bytes a second, bytes and bits of a sample of all channels. */
export type Sound = {
  tag: number;
  channels: number;
  rate: number;
  bytesPerSecond: number;
  block: number;
  bits: number;
};

const isPicture = ({ id, length }: Chunk, stream: string) => id.startsWith(stream) && /d[cb]$/.test(id) && length > 4;
const startCode = Buffer.from([0, 0, 1]);

/** Codec and size of the pictures of a stream, by how a frame begins; null when it cannot be told. */
export function tellPicture(source: Source, movi: Movi, stream: string): Picture | null {
  for (const chunk of movi.chunks.filter((one) => isPicture(one, stream)).slice(0, 50)) {
    const bytes = source.copy(chunk.offset + 8, Math.min(chunk.length, 65536));
    const told = tellJpeg(bytes) ?? tellMpeg4(bytes) ?? tellAvc(bytes);
    if (told) return told;
  }
  return null;
}

/** Motion JPEG: the size is in the frame header (ISO/IEC 10918-1, B.2.2). */
function tellJpeg(bytes: Buffer): Picture | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2)
      return { code: 'MJPG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), rate: null };
  }
  return null;
}

/** MPEG-4 Part 2: the video object layer (ISO/IEC 14496-2, 6.2.3) comes before the first picture that stands alone. */
function tellMpeg4(bytes: Buffer): Picture | null {
  for (let at = bytes.indexOf(startCode); at >= 0 && at + 20 < bytes.length; at = bytes.indexOf(startCode, at + 3)) {
    // video_object_layer_start_code
    if (((bytes[at + 3] ?? 0xff) & 0xf0) === 0x20) return readLayer(bytes.subarray(at + 4, at + 60));
  }
  return null;
}

/** Values of video_object_layer_shape (ISO/IEC 14496-2, table 6-14), and of aspect_ratio_info that is followed by a ratio. */
const [rectangular, grayscale] = [0, 3];
const extendedRatio = 15;
/** Bits of vbv_parameters (6.2.3). */
const vbvBits = 79;

/** A video object layer (6.2.3): size of the pictures, and frames a second where its clock tells them. */
function readLayer(bytes: Buffer): Picture | null {
  const bits = new BitReader(bytes);
  bits.skip(1 + 8);
  const shape = skipToShape(bits);
  bits.skip(1);
  const resolution = bits.take(16);
  bits.skip(1);
  const step = bits.bit() === 1 ? bits.take(Math.max(1, Math.ceil(Math.log2(Math.max(2, resolution))))) : 0;
  if (shape !== rectangular) return null;
  bits.skip(1);
  const width = bits.take(13);
  bits.skip(1);
  const height = bits.take(13);
  if (width < 16 || height < 16) return null;
  return { code: 'FMP4', width, height, rate: rateOf(resolution, step) };
}

/** video_object_layer_shape, and what lies before it and right behind it. */
function skipToShape(bits: BitReader): number {
  let version = 1;
  if (bits.bit() === 1) {
    version = bits.take(4);
    bits.skip(3);
  }
  if (bits.take(4) === extendedRatio) bits.skip(16);
  if (bits.bit() === 1) {
    bits.skip(3);
    if (bits.bit() === 1) bits.skip(vbvBits);
  }
  const shape = bits.take(2);
  if (shape === grayscale && version !== 1) bits.skip(4);
  return shape;
}

/** Ticks a second of a clock that may tick once a frame, and frames a second that there may be. */
const frameClock = { least: 5, most: 60 };
const mostRate = 240;

/** Frames a second by vop_time_increment_resolution and, where it is fixed, the increment of each; null where that can be none. */
function rateOf(resolution: number, step: number): number | null {
  // A clock that ticks as slowly as frames come ticks once a frame.
  const ticksPerFrame = step > 0 ? step : resolution >= frameClock.least && resolution <= frameClock.most ? 1 : 0;
  const rate = resolution / ticksPerFrame;
  return rate >= 1 && rate <= mostRate ? rate : null;
}

/** H.264 with start codes (ITU-T H.264, annex B). */
function tellAvc(bytes: Buffer): Picture | null {
  for (let at = bytes.indexOf(startCode); at >= 0 && at + 8 < bytes.length; at = bytes.indexOf(startCode, at + 3)) {
    if (((bytes[at + 3] ?? 0) & 0x9f) !== 7) continue;
    const end = bytes.indexOf(startCode, at + 4);
    const sps = readAvcSps(bytes.subarray(at + 3, end < 0 ? at + 260 : end));
    if (!sps) continue;
    return { code: 'H264', width: sps.width, height: sps.height, rate: sps.rate && sps.rate.scale / sps.rate.units };
  }
  return null;
}

/** The first of what chunks hold. */
const beginOf = (source: Source, chunks: readonly Chunk[]): Buffer =>
  Buffer.concat(chunks.slice(0, 40).map(({ offset, length }) => source.copy(offset + 8, Math.min(length, 8192))));

/** Format of a stream of sound: MP3 and AC-3 by their frames, otherwise PCM by how smooth it is. `seconds` is the length of the picture. */
export function tellSound(source: Source, movi: Movi, stream: string, seconds: number): Sound | null {
  const chunks = movi.chunks.filter(({ id, length }) => id === `${stream}wb` && length > 0);
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  const first = chunks[0];
  if (!first || total < 64) return null;
  const bytes = beginOf(source, chunks);
  const head = bytes.subarray(0, 8);
  const mp3 = readMp3(head);
  if (mp3 && readMp3(bytes.subarray(mp3.length, mp3.length + 8)))
    return compressed(0x55, mp3.channels, mp3.rate, Math.round((mp3.length * mp3.rate) / mp3.samples));
  const ac3 = readAc3(head);
  if (ac3) return compressed(0x2000, ac3.channels, ac3.rate, Math.round((ac3.length * ac3.rate) / ac3.samples));
  return tellPcm(bytes, total, seconds);
}

const compressed = (tag: number, channels: number, rate: number, bytesPerSecond: number): Sound => ({
  tag,
  channels,
  rate,
  bytesPerSecond,
  block: 1,
  bits: 0,
});

const pcmRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];

/** PCM: of 8 and 16 bits, one and two channels, the way in which neighbouring samples differ least; the rate from the length in seconds. */
function tellPcm(bytes: Buffer, total: number, seconds: number): Sound | null {
  if (seconds <= 0) return null;
  let best: { sound: Sound; misfit: number } | null = null;
  for (const { bits, channels, excess } of waysOf(bytes)) {
    const block = (bits / 8) * channels;
    for (const rate of pcmRates) {
      const misfit = Math.abs(Math.log(total / (seconds * rate * block))) + excess;
      if (!best || misfit < best.misfit)
        best = { sound: { tag: 1, channels, rate, bytesPerSecond: rate * block, block, bits }, misfit };
    }
  }
  return best && best.misfit < 0.7 ? best.sound : null;
}

/** How PCM may lie in bytes, by how smooth it is then; `excess` is how much less than the smoothest way. */
function waysOf(bytes: Buffer): { bits: number; channels: number; excess: number }[] {
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
    .map(({ bits, channels, rough }) => ({ bits, channels, excess: rough / Math.max(smooth, 1e-6) - 1 }));
}

/** How far picture and sound may be apart in length, and what counts against rates of both that are seldom; chosen on the bench. */
const mostApart = 0.02;
const seldom = { pcm: 0.01, frames: 0.005 };
/** Rates of both by how usual they are together in AVI. */
const usualPcm = [44100, 48000, 22050, 11025, 32000, 8000, 16000];
const usualFrames = [25, 30, 30000 / 1001, 24, 24000 / 1001, 15, 20, 12, 10, 50, 60];

/** Frames a second with which PCM of a usual rate is as long as so many pictures: the most usual pair of the two; null where there is none. */
export function rateByPcm(source: Source, movi: Movi, stream: string, frames: number): number | null {
  const chunks = movi.chunks.filter(({ id, length }) => id === `${stream}wb` && length > 0);
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  if (total < 64) return null;
  let best: { rate: number; misfit: number } | null = null;
  for (const { bits, channels, excess } of waysOf(beginOf(source, chunks)))
    for (const [pcm, hertz] of usualPcm.entries())
      for (const [order, rate] of usualFrames.entries()) {
        const apart = Math.abs(Math.log((frames * hertz * bits * channels) / (8 * total * rate)));
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
