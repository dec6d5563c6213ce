import type { Frame } from '../../codecs/jpeg/frame';
import type { HuffmanSpec } from '../../codecs/jpeg/tables';
import { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/photo';
import { exifMark } from './exif';
import { startOfImage } from './marks';
import { hasWrongBit, isFrame, readFrame, readHuffman, readQuantisation } from './segments';
import { findMainScan, isScanHeader, pixelsBefore } from './structure';

/** Bytes of a table of quantisation with eight bits an element (ITU-T T.81, B.2.4.1). */
const quantisationTable = 65;

/** Bytes of the segments before the data of a picture with the standard tables and nothing else: SOI, JFIF, DQT, SOF, DHT and SOS. */
export const usualHead = 623;

/** The parts of a JPEG as found; segments are kept as bytes, `scanEnd` is where entropy-coded data stops. Offsets in bytes. */
export type JpegParts = {
  start: number;
  applications: Buffer[];
  quantisation: Map<number, Uint16Array>;
  huffman: Map<number, HuffmanSpec>;
  frame: Frame | null;
  restartInterval: number;
  scanHeader: Buffer | null;
  /** The marker of the first scan, and the data behind its header up to the end of the image, further scans included. */
  scanOffset: number;
  scanStart: number;
  scanEnd: number;
  hasEnd: boolean;
  scans: number;
  /** Whether the first of the data is lost, and how many bytes of it are overwritten with zeroes before `scanStart`; 0 where nothing tells. */
  isBeginLost: boolean;
  wiped: number;
  /** Whether a standard Huffman table had a wrong bit. */
  isTableMended: boolean;
  /** Whether tables of quantisation were read from a damaged segment, so that any of their values may be another one's. */
  areTablesDoubtful: boolean;
  /** Whether decoders show something of the file as it is. */
  isShown: boolean;
  /** Whether segments that tell of the picture, or what may have been some, are left out. */
  isDescriptionLost: boolean;
  /** Whether the number of lines stands behind the data alone. */
  areLinesBehind: boolean;
  problems: Damage[];
};

/** Bytes between segments that are more than what some program left there: those of a segment, of which the least says something. */
const leastDescription = 16;
/** Bytes of SOI and a JFIF segment without a preview (Rec. ITU-T T.871, 10.1), which tells no more than the resolution. */
const ownHead = 20;
/** The longest segment, and markers that are tried for the one behind Exif. */
const longestSegment = 0xffff;
const mostTried = 64;

function emptyParts(bytes: Buffer): JpegParts {
  return {
    start: 0,
    applications: [],
    quantisation: new Map(),
    huffman: new Map(),
    frame: null,
    restartInterval: 0,
    scanHeader: null,
    scanOffset: -1,
    scanStart: -1,
    scanEnd: bytes.length,
    hasEnd: false,
    scans: 0,
    isBeginLost: false,
    wiped: 0,
    isTableMended: false,
    areTablesDoubtful: false,
    isShown: false,
    isDescriptionLost: false,
    areLinesBehind: false,
    problems: [],
  };
}

/**
 * Finds the parts of a JPEG by their markers. The picture is the one with most data: a preview inside EXIF is stepped over even when the
 * length of its segment is lost. A segment whose length is wrong is stepped over to the next marker that makes sense.
 */
export function readJpegParts(bytes: Buffer): JpegParts {
  const parts = emptyParts(bytes);
  const main = findMainScan(bytes);
  const limit = main ? main.offset : bytes.length;
  findStart(bytes, limit, parts);
  let at = parts.start;
  let unread = 0;
  if (bytes[at] === 0xff && bytes[at + 1] === 0xd8) at += 2;
  while (at + 4 <= limit) {
    if (bytes[at] !== 0xff || !isHeaderMarker(bytes[at + 1] ?? 0)) {
      const next = nextMarker(bytes, at, limit);
      if (next > at || next < 0) parts.problems.push({ kind: 'header', how: 'between', offset: at });
      if (next > at) unread += next - Math.max(at, ownHead);
      if (next < 0) break;
      at = next;
    }
    const marker = bytes[at + 1] ?? 0;
    // Another picture ends or begins here: what was read so far was a preview's.
    if (marker === 0xd8 || marker === 0xd9 || marker === 0xda) {
      forget(parts);
      at += 2;
      continue;
    }
    at = readOne(bytes, at, limit, parts);
  }
  if (!main) return parts;
  parts.scanOffset = main.offset;
  parts.scanHeader = bytes.subarray(main.offset + 2, main.offset + 2 + bytes.readUInt16BE(main.offset + 2));
  parts.scanStart = main.offset + 2 + parts.scanHeader.length;
  parts.scanEnd = main.end;
  parts.hasEnd = main.hasEnd;
  parts.scans = main.scans;
  takeLines(bytes, parts);
  assignTables(parts);
  parts.isDescriptionLost ||= unread >= leastDescription && isComplete(parts);
  return parts;
}

/** DNL, which tells the number of lines behind the first scan where the frame does not (ISO/IEC 10918-1, B.2.5): marker, length, and bytes in all. */
const linesMark = Buffer.from([0xff, 0xdc, 0, 4]);
const linesBytes = 6;

/** Takes the number of lines from behind the only scan, where the frame has none: many decoders do not look there. What stands there is no picture data. */
function takeLines(bytes: Buffer, parts: JpegParts): void {
  const at = parts.scanEnd - linesBytes;
  const isThere = parts.hasEnd && parts.scans === 1 && at > parts.scanStart;
  if (!isThere || !bytes.subarray(at, at + linesMark.length).equals(linesMark)) return;
  parts.scanEnd = at;
  const height = bytes.readUInt16BE(at + linesMark.length);
  const { frame } = parts;
  if (!frame || frame.height > 0 || height === 0) return;
  parts.frame = { ...frame, height };
  parts.areLinesBehind = true;
}

/** Whether a head has its tables and its frame: where some are missing, these may be all that was there. */
const isComplete = ({ frame, quantisation, huffman }: JpegParts): boolean =>
  frame?.components.every((component) => quantisation.has(component.quantisation)) === true && huffman.size > 0;

/** Whether the components of a sequential picture stand in scans of their own. Where the first has all of them, the mark of another is damage (B.2.3). */
export const hasScansApart = ({ frame, scanHeader, scans }: JpegParts): boolean =>
  scans > 1 && scanHeader?.[2] !== frame?.components.length;

function findStart(bytes: Buffer, limit: number, parts: JpegParts): void {
  const start = bytes.subarray(0, limit).indexOf(startOfImage);
  if (start === 0) return;
  // The first beginning may be the preview's, behind a head that was lost; it lies deep in a segment or with a scan of its own before the photo's.
  const inner =
    start > 0 && !leadsTo(bytes, start, limit) && bytes.subarray(start + 2, limit).includes(Buffer.from([0xff, 0xd9]));
  if (start < 0 || inner) parts.problems.push({ kind: 'head', how: 'mark', offset: 0 });
  else {
    parts.start = start;
    parts.problems.push({ kind: 'head', how: 'before', bytes: start, offset: 0 });
  }
}

/** Whether whole segments lead from an SOI marker to `limit`. */
function leadsTo(bytes: Buffer, start: number, limit: number): boolean {
  let at = start + 2;
  while (at + 4 <= limit && bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xc0) at += 2 + bytes.readUInt16BE(at + 2);
  return at === limit;
}

function forget(parts: JpegParts): void {
  parts.quantisation.clear();
  parts.huffman.clear();
  parts.frame = null;
  parts.restartInterval = 0;
  parts.areTablesDoubtful = false;
}

/** Reads the segment at `at` and returns where the next one should begin. */
function readOne(bytes: Buffer, at: number, limit: number, parts: JpegParts): number {
  const marker = bytes[at + 1] ?? 0;
  const length = bytes.readUInt16BE(at + 2);
  const end = at + 2 + length;
  const behind = isApplication(marker) && !isMarkerAt(bytes, end, limit) ? endOfExif(bytes, at, limit) : -1;
  if (behind >= 0) {
    parts.problems.push({ kind: 'header', how: 'length', offset: at });
    readSegment(marker, bytes.subarray(at + 4, behind), at, parts, bytes.subarray(at, behind));
    return behind;
  }
  if (length < 2 || end > limit) {
    if (isApplication(marker)) parts.isDescriptionLost = true;
    parts.problems.push({ kind: 'header', how: 'length', offset: at });
    return at + 2;
  }
  const body = bytes.subarray(at + 4, end);
  if (isMarkerAt(bytes, end, limit)) {
    if (!readSegment(marker, body, at, parts, bytes.subarray(at, end))) tellDamaged(parts, marker, at);
    return end;
  }
  // Sent in text mode, a segment lost the carriage returns before its line feeds and is that much shorter.
  for (let missing = 1; missing <= 4; missing++) {
    const shorter = bytes.subarray(at + 4, end - missing);
    if (!isMarkerAt(bytes, end - missing, limit) || !shorter.includes(10)) continue;
    const mended = withReturns(shorter, missing);
    const head = bytes.subarray(at, at + 4);
    readSegment(marker, mended, at, parts, Buffer.concat([head, mended]));
    parts.problems.push({ kind: 'header', how: 'returns', offset: at });
    return end - missing;
  }
  if (isApplication(marker)) {
    // What it tells is there where it begins as it should and the head goes on behind what follows it.
    const isKept = isExif(bytes, at) && goesOnBehind(bytes, end, limit);
    if (isKept && readSegment(marker, body, at, parts, bytes.subarray(at, end))) return end;
    parts.isDescriptionLost = true;
  }
  tellDamaged(parts, marker, at);
  // Tables and frame carry their own measure; what follows them tells whether they can be read all the same.
  if (marker < 0xe0) readSegment(marker, body, at, parts, bytes.subarray(at, end));
  const next = nextMarker(bytes, at + 2, limit);
  return next < 0 ? end : next;
}

const isExif = (bytes: Buffer, at: number): boolean =>
  bytes.subarray(at + 4, at + 4 + exifMark.length).equals(exifMark);

/** Whether the rest of the head, with the frame, begins at the next marker behind a place. */
function goesOnBehind(bytes: Buffer, end: number, limit: number): boolean {
  const next = nextMarker(bytes, end, limit);
  return next >= 0 && leadsTo(bytes, next - 2, limit) && pixelsBefore(bytes, next, limit) > 0;
}

/** Where a segment with Exif of a wrong length ends: the first place from which the head goes on, as those of its preview do not; -1 where its length may be right. */
function endOfExif(bytes: Buffer, at: number, limit: number): number {
  const noted = at + 2 + bytes.readUInt16BE(at + 2);
  if (!isExif(bytes, at) || (noted <= limit && goesOnBehind(bytes, noted, limit))) return -1;
  let tries = 0;
  for (let next = nextMarker(bytes, at + 4, limit); next >= 0 && tries < mostTried; tries++) {
    if (next - at - 2 > longestSegment) return -1;
    if (leadsTo(bytes, next - 2, limit) && pixelsBefore(bytes, next, limit) > 0) return next;
    next = nextMarker(bytes, next + 2, limit);
  }
  return -1;
}

function tellDamaged(parts: JpegParts, marker: number, offset: number): void {
  parts.problems.push({ kind: 'header', how: 'damaged', offset });
  if (marker === 0xdb) parts.areTablesDoubtful = true;
}

/** Segments of application data, and comments (B.2.4.6, B.2.4.5). */
const isApplication = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

function isMarkerAt(bytes: Buffer, at: number, limit: number): boolean {
  return at === limit || (bytes[at] === 0xff && (isHeaderMarker(bytes[at + 1] ?? 0) || bytes[at + 1] === 0xff));
}

function withReturns(body: Buffer, missing: number): Buffer {
  const result: number[] = [];
  let left = missing;
  for (const byte of body) {
    if (byte === 10 && left > 0) {
      result.push(13);
      left--;
    }
    result.push(byte);
  }
  return Buffer.from(result);
}

function isHeaderMarker(marker: number): boolean {
  return (
    marker === 0xc4 ||
    marker === 0xcc ||
    (marker >= 0xd8 && marker <= 0xde) ||
    marker === 0xfe ||
    (marker >= 0xe0 && marker <= 0xef) ||
    isFrame(marker)
  );
}

/** The next place where a marker stands with a segment that it can have; -1 without one. */
function nextMarker(bytes: Buffer, from: number, limit: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 4 <= limit; at = bytes.indexOf(0xff, at + 1))
    if (isSegmentAt(bytes, at, limit)) return at;
  return -1;
}

/** The longest DHT segment that holds no more tables than there can be (ISO/IEC 10918-1, B.2.4.2), and the shortest. */
const huffmanLength = { least: 20, most: 1100 };

/** The longest DAC segment, which tells of arithmetic coding: two bytes for each of four tables of two classes (B.2.4.3). */
const longestConditioning = 18;

/** Whether what follows a marker can be its segment. */
export function isSegmentAt(bytes: Buffer, at: number, limit: number): boolean {
  const marker = bytes[at + 1] ?? 0;
  const length = bytes.readUInt16BE(at + 2);
  const first = bytes[at + 4] ?? 255;
  switch (marker) {
    case 0xd8:
    case 0xd9:
      return bytes[at + 2] === 0xff;
    case 0xda:
      return isScanHeader(bytes, at);
    case 0xdb:
      return (length - 2) % quantisationTable === 0 && length > 2 && first < 4;
    case 0xc4:
      return length >= huffmanLength.least && (first & 0xec) === 0 && length < huffmanLength.most;
    case 0xcc:
      return length > 2 && length <= longestConditioning && length % 2 === 0;
    case 0xdd:
      return length === 4;
  }
  if (isFrame(marker)) return length === 8 + 3 * (bytes[at + 9] ?? 0) && first === 8;
  return isApplication(marker) && length > 4 && isMarkerAt(bytes, at + 2 + length, limit);
}

function readSegment(marker: number, body: Buffer, offset: number, parts: JpegParts, whole: Buffer): boolean {
  if (marker === 0xdb) return readQuantisation(body, parts.quantisation);
  if (marker === 0xc4) {
    if (hasWrongBit(body)) parts.isTableMended = true;
    return readHuffman(body, parts.huffman);
  }
  if (marker === 0xdd) {
    if (body.length < 2) return false;
    parts.restartInterval = body.readUInt16BE(0);
    return true;
  }
  if (isFrame(marker)) {
    const frame = readFrame(marker, body, offset);
    // The first frame counts; a second one is chance, in a picture of one frame (B.2.1).
    parts.frame ??= frame;
    return frame !== null;
  }
  if (isApplication(marker)) {
    const copy = Buffer.from(whole);
    copy.writeUInt16BE(copy.length - 2, 2);
    parts.applications.push(copy);
  }
  return true;
}

/** Tells the frame's components which tables the first scan gives them (B.2.3). */
function assignTables(parts: JpegParts): void {
  const header = parts.scanHeader;
  if (!header) return;
  for (let index = 0; index < (header[2] ?? 0); index++) {
    const component = parts.frame?.components.find((candidate) => candidate.id === header[3 + index * 2]);
    const tables = header[4 + index * 2] ?? 0;
    if (!component || tables >> 4 > 3 || (tables & 15) > 3) continue;
    component.dc = tables >> 4;
    component.ac = tables & 15;
  }
}
