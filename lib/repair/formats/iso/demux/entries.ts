import { frequencies } from '../../../codecs/aac/tables';
import type { AlacConfig } from '../../../codecs/alac';
import { type AvcSps, readAvcPps, readAvcSps } from '../../../codecs/avc/sets';
import { type HevcSps, readHevcPps, readHevcSps } from '../../../codecs/hevc/sets';
import { box, words } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Template } from './template';

const byte = (...values: number[]) => Buffer.from(values);
const short = (value: number) => byte((value >> 8) & 255, value & 255);
const counted = (set: Buffer) => Buffer.concat([short(set.length), set]);

/** A sample description with one visual sample entry (ISO/IEC 14496-12, 12.1.3); width and height in pixels. */
export function visualEntry(codec: string, width: number, height: number, config: Buffer): Buffer {
  const entry = Buffer.alloc(78);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(width, 24);
  entry.writeUInt16BE(height, 26);
  entry.writeUInt32BE(0x00480000, 28);
  entry.writeUInt32BE(0x00480000, 32);
  entry.writeUInt16BE(1, 40);
  entry.writeUInt16BE(24, 74);
  entry.writeInt16BE(-1, 76);
  return box('stsd', words(0, 1), box(codec, entry, config));
}

/** A sample description with one audio sample entry (12.2.3); `rate` in hertz. */
export function soundEntry(codec: string, channels: number, rate: number, config: Buffer): Buffer {
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(channels, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt32BE((rate & 0xffff) * 65536, 24);
  return box('stsd', words(0, 1), box(codec, entry, config));
}

/** What QuickTime puts behind a sound whose codec does not say that its bytes are in the other order. */
const littleEndian = () => box('wave', box('frma', Buffer.from('in24')), box('enda', Buffer.from([0, 1])), words(8, 0));

/** PCM of 16 or 24 bits, whose codec tells the order of its bytes. */
export function pcmEntry({ bits, channels, rate, isBig }: Pcm): Buffer {
  const isWide = bits > 16;
  const config = isWide && !isBig ? littleEndian() : Buffer.alloc(0);
  const entry = soundEntry(isWide ? 'in24' : isBig ? 'twos' : 'sowt', channels, rate, config);
  entry.writeUInt16BE(bits, 42);
  return entry;
}

/** `rate` in hertz; `isBig` where the upper byte of a value comes first. */
export type Pcm = { bits: number; channels: number; rate: number; isBig: boolean };

/** Object types below this one are pictures' (ISO/IEC 14496-1, table 5), and what the byte behind the type says of either stream. */
const soundObjects = 0x40;
const streamTypes = { picture: 0x11, sound: 0x15 } as const;

/** An esds box (ISO/IEC 14496-14, 5.6) for an object type and its decoder's configuration. */
export function esds(object: number, config: Buffer): Buffer {
  const tagged = (tag: number, content: Buffer) => Buffer.concat([byte(tag, content.length), content]);
  const special = config.length > 0 ? tagged(5, config) : Buffer.alloc(0);
  const stream = object < soundObjects ? streamTypes.picture : streamTypes.sound;
  const decoder = tagged(4, Buffer.concat([byte(object, stream), Buffer.alloc(11), special]));
  return box('esds', words(0), tagged(3, Buffer.concat([short(1), byte(0), decoder, tagged(6, byte(2))])));
}

/** AAC-LC by the index of its frequency and its channels (AudioSpecificConfig, ISO/IEC 14496-3, 1.6.2.1). */
export function aacEntry(frequency: number, channels: number): Buffer {
  const layout = channels === 8 ? 7 : channels;
  return soundEntry(
    'mp4a',
    channels,
    frequencies[frequency] ?? 48000,
    esds(0x40, short((2 << 11) | (frequency << 7) | (layout << 3))),
  );
}

/** Opus (Opus in ISO base media, 4.3.2): 312 samples are not heard, as libopus has it at 48 kHz. */
export function opusEntry(channels: number): Buffer {
  const setup = Buffer.from([0, channels, 0x01, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0]);
  return soundEntry('Opus', channels, 48000, box('dOps', setup));
}

/** Apple Lossless by ALACSpecificConfig, behind version and flags in a box of its own. */
export function alacEntry({
  frameLength,
  bits,
  historyMult,
  initialHistory,
  limit,
  channels,
  rate,
}: AlacConfig): Buffer {
  const config = Buffer.alloc(24);
  config.writeUInt32BE(frameLength, 0);
  config.set([0, bits, historyMult, initialHistory, limit, channels, 0, 255], 4);
  config.writeUInt32BE(rate, 20);
  return soundEntry('alac', channels, rate, box('alac', words(0), config));
}

/** H.264 by its parameter sets (avcC, ISO/IEC 14496-15, 5.3.3.1). */
export function avcEntry(sps: Buffer, told: AvcSps, pps: Buffer): Buffer {
  const config = box(
    'avcC',
    byte(1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1),
    counted(sps),
    byte(1),
    counted(pps),
  );
  return visualEntry('avc1', told.width, told.height, config);
}

/** HEVC by its parameter sets (hvcC, 8.3.3.1); `hev1`, since the sets lie in the stream too. */
export function hevcEntry(vps: Buffer, sps: Buffer, told: HevcSps, pps: Buffer): Buffer {
  const array = (type: number, set: Buffer) => Buffer.concat([byte(0x80 | type), short(1), counted(set)]);
  const config = box(
    'hvcC',
    byte(1),
    told.profile,
    byte(
      0xf0,
      0,
      0xfc,
      0xfc | told.chroma_format_idc,
      0xf8 | (told.depthLuma - 8),
      0xf8 | (told.depthChroma - 8),
      0,
      0,
      0x0f,
      3,
    ),
    array(32, vps),
    array(33, sps),
    array(34, pps),
  );
  return visualEntry('hev1', told.width, told.height, config);
}

/** A template for a description made here. */
export function madeTemplate(kind: string, stsd: Buffer, timescale: number, step: number): Template {
  return {
    origin: 'stream',
    kind,
    codec: stsd.toString('latin1', 20, 24),
    stsd,
    timescale,
    step,
    raw: new Map(),
    durations: null,
    compositions: null,
    block: 0,
    packets: null,
    heads: [],
    largest: 0,
  };
}

/** How far raw data is looked through for parameter sets, in bytes; chosen on the bench. */
const searched = 64 << 20;

/** The unit with a length of four bytes in front at `at`, when it is short and of the wanted type. */
function unitAt(source: Source, at: number, isType: (head: number) => boolean): Buffer | null {
  const length = source.word(at);
  if (length < 4 || length > 1024 || !isType(source.read(at + 4, 1)[0] ?? 0)) return null;
  return source.copy(at + 4, length);
}

/** The next place behind `at` where a length of four bytes may begin with two that are zero; what is empty is skipped. */
function nextLength(source: Source, at: number, zeros: Buffer, end: number): number {
  if (source.word(at) !== 0) return source.find(zeros, at + 1, end);
  const behind = source.findNonZero(at + 4, end);
  return behind < 0 ? -1 : source.find(zeros, behind - 3, end);
}

/** Picture of a stream that carries its parameter sets itself, from the first of them on; null when there are none. */
export function pictureInStream(source: Source, from: number, to: number): Template | null {
  const zeros = Buffer.from([0, 0]);
  const end = Math.min(to, from + searched);
  const hevcType = (type: number) => (head: number) => head >> 1 === type;
  for (let at = source.find(zeros, from, end); at >= 0; at = nextLength(source, at, zeros, end)) {
    const sps = unitAt(source, at, (head) => (head & 0x9f) === 7 && head > 31);
    if (sps) {
      const told = readAvcSps(sps);
      const pps = told ? unitAt(source, at + 4 + sps.length, (head) => (head & 0x9f) === 8 && head > 31) : null;
      if (told && pps && readAvcPps(pps)) {
        const rate = told.rate ?? { units: 1000, scale: 30000 };
        return {
          ...madeTemplate('vide', avcEntry(sps, told, pps), rate.scale, rate.units),
          step: told.rate ? rate.units : 0,
        };
      }
    }
    const vps = unitAt(source, at, hevcType(32));
    const second = vps ? unitAt(source, at + 4 + vps.length, hevcType(33)) : null;
    const told = second ? readHevcSps(second) : null;
    if (!vps || !second || !told) continue;
    const pps = unitAt(source, at + 8 + vps.length + second.length, hevcType(34));
    if (pps && readHevcPps(pps)) return madeTemplate('vide', hevcEntry(vps, second, told, pps), 30000, 0);
  }
  return null;
}

/** How far configurations are searched, in bytes. */
const configured = 4 << 20;

/** The unit behind a length of two bytes, as configurations hold them, when it is of the wanted type. */
function setAt(source: Source, at: number, isType: (head: number) => boolean): Buffer | null {
  const length = source.read(at, 2);
  const size = length.length === 2 ? length.readUInt16BE(0) : 0;
  return size >= 4 && size <= 1024 && isType(source.read(at + 2, 1)[0] ?? 0) ? source.copy(at + 2, size) : null;
}

/**
 * Picture by a configuration of H.264 or HEVC that lies in the file without the head that named it: what avcC (ISO/IEC 14496-15,
 * 5.3.3.1) and hvcC (8.3.3.1) hold, told by the parameter sets in it. Null when there is none.
 */
export function pictureInSetup(source: Source, from: number, to: number): Template | null {
  const end = Math.min(to, from + configured);
  // One SPS with a length of two bytes, whose upper one is zero, then one PPS.
  const one = Buffer.from([0xe1, 0]);
  for (let at = source.find(one, from, end); at >= 0; at = source.find(one, at + 1, end)) {
    const sps = setAt(source, at + 1, (head) => (head & 0x9f) === 7 && head > 31);
    const told = sps ? readAvcSps(sps) : null;
    const count = sps ? source.read(at + 3 + sps.length, 1)[0] : 0;
    const pps = sps && told && count === 1 ? setAt(source, at + 4 + sps.length, (head) => (head & 0x9f) === 8) : null;
    if (sps && told && pps && readAvcPps(pps))
      return madeTemplate('vide', avcEntry(sps, told, pps), told.rate?.scale ?? 30000, told.rate?.units ?? 1000);
  }
  // An array of one VPS of the only layer, then those of SPS and PPS; the first bit says whether more may come in the stream.
  const array = (at: number, type: number) =>
    ((source.read(at, 1)[0] ?? 0) & 0x7f) === type && source.read(at + 1, 2).equals(short(1))
      ? setAt(source, at + 3, (head) => head >> 1 === type)
      : null;
  const first = Buffer.from([0x40, 0x01]);
  for (let hit = source.find(first, from + 5, end); hit >= 0; hit = source.find(first, hit + 1, end)) {
    const vps = array(hit - 5, 32);
    const sps = vps ? array(hit + vps.length, 33) : null;
    const told = sps ? readHevcSps(sps) : null;
    const pps = vps && sps && told ? array(hit + vps.length + 5 + sps.length, 34) : null;
    if (vps && sps && told && pps && readHevcPps(pps))
      return madeTemplate('vide', hevcEntry(vps, sps, told, pps), 30000, 0);
  }
  return null;
}
