import { frequencies } from '../../codec/aac-tables';
import { type AvcSps, readAvcPps, readAvcSps } from '../../codec/avc';
import { type HevcSps, readHevcPps, readHevcSps } from '../../codec/hevc';
import type { Source } from '../../source';
import { box, words } from '../boxes';
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

/** An esds box (ISO/IEC 14496-14, 5.6) for an object type and its decoder's configuration. */
export function esds(object: number, config: Buffer): Buffer {
  const tagged = (tag: number, content: Buffer) => Buffer.concat([byte(tag, content.length), content]);
  const special = config.length > 0 ? tagged(5, config) : Buffer.alloc(0);
  const decoder = tagged(4, Buffer.concat([byte(object, 0x15), Buffer.alloc(11), special]));
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
    byte(0xf0, 0, 0xfc, 0xfc | told.chroma, 0xf8 | (told.depthLuma - 8), 0xf8 | (told.depthChroma - 8), 0, 0, 0x0f, 3),
    array(32, vps),
    array(33, sps),
    array(34, pps),
  );
  return visualEntry('hev1', told.width, told.height, config);
}

/** A template for a description made here. */
export function madeTemplate(kind: string, stsd: Buffer, timescale: number, step: number): Template {
  return {
    origin: 'the video itself',
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

const searched = 64 << 20;

/** The unit with a length of four bytes in front at `at`, when it is short and of the wanted type. */
function unitAt(source: Source, at: number, isType: (head: number) => boolean): Buffer | null {
  const length = source.word(at);
  if (length < 4 || length > 1024 || !isType(source.read(at + 4, 1)[0] ?? 0)) return null;
  return source.copy(at + 4, length);
}

/** Picture of a stream that carries its parameter sets itself, from the first of them on; null when there are none. */
export function pictureInStream(source: Source, from: number, to: number): Template | null {
  const zeros = Buffer.from([0, 0]);
  const end = Math.min(to, from + searched);
  const hevcType = (type: number) => (head: number) => head >> 1 === type;
  for (let at = source.find(zeros, from, end); at >= 0; at = source.find(zeros, at + 1, end)) {
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
