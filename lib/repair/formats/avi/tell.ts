import { readAvcSps } from '../../codecs/avc/sets';
import { BitReader } from '../../codecs/bits';
import { readHevcSps } from '../../codecs/hevc/sets';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Chunk, Movi } from './chunks';

/**
 * Codec by its code of four letters, size in pixels, bits of a pixel, and frames a second where the stream itself says. `prefix` is what has to stand
 * before the first picture that stands alone, since it is lost.
 */
export type Picture = {
  code: string;
  width: number;
  height: number;
  bits: number;
  rate: number | null;
  prefix: Buffer | null;
};

/** A sound format (WAVEFORMATEX): tag, channels, hertz, bytes a second, bytes and bits of a sample of all channels, and what stands behind them. */
export type Sound = {
  tag: number;
  channels: number;
  rate: number;
  bytesPerSecond: number;
  block: number;
  bits: number;
  extra: Buffer | null;
};

/** Chunks that are looked at whole for what tells a picture, all that are looked at, and bytes of each of the others. */
const looked = { whole: 50, all: 5000, bytes: 1024 };
const wholeBytes = 65536;

const told = (code: string, width: number, height: number, rate: number | null = null): Picture => ({
  ...{ code, width, height, rate },
  bits: 24,
  prefix: null,
});

const startCode = Buffer.from([0, 0, 1]);

/** The pictures of a stream that hold something. */
export const picturesOf = (movi: Movi, stream: string): Chunk[] =>
  movi.chunks.filter(({ id, length }) => id.startsWith(stream) && /d[cb]$/.test(id) && length > 4);

/** Codec and size of the pictures of a stream, by how a frame begins; null when it cannot be told. What tells it may stand before one frame of many. */
export function tellPicture(source: Source, movi: Movi, stream: string): Picture | null {
  for (const [index, chunk] of picturesOf(movi, stream).slice(0, looked.all).entries()) {
    const most = index < looked.whole ? wholeBytes : looked.bytes;
    const bytes = source.copy(chunk.offset + 8, Math.min(chunk.length, most));
    const picture = tellers.map((tell) => tell(bytes, chunk)).find((one) => one !== null);
    if (picture) return picture;
  }
  return null;
}

/** Motion JPEG: the size is in the frame header (ISO/IEC 10918-1, B.2.2). */
function tellJpeg(bytes: Buffer): Picture | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return told('MJPG', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
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
  return told('FMP4', width, height, rateOf(resolution, step));
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

/** Heads of units with which a picture that has parameter sets begins: a set, a message or a delimiter (ISO/IEC 14496-10, table 7-1). */
const beginsAvc = [7, 6, 9];

/** H.264 with start codes (ITU-T H.264, annex B). */
function tellAvc(bytes: Buffer): Picture | null {
  const first = bytes.indexOf(startCode);
  if (first < 0 || first > 1 || !beginsAvc.includes((bytes[first + 3] ?? 0) & 0x9f)) return null;
  for (let at = first; at >= 0 && at + 8 < bytes.length; at = bytes.indexOf(startCode, at + 3)) {
    if (((bytes[at + 3] ?? 0) & 0x9f) !== 7) continue;
    const end = bytes.indexOf(startCode, at + 4);
    const sps = readAvcSps(bytes.subarray(at + 3, end < 0 ? at + 260 : end));
    if (sps) return told('H264', sps.width, sps.height, sps.rate && sps.rate.scale / sps.rate.units);
  }
  return null;
}

/** HEVC with start codes (ITU-T H.265, annex B). */
function tellHevc(bytes: Buffer): Picture | null {
  for (let at = bytes.indexOf(startCode); at >= 0 && at + 8 < bytes.length; at = bytes.indexOf(startCode, at + 3)) {
    if (bytes.readUInt16BE(at + 3) !== hevcSequence) continue;
    const end = bytes.indexOf(startCode, at + 4);
    const sps = readHevcSps(bytes.subarray(at + 3, end < 0 ? at + 260 : end));
    if (sps) return told('HEVC', sps.width, sps.height);
  }
  return null;
}

/** The head of a sequence parameter set of the only layer (7.3.1.2). */
const hevcSequence = 0x4201;

/** Frames a second by frame_rate_code (ISO/IEC 13818-2, table 6-4). */
const mpegRates = [0, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];

/** Bytes from the sequence header to the end of its extension, at most: two matrices lie between them. */
const sequenceBytes = 160;

/** MPEG-1 and MPEG-2: the sequence header (ISO/IEC 13818-2, 6.2.2.1), behind which MPEG-2 has an extension. */
function tellMpeg2(bytes: Buffer): Picture | null {
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== 0x1b3) return null;
  const rate = mpegRates[(bytes[7] ?? 0) & 15];
  const [width, height] = [bytes.readUInt16BE(4) >> 4, bytes.readUInt16BE(5) & 0xfff];
  if (!rate || width < 16 || height < 16) return null;
  const extension = bytes.subarray(0, sequenceBytes).indexOf(Buffer.from([0, 0, 1, 0xb5]));
  if (extension < 0 || extension + 10 > bytes.length) return told('mpg1', width, height, rate);
  // frame_rate_extension_n and _d (6.3.5).
  const factor = bytes[extension + 9] ?? 0;
  return told('mpg2', width, height, (rate * (((factor >> 5) & 3) + 1)) / ((factor & 31) + 1));
}

/** DV (IEC 61834-2): the header section of a frame, and how many bytes frames of both systems have. */
const dvBegin = 0x1f07;
const dvFrames = [
  { bytes: 120_000, height: 480, rate: 30000 / 1001 },
  { bytes: 144_000, height: 576, rate: 25 },
];

function tellDv(bytes: Buffer, { length }: Chunk): Picture | null {
  const system = dvFrames.find((one) => one.bytes === length);
  return system && bytes.readUInt16BE(0) === dvBegin ? told('dvsd', 720, system.height, system.rate) : null;
}

/** Bytes of a PNG up to the end of IHDR. */
const pngBytes = 33;

/** PNG in AVI: the size is in IHDR (RFC 2083, 4.1.1). */
function tellPng(bytes: Buffer): Picture | null {
  if (bytes.length < pngBytes || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.readUInt32BE(12) !== 0x49484452)
    return null;
  return told('MPNG', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** VP8: a key frame has its start code and size behind its tag (RFC 6386, 9.1). */
function tellVp8(bytes: Buffer): Picture | null {
  if (bytes.length < 10 || ((bytes[0] ?? 1) & 1) !== 0 || bytes.readUIntBE(3, 3) !== 0x9d012a) return null;
  return told('VP80', bytes.readUInt16LE(6) & 0x3fff, bytes.readUInt16LE(8) & 0x3fff);
}

const tellers: readonly ((bytes: Buffer, chunk: Chunk) => Picture | null)[] = [
  ...[tellJpeg, tellMpeg4, tellAvc, tellHevc, tellMpeg2],
  ...[tellDv, tellPng, tellVp8],
];
