import { type AlacConfig, readAlac } from '../../../codecs/alac';
import { frameHead, obuHeadBytes, obuType, readAv1Sequence, readObu } from '../../../codecs/av1';
import { boxInside } from '../../../codecs/configuration';
import { box } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, visualEntry } from './entries';
import type { Template } from './template';
import { firstBytes, plain, type Unit, type UnitReader } from './units';

/** Units of one picture of AV1 at most: hidden frames, their tiles and metadata. */
const mostObus = 256;
/** Bytes of the shortest picture that is believed where nothing behind it speaks for it. */
const leastAlone = 200;
/** Bytes of the shortest that is believed where sound begins behind it. */
const leastShort = 16;
/** Bytes of a sequence header at most. */
const longestSequence = 64;

/** What follows a shown frame in its temporal unit: its further tiles, a repeated head, padding. */
const follows = new Set<number>([obuType.tiles, obuType.again, obuType.padding]);

/** The temporal unit at `at`, up to the last unit of its shown frame (AV1 specification, 7.5); null when none begins there. */
function temporalUnit(source: Source, at: number, end: number): Unit | null {
  let place = at;
  let isShown = false;
  let isKey = false;
  for (let count = 0; count < mostObus && place < end; count++) {
    const bytes = source.read(place, obuHeadBytes + 1);
    const obu = readObu(bytes);
    if (!obu || place + obu.body + obu.length > end || (isShown && !follows.has(obu.type))) break;
    if (!isShown && (obu.type === obuType.tiles || obu.type === obuType.padding) && place === at) return null;
    if (obu.type === obuType.frame || obu.type === obuType.frameHeader) {
      const head = frameHead(bytes[obu.body] ?? 0);
      if (obu.length === 0 || (obu.type === obuType.frame && head.isAgain)) return null;
      isShown = head.isShown;
      isKey ||= head.isKey && head.isShown;
    }
    place += obu.body + obu.length;
  }
  return isShown ? plain(place - at, isKey) : null;
}

/** Whether a stretch of the file holds these bytes. */
const holds = (source: Source, bytes: Buffer, from: number, to: number): boolean =>
  bytes.length > 0 && source.find(bytes, from, to) >= 0;

/** The sequence header that a sample description repeats, as a unit (av1C: AV1 in ISO base media, 2.3.3); empty where it has none. */
function sequenceOf(stsd: Buffer): Buffer {
  const units = boxInside(stsd, 'av1C')?.subarray(configHead) ?? Buffer.alloc(0);
  const obu = readObu(units);
  return obu?.type === obuType.sequence ? units.subarray(0, obu.body + obu.length) : Buffer.alloc(0);
}

/** First byte of a sequence header as files have it, with its size and no layers (AV1 specification, 5.3.2). */
export const sequenceHead = 0x0a;

/** Bytes of pictures that are looked through for it at most: a made file could ask for any number. */
const mostLooks = 1 << 29;

/** Bytes of av1C before the units. */
const configHead = 4;

/**
 * Pictures of AV1 as they lie in files (AV1 in ISO base media, 2.4): temporal units without their delimiter. Heads are so short that other data looks
 * like one; such a one is told by a sequence header inside, with which another picture begins.
 */
export function av1Frames({ stsd }: Pick<Template, 'stsd'>): UnitReader {
  const sequence = sequenceOf(stsd);
  let looks = mostLooks;
  const swallows = (source: Source, at: number, size: number) => {
    looks -= size;
    return looks > 0 && holds(source, sequence, at + 1, at + size);
  };
  return {
    way: 'whole',
    // Heads of sequence header, frame header, metadata and frame, which carry sizes and no layers.
    firstBytes: firstBytes(sequenceHead, 0x1a, 0x2a, 0x32),
    measure(source, at, end) {
      const unit = temporalUnit(source, at, end);
      return unit && !swallows(source, at, unit.size) ? unit : null;
    },
    isClean: (source, at, size) => {
      if (size >= leastAlone) return true;
      const head = readObu(source.read(at, obuHeadBytes));
      // A frame that only shows an earlier one is a head of one byte.
      return size >= leastShort || (head?.type === obuType.frameHeader && head.length === 1) ? 'short' : false;
    },
  };
}

/** A sample description made of the sequence header at `at` (av1C: AV1 in ISO base media, 2.3.3); null where there is none. */
function entryAt(source: Source, at: number): Buffer | null {
  const bytes = source.copy(at, longestSequence);
  const obu = readObu(bytes);
  if (obu?.type !== obuType.sequence || obu.length < 8 || obu.body + obu.length > bytes.length) return null;
  const told = readAv1Sequence(bytes.subarray(obu.body, obu.body + obu.length));
  if (!told) return null;
  const { profile, level, tier, colour, width, height } = told;
  const head = Buffer.from([0x81, (profile << 5) | level, (tier << 7) | colour, 0]);
  const config = box('av1C', head, bytes.subarray(0, obu.body + obu.length));
  return visualEntry('av01', width, height, config);
}

/** How far the beginning of the data is searched, in bytes. */
const searched = 8 << 20;

/** Picture of AV1 by the key frame at `at`, whose sequence header describes it; null for anything else. */
function pictureAt(source: Source, at: number, to: number): Template | null {
  const entry = entryAt(source, at);
  const unit = entry && temporalUnit(source, at, to);
  return entry && unit?.key && unit.size >= leastAlone ? madeTemplate('vide', entry, 30000, 0) : null;
}

/** Picture of a stream of AV1, told by the first key frame in it; null where there is none. */
export function pictureOfAv1(source: Source, spans: readonly Span[]): Template | null {
  const mark = Buffer.from([sequenceHead]);
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let at = source.find(mark, from, end); at >= 0; at = source.find(mark, at + 1, end)) {
      const found = pictureAt(source, at, to);
      if (found) return found;
    }
  }
  return null;
}

/** The same of frames whose places are known. */
export function pictureOfAv1Frames(source: Source, frames: readonly Span[]): Template | null {
  for (const { from, to } of frames) {
    const found = pictureAt(source, from, to);
    if (found) return found;
  }
  return null;
}

/** Bytes of a frame of Apple Lossless at most: eight channels of 32 bits, uncompressed, would be twice that. */
export const alacMost = 65536;

/** Frames of Apple Lossless: each is read to its end. */
export function alacFrames(config: AlacConfig): UnitReader {
  const pair = config.channels === 2;
  return {
    way: 'whole',
    // Tag of the element and instance 0, and the first bit of twelve that are zero.
    firstBytes: config.channels <= 2 ? firstBytes(pair ? 0x20 : 0) : null,
    measure(source, at, end) {
      const head = source.read(at, 4);
      if (head.length < 4 || (head.readUInt16BE(0) & 0x1fff) !== 0 || (head[2] ?? 0) >> 5 !== 0) return null;
      const frame = readAlac(source.copy(at, Math.min(end - at, alacMost)), config);
      return frame && frame.channels === config.channels ? plain(frame.length) : null;
    },
  };
}

/** ALACSpecificConfig in a sample description: in a box of its own behind version and flags, which QuickTime puts into `wave`. */
export function alacSetup(stsd: Buffer): Buffer | null {
  const at = stsd.lastIndexOf('alac', stsd.length, 'latin1');
  return at > codecAt ? stsd.subarray(at + 8) : null;
}

/** Where the codec of the first sample entry stands in its description (ISO/IEC 14496-12, 8.5.2). */
const codecAt = 20;

/** How Apple Lossless is set up where nothing says so: frames of 4,096 samples and Rice parameters as in Apple's encoder and in ffmpeg. */
export const usualAlac = (rate: number): AlacConfig[] =>
  [2, 1].flatMap((channels) =>
    [16, 24].map((bits) => ({
      frameLength: 4096,
      bits,
      historyMult: 40,
      initialHistory: 10,
      limit: 14,
      channels,
      rate,
    })),
  );
