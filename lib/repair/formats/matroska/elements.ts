import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';

/**
 * An EBML element (RFC 8794): identifier with its marker, where its content begins, and where it ends; `unknown` for sizes left open; `isMoved`:
 * it ends before its size says, as another one begins there.
 */
export type Element = { id: number; offset: number; body: number; end: number; unknown: boolean; isMoved?: boolean };

/** Identifiers of elements, with the names of RFC 8794 and RFC 9559. */
export const ids = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeExtension: 0x4281,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  void: 0xec,
  crc: 0xbf,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  contentEncoding: 0x6240,
  contentEncodingScope: 0x5032,
  contentCompression: 0x5034,
  contentEncryption: 0x5035,
  contentCompAlgo: 0x4254,
  contentCompSettings: 0x4255,
  codecDelay: 0x56aa,
  seekPreRoll: 0x56bb,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  position: 0xa7,
  prevSize: 0xab,
  silentTracks: 0x5854,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  referenceBlock: 0xfb,
  encryptedBlock: 0xaf,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  attachments: 0x1941a469,
  chapters: 0x1043a770,
  tags: 0x1254c367,
} as const;
export const topLevel = new Set<number>([
  ids.seekHead,
  ids.info,
  ids.tracks,
  ids.cluster,
  ids.cues,
  ids.attachments,
  ids.chapters,
  ids.tags,
  ids.void,
  ids.crc,
]);
/** Children of a cluster (RFC 9559, 5.1.3). */
export const inCluster = new Set<number>([
  ids.timestamp,
  ids.simpleBlock,
  ids.blockGroup,
  ids.void,
  ids.crc,
  ids.prevSize,
  ids.position,
  ids.encryptedBlock,
  ids.silentTracks,
]);

/** Bytes of an identifier and a size at most (RFC 8794, 5 and 6). */
export const elementHead = 12;

/** The element whose first bytes are `head`, or null when no identifier and size can be read in them (RFC 8794, 4 to 6). `offset` is its place in data of `size` bytes. */
export function readElement(head: Buffer, offset: number, size: number): Element | null {
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (idLength > 4 || head.length <= idLength) return null;
  const first = head[idLength] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (first === 0 || sizeLength > 8 || head.length < idLength + sizeLength) return null;
  let length = first & ((1 << (8 - sizeLength)) - 1);
  let open = length === (1 << (8 - sizeLength)) - 1;
  for (let index = 1; index < sizeLength; index++) {
    const byte = head[idLength + index] ?? 0;
    length = length * 256 + byte;
    open = open && byte === 255;
  }
  const body = offset + idLength + sizeLength;
  return { id: head.readUIntBE(0, idLength), offset, body, end: open ? size : body + length, unknown: open };
}

/** The element at `offset`, or null where none can be read. */
export const elementAt = (source: Source, offset: number): Element | null =>
  readElement(source.read(offset, elementHead), offset, source.size);

/** How far the times of two blocks in a row lie apart at most: in nearly all files these are milliseconds, which is what TimestampScale of RFC 9559 says where it is left out. */
export const nearInTime = 4000;

/** Children of one element that are read at most: those of an index of a day of video are some ten thousand. */
const mostChildren = 1 << 18;

/** The elements that fill [from, to); null where one cannot be read, or ends behind them, or where there are too many. */
export function elementsIn(source: Source, from: number, to: number): Element[] | null {
  const found: Element[] = [];
  for (let at = from; at < to; ) {
    const next = elementAt(source, at);
    if (!next || next.end > to || found.length >= mostChildren) return null;
    found.push(next);
    at = next.end;
  }
  return found;
}

/** Children of a damaged parent that are kept at most. */
const mostKept = 4096;

/** Children of a damaged parent, and whether they fill it; see `childrenIn`. */
export type Children = { elements: Element[]; isWhole: boolean };

/**
 * The elements of known identifiers in [from, to), whether they fill it or not: where one cannot be read, or what follows it, reading goes on
 * at the next place from which on such elements lead to the end, and the one before ends there, if it is one that holds others.
 */
export function childrenIn(
  source: Source,
  from: number,
  to: number,
  known: ReadonlySet<number>,
  parents: ReadonlySet<number>,
): Children {
  const all = elementsIn(source, from, to);
  const unknown = all?.filter(({ id }) => !known.has(id)).length ?? 0;
  if (all && unknown === 0) return { elements: all, isWhole: true };
  const elements: Element[] = [];
  for (let at = from; at < to && elements.length < mostKept; ) {
    const next = elementAt(source, at);
    const isNext = next !== null && known.has(next.id) && next.end <= to;
    if (isNext && (next.end === to || known.has(elementAt(source, next.end)?.id ?? 0))) {
      elements.push(next);
      at = next.end;
      continue;
    }
    const open = next && parents.has(next.id) ? next : null;
    at = nextLeading(source, open ? open.body : at + 1, to, known);
    if (open) elements.push({ ...open, end: at });
  }
  // Elements of a newer standard fill their parent, and hold none of those that are known.
  if (all && all.length - unknown >= elements.length) return { elements: all, isWhole: true };
  return { elements, isWhole: false };
}

/** Bytes by which the end of a parent may be off, where some were lost or put in before it. */
const slack = 8;
/** Bytes of a damaged parent in which elements are looked for. */
const mostLooked = 1 << 17;

/** The first place from which on elements of known identifiers lead to `to`, or to just before it; `to` where there is none. */
function nextLeading(source: Source, from: number, to: number, known: ReadonlySet<number>): number {
  const failed = new Set<number>();
  for (let at = from; at < Math.min(to - 1, from + mostLooked); at++) {
    const passed: number[] = [];
    let end = at;
    while (!failed.has(end)) {
      const next = end < to ? elementAt(source, end) : null;
      if (!next || !known.has(next.id) || next.end > to) break;
      passed.push(end);
      end = next.end;
    }
    if (end > at && end >= to - slack) return at;
    // Where elements from one place on do not lead there, they do not from any of those before it either.
    for (const place of [...passed, end]) failed.add(place);
  }
  return to;
}

/** The unsigned number that an element holds, up to 2^53. */
export function numberIn(source: Source, element: Element): number {
  let value = 0;
  for (const byte of source.read(element.body, Math.min(8, element.end - element.body))) value = value * 256 + byte;
  return value;
}

/** A text, which a zero may end before its element does (RFC 8794, 13), as GStreamer writes it. */
export const textOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/\0.*$/s, '');

/** The floating-point number of an element (RFC 8794, 7.3); NaN for other sizes. */
export function floatOf(bytes: Buffer): number {
  if (bytes.length === 4) return bytes.readFloatBE(0);
  return bytes.length === 8 ? bytes.readDoubleBE(0) : Number.NaN;
}

/** An identifier as it is written. */
export const idBytes = (id: number): Buffer =>
  Buffer.from(id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, '0'), 'hex');

/** A size of eight bytes (RFC 8794, 4). */
export function sizeBytes(length: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return size;
}

/** An element of an identifier and content. */
export const element = (id: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.concat([idBytes(id), sizeBytes(parts.reduce((sum, part) => sum + part.length, 0)), ...parts]);

/** A number as eight bytes. */
export function eight(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
