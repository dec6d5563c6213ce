import { Buffer } from '../../host/bytes';
import { endOfImage, startOfImage } from './marks';
import { isFrame } from './segments';

/** The scans of one picture in a file: where the first begins, and where its data ends. Offsets in bytes. */
export type ScanGroup = { offset: number; end: number; hasEnd: boolean; scans: number };

/** Whether an SOS marker at `at` has a header that can be (ISO/IEC 10918-1, B.2.3). */
export function isScanHeader(bytes: Buffer, at: number): boolean {
  const count = bytes[at + 4] ?? 0;
  if (count < 1 || count > 4 || at + 8 + 2 * count > bytes.length) return false;
  if (bytes.readUInt16BE(at + 2) !== 6 + 2 * count) return false;
  for (let index = 0; index < count; index++) {
    const tables = bytes[at + 6 + index * 2] ?? 255;
    if (tables >> 4 > 3 || (tables & 15) > 3) return false;
  }
  const [from, to] = [bytes[at + 5 + 2 * count] ?? 64, bytes[at + 6 + 2 * count] ?? 64];
  return from <= to && to < 64;
}

/** Follows whole segments from the beginning of the file to the scan header behind them (-1 without one), and to the last marker on the way. */
function firstScan(bytes: Buffer): { scan: number; last: number } {
  let last = 0;
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return { scan: -1, last };
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xc0; ) {
    if (bytes[at + 1] === 0xda) return { scan: isScanHeader(bytes, at) ? at : -1, last };
    last = at;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return { scan: -1, last };
}

/** How many times as much data a later scan must have to be the photo's rather than an earlier one. */
const clearlyLarger = 1.25;
/** The share of the data of a smaller picture that a larger one must have at least: what has less is the rest of another file. */
const leastOfLarger = 0.5;

/**
 * The picture of a file: the one that its segments lead to, and where they are broken, of all groups of scans the one with most data,
 * as previews are smaller, or the one around another; of two alike the first. Null when there is no scan header at all.
 */
export function findMainScan(bytes: Buffer): ScanGroup | null {
  const mark = Buffer.from([0xff, 0xda]);
  const { scan, last: from } = firstScan(bytes);
  if (scan >= 0) return groupAt(bytes, scan);
  let best: ScanGroup | null = null;
  let last: ScanGroup | null = null;
  let most = 0;
  let pixels = 0;
  let before = 0;
  // A scan inside of a segment that was stepped over is a preview's.
  for (let at = bytes.indexOf(mark, from); at >= 0; ) {
    if (!isScanHeader(bytes, at)) {
      at = bytes.indexOf(mark, at + 2);
      continue;
    }
    const group = groupAt(bytes, at);
    const size = group.end - group.offset;
    const own = pixelsBefore(bytes, before, at);
    // Where both have a frame, that tells which is the preview; small ones may have nearly as much data. Of small photos it may be as large.
    if (last && own > 0 && isAround(bytes, last, at)) return group;
    last = group;
    if (own > 0 && pixels > 0 ? own > pixels && size > most * leastOfLarger : size > most * clearlyLarger) {
      best = group;
      most = size;
      pixels = own;
    }
    before = group.end;
    at = bytes.indexOf(mark, Math.max(group.end, at + 2));
  }
  return best;
}

/**
 * Whether the picture of a scan is the one around another, its preview, that ended before: its head then began in front of that one, and no picture
 * begins between the two, as one that stands behind another does.
 */
const isAround = (bytes: Buffer, { end, hasEnd }: ScanGroup, scan: number): boolean =>
  hasEnd && bytes.subarray(end, scan).indexOf(startOfImage) < 0;

/** Follows the data from one scan header to the end of its image: EOI, the beginning of another image, or the end of the file. */
function groupAt(bytes: Buffer, offset: number): ScanGroup {
  let scans = 1;
  let candidate = -1;
  let ends = 0;
  const start = offset + 2 + bytes.readUInt16BE(offset + 2);
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0xda && isScanHeader(bytes, at)) scans++;
    // Another picture's beginning; in damaged data it is chance unless an end came before it or a segment follows.
    if (next === 0xd8 && bytes[at + 2] === 0xff && isSegmentMarker(bytes[at + 3] ?? 0))
      return { offset, end: candidate >= 0 ? candidate : at, hasEnd: candidate >= 0, scans };
    // A frame behind an end belongs to the next picture, whatever became of the marks between them, and so does one that leads to a scan of its own.
    if (isFrameHeader(bytes, at) && (candidate >= 0 || leadsToScan(bytes, at)))
      return { offset, end: candidate >= 0 ? candidate : at, hasEnd: candidate >= 0, scans };
    if (next !== 0xd9) continue;
    candidate = at;
    if (isEnd(bytes, at + 2, ends++)) break;
  }
  return { offset, end: candidate >= 0 ? candidate : bytes.length, hasEnd: candidate >= 0, scans };
}

/** A frame header that can be (B.2.2): of eight-bit samples, with as many bytes as its components need. */
function isFrameHeader(bytes: Buffer, at: number): boolean {
  if (!isFrame(bytes[at + 1] ?? 0) || at + 10 > bytes.length) return false;
  const count = bytes[at + 9] ?? 0;
  return count >= 1 && count <= 4 && bytes.readUInt16BE(at + 2) === 8 + 3 * count && bytes[at + 4] === 8;
}

/** Whether whole segments lead from one to a scan header. */
function leadsToScan(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && isSegmentMarker(bytes[at + 1] ?? 0, from === at))
    at += 2 + bytes.readUInt16BE(at + 2);
  return bytes[at] === 0xff && bytes[at + 1] === 0xda && isScanHeader(bytes, at);
}

/** The pixels that the last frame header between two places tells (B.2.2); 0 without one. */
export function pixelsBefore(bytes: Buffer, from: number, to: number): number {
  for (let at = bytes.lastIndexOf(0xff, to - 1); at >= from; at = at > 0 ? bytes.lastIndexOf(0xff, at - 1) : -1)
    if (isFrameHeader(bytes, at)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
  return 0;
}

const isSegmentMarker = (marker: number, isFirst = false) =>
  isFirst || marker === 0xdb || marker === 0xc4 || marker === 0xdd || (marker >= 0xe0 && marker <= 0xef);

/** Marks of an end that may be chance: one in 64 kB of bytes of chance is. */
const mostChance = 32;

/** Whether a picture ends with the mark of an end before a place, so many of which were passed over. */
function isEnd(bytes: Buffer, behind: number, passed: number): boolean {
  if (bytes.subarray(behind, behind + 16).every((byte) => byte === 0)) return true;
  if (behind >= bytes.length || bytes[behind] === 0xff) return true;
  return looksFinished(bytes, behind) && (passed >= mostChance || !goesOn(bytes, behind));
}

/** Bytes before the last end that tell of packed data, the marks of them that must be stuffed, and their share. */
const packed = { bytes: 32_768, least: 24, share: 0.95 };

/**
 * Whether packed data goes on behind a mark of an end, up to another one and without the beginning of a picture between: then the mark is chance, in bytes
 * that were written over the data. In packed data FF is followed by 00 or a restart marker (B.1.1.5), in bytes of chance seldom.
 */
function goesOn(bytes: Buffer, from: number): boolean {
  const next = bytes.indexOf(startOfImage, from);
  const last = bytes.lastIndexOf(endOfImage, (next < 0 ? bytes.length : next) - 2);
  return last - packed.bytes > from && isPacked(bytes, last - packed.bytes, last);
}

function isPacked(bytes: Buffer, from: number, to: number): boolean {
  let [marks, stuffed] = [0, 0];
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < to; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    marks++;
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) stuffed++;
  }
  return stuffed >= packed.least && stuffed >= marks * packed.share;
}

/** Bytes after a real end are no entropy-coded data: there FF is nearly always followed by 00 (B.1.1.5). */
function looksFinished(bytes: Buffer, from: number): boolean {
  let stuffed = 0;
  let other = 0;
  const end = Math.min(bytes.length - 1, from + 65536);
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) stuffed++;
    else if (next === 0xd9 && end - at < 8) return false;
    else other++;
  }
  return other > stuffed;
}
