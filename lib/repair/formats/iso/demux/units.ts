import { dnxHeadBytes, readDnxHead } from '../../../codecs/dnx';
import type { NalHead, NalReader } from '../../../codecs/nal';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';

/** A sample found in raw media data: its bytes, whether a decoder can start here, and for reordered pictures their place in time. */
export type Unit = { size: number; key: boolean; head: NalHead | null; sets: Buffer[] };

/** Finds samples of one track in raw media data. */
export type UnitReader = {
  /** `whole` samples tell their own length, `bounded` ones end where the next begins, `filler` is what lies between the others. */
  readonly way: 'whole' | 'bounded' | 'filler';
  /** The sample at `at`, which ends at `end` at the latest; null when none begins there. For bounded samples the size is only the least. */
  measure(source: Source, at: number, end: number): Unit | null;
  /** Whether the bytes inside a sample are such as its codec allows, where that can be told without a decoder; 'short' where they are too few to tell, so that sound must begin behind them. */
  isClean?(source: Source, at: number, size: number): boolean | 'short';
  /** The values that the first byte of a sample can have, to pass over the rest quickly; null when any. */
  readonly firstBytes: Uint8Array | null;
};

const noSets: Buffer[] = [];

/** A sample that only has a size. */
export function plain(size: number, key = true): Unit {
  return { size, key, head: null, sets: noSets };
}

/** A mask of allowed first bytes. */
export function firstBytes(...values: number[]): Uint8Array {
  const mask = new Uint8Array(256);
  for (const value of values) mask[value] = 1;
  return mask;
}

/** Longest unit before the slices that may be a parameter set, in bytes. */
const longestSet = 1024;

/** Whether a unit belongs to a frame whose first slice, if it was seen, is `first`. */
function belongs(head: NalHead, first: NalHead | null): boolean {
  if (!head.slice) return head.before === (first === null);
  return first ? !head.first && head.mark === first.mark : head.first;
}

/**
 * Frames of H.264 or HEVC as chains of NAL units with lengths of four bytes (ISO/IEC 14496-15, 4.3.2). A frame ends where the next
 * begins, or where no unit can be. `most` bounds one unit, in bytes.
 */
export class NalFrames implements UnitReader {
  readonly way = 'whole';
  readonly firstBytes: Uint8Array;
  readonly nal: NalReader;
  readonly #most: number;

  constructor(nal: NalReader, most: number) {
    this.nal = nal;
    this.#most = most;
    this.firstBytes = firstBytes(...Array.from({ length: Math.min(256, (most >>> 24) + 1) }, (_, index) => index));
  }

  measure(source: Source, at: number, end: number): Unit | null {
    let place = at;
    let first: NalHead | null = null;
    let key = false;
    let sets = noSets;
    for (let unit = this.#unitAt(source, place, end); unit; unit = this.#unitAt(source, place, end)) {
      const { head, length } = unit;
      if (!belongs(head, first)) break;
      if (head.slice) {
        first ??= head;
        key = key || head.key;
      } else if (head.before && length < longestSet) sets = [...sets, source.copy(place + 4, length)];
      place += 4 + length;
    }
    return first ? { size: place - at, key, head: first, sets } : null;
  }

  /** The unit behind a length at a place; null where no encoder writes such. */
  #unitAt(source: Source, place: number, end: number): { head: NalHead; length: number } | null {
    if (place + 6 >= end) return null;
    const bytes = source.read(place, 4 + this.nal.needs);
    const length = bytes.length >= 6 ? bytes.readUInt32BE(0) : 0;
    if (length < 2 || length > this.#most || place + 4 + length > end) return null;
    const head = this.nal.head(bytes.subarray(4, Math.min(bytes.length, 4 + length)), length);
    return head && { head, length };
  }

  isClean(source: Source, at: number, size: number): boolean {
    for (let place = at; place + 4 < at + size; ) {
      const length = source.word(place);
      if (length < 2 || !isEscaped(source, place + 4, place + 4 + length)) return false;
      place += 4 + length;
    }
    return true;
  }
}

/** Whether no three bytes from 00 00 00 to 00 00 02 lie in [from, to), which emulation prevention keeps out of units (14496-10, 7.4.1). */
function isEscaped(source: Source, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const window = source.read(at, Math.min(1 << 16, to - at));
    for (let zero = window.indexOf(zeros); zero >= 0; zero = window.indexOf(zeros, zero + 1))
      if (zero + 2 < window.length && (window[zero + 2] ?? 3) < 3) return false;
    if (window.length < 3) break;
    at += window.length < to - at ? window.length - 2 : window.length;
  }
  return true;
}

const zeros = Buffer.from([0, 0]);
/** Largest picture of Motion JPEG, in bytes. */
const jpegMost = 64 << 20;

/** JPEG pictures from SOI to EOI (ISO/IEC 10918-1, B.2.1): segments tell their lengths, and in a scan FF D9 is the end. */
export const jpegFrames: UnitReader = {
  way: 'whole',
  firstBytes: firstBytes(0xff),
  measure(source, at, end) {
    const start = source.read(at, 3);
    if (start.length < 3 || start.readUIntBE(0, 3) !== 0xffd8ff) return null;
    let place = at + 2;
    for (let segment = 0; segment < 64; segment++) {
      const head = source.read(place, 4);
      if (head.length < 4 || head[0] !== 0xff) return null;
      const marker = head[1] ?? 0;
      const length = head.readUInt16BE(2);
      if (marker < 0xc0 || marker === 0xd8 || marker === 0xd9 || length < 2) return null;
      place += 2 + length;
      if (marker !== 0xda) continue;
      const stop = Math.min(end, at + jpegMost);
      const eoi = source.find(Buffer.from([0xff, 0xd9]), place, stop);
      return eoi >= 0 && eoi + 2 <= end ? plain(eoi + 2 - at) : null;
    }
    return null;
  },
};

/** ProRes frames: a size in bytes and `icpf` (SMPTE RDD 36, 5.1). */
export const proresFrames: UnitReader = {
  way: 'whole',
  firstBytes: null,
  measure(source, at, end) {
    const head = source.read(at, 8);
    if (head.length < 8 || head.toString('latin1', 4, 8) !== 'icpf') return null;
    const size = head.readUInt32BE(0);
    return size > 16 && at + size <= end ? plain(size) : null;
  },
};

/** Frames of DNxHD and DNxHR, whose heads name how many bytes they have (SMPTE ST 2019-1, 7.2). */
export const dnxFrames: UnitReader = {
  way: 'whole',
  firstBytes: firstBytes(0),
  measure(source, at, end) {
    const head = readDnxHead(source.read(at, dnxHeadBytes));
    return head && at + head.length <= end ? plain(head.length) : null;
  },
};

/**
 * Start codes that may come before a picture of MPEG-4 Part 2 (ISO/IEC 14496-2, table 6-3), and how many bytes of each come before the next:
 * object, layer, sequence, user data, group of pictures, visual object. 0 for other codes.
 */
function mostBehind(code: number): number {
  if (code < 0x20) return 4;
  if (code < 0x30) return 64;
  return ({ 176: 5, 178: 1024, 179: 8, 181: 16 } as const)[code] ?? 0;
}

/** vop_start_code, and start codes before it at most. */
const planeCode = 0xb6;
const mostCodes = 12;

/** Pictures of MPEG-4 Part 2: headers and one video object plane, which begins with 00 00 01 B6 (ISO/IEC 14496-2, 6.2). */
export const mpeg4Frames: UnitReader = {
  way: 'bounded',
  firstBytes: firstBytes(0),
  measure(source, at, end) {
    let place = at;
    for (let count = 0; count < mostCodes; count++) {
      const head = source.read(place, 5);
      if (head.length < 5 || head.readUIntBE(0, 3) !== 1) return null;
      const code = head[3] ?? 0;
      if (code === planeCode) return plain(place + 5 - at, (head[4] ?? 0) >> 6 === 0);
      const most = mostBehind(code);
      if (most === 0) return null;
      place = source.find(planeStart, place + 4, Math.min(end, place + most + 3));
      if (place < 0) return null;
    }
    return null;
  },
};
const planeStart = Buffer.from([0, 0, 1]);

/** Pictures of H.263: a start code of 22 bits, and a source format that exists (ITU-T H.263, 5.1). */
export const h263Frames: UnitReader = {
  way: 'bounded',
  firstBytes: firstBytes(0),
  measure(source, at) {
    const head = source.read(at, 5);
    if (head.length < 5 || head[0] !== 0 || head[1] !== 0 || ((head[2] ?? 0) & 0xfc) !== 0x80) return null;
    const type = head[3] ?? 0;
    const format = ((head[4] ?? 0) >> 2) & 7;
    // The first two bits of the type are 1 and 0.
    if ((type & 3) !== 2 || format === 0 || format === 6) return null;
    return plain(5, (((head[4] ?? 0) >> 1) & 1) === 0);
  },
};

/** GoPro's telemetry: nested items of key, type, size and count, under DEVC (GoPro Metadata Format). */
export const telemetry: UnitReader = {
  way: 'whole',
  firstBytes: firstBytes(0x44),
  measure(source, at, end) {
    let place = at;
    while (place + 8 <= end) {
      const head = source.read(place, 8);
      if (head.length < 8 || head.toString('latin1', 0, 4) !== 'DEVC' || head[4] !== 0) break;
      const size = ((head[5] ?? 0) * head.readUInt16BE(6) + 3) & ~3;
      if (place + 8 + size > end) break;
      place += 8 + size;
    }
    return place > at ? plain(place - at) : null;
  },
};
