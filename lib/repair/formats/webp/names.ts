import type { Buffer } from '../../host/bytes';
import { pictureAt } from './bitstream';
import { frameHeadBytes, headBytes, isPicture, isTypeAt, padded, typeAt } from './chunks';
import { isReadToItsEnd } from './lossless';

/** What chunks beside the picture begin with: EXIF is TIFF, with or without its mark in JPEG, XMP a packet or its root; and the signature of a colour profile (ICC.1, 7.2), by its place. */
const beginnings: readonly (readonly [begin: string, type: string])[] = [
  ['II*\0', 'EXIF'],
  ['MM\0*', 'EXIF'],
  ['Exif\0\0', 'EXIF'],
  ['<?xpacket', 'XMP '],
  ['<x:xmpmeta', 'XMP '],
];
const profile = { signature: 'acsp', at: 36 };
/** Bytes of `VP8X` and `ANIM` (RFC 9649, 2.7.1 and 2.7.1.1), and what tells of alpha values beside a lossy picture in the first. */
const extendedBytes = 10;
const animationBytes = 6;
const alphaFlag = 0x10;

/** What stands before a chunk on the same level: in the file, or in one of its frames. */
type Before = {
  /** Whether it is anything at all, a picture, alpha values, and whether it is only what extended files begin with. */
  isAny: boolean;
  isPicture: boolean;
  isAlpha: boolean;
  isBeginning: boolean;
  /** Where the extended header stands. */
  extended: number | null;
};
/** A chunk without a known name whose length leads on. */
type Unnamed = { at: number; start: number; end: number; next: number; before: Before; isInFrame: boolean };

/**
 * Gives chunks from a place to another one, and those of frames among them, their names back where their length leads to the next one or to the end,
 * by what they hold and where they stand. Writes down the places in `places`.
 */
export function setNames(bytes: Buffer, from: number, until: number, places: number[], isInFrame = false): void {
  const before: Before = { isAny: false, isPicture: false, isAlpha: false, isBeginning: true, extended: null };
  for (let at = from; at + headBytes <= until; ) {
    const start = at + headBytes;
    const end = start + bytes.readUInt32LE(at + 4);
    const next = start + padded(end - start);
    if (end > until || !(isNamedOrEnd(bytes, next, until) || isUnnamed(bytes, next, until))) break;
    const name = isTypeAt(bytes, at) ? null : nameOf(bytes, { at, start, end, next, before, isInFrame });
    if (name) {
      bytes.write(name, at, 'latin1');
      places.push(at);
    }
    const type = typeAt(bytes, at);
    before.isAny = true;
    before.isPicture ||= isPicture({ type });
    before.isAlpha ||= type === 'ALPH';
    before.isBeginning &&= type === 'VP8X' || type === 'ICCP';
    if (type === 'VP8X') before.extended ??= start;
    if (type === 'ANMF' && !isInFrame) setNames(bytes, start + frameHeadBytes, end, places, true);
    at = next;
  }
}

const isNamedOrEnd = (bytes: Buffer, at: number, until: number): boolean => at >= until || isTypeAt(bytes, at);

/** Whether a chunk without a known name begins at a place, whose length leads on. */
function isUnnamed(bytes: Buffer, at: number, until: number): boolean {
  if (at + headBytes > until) return false;
  const length = bytes.readUInt32LE(at + 4);
  return at + headBytes + length <= until && isNamedOrEnd(bytes, at + headBytes + padded(length), until);
}

/** The name that a chunk must have; null where nothing tells. */
function nameOf(bytes: Buffer, chunk: Unnamed): string | null {
  const { start, end, before } = chunk;
  const data = bytes.subarray(start, end);
  const begin = before.isPicture ? null : pictureAt(data, 0);
  if (begin && (begin.type === 'VP8 ' || isReadToItsEnd(data))) return begin.type;
  if (isAlpha(bytes, chunk)) return 'ALPH';
  if (chunk.isInFrame) return null;
  return structureOf(bytes, chunk) ?? descriptionOf(data);
}

/** Alpha values stand in front of a lossy picture (2.7.1.2), in a frame or where the extended header tells of them. */
function isAlpha(bytes: Buffer, { next, before, isInFrame }: Unnamed): boolean {
  const { extended } = before;
  const isTold = isInFrame || (extended !== null && ((bytes[extended] ?? 0) & alphaFlag) !== 0);
  return isTold && typeAt(bytes, next) === 'VP8 ' && !before.isAlpha;
}

/** What stands at the beginning of extended files and animations, by length and place. */
function structureOf(bytes: Buffer, { start, end, next, before }: Unnamed): string | null {
  const length = end - start;
  if (!before.isAny) return length === extendedBytes && isTypeAt(bytes, next) ? 'VP8X' : null;
  if (before.isBeginning && length === animationBytes && typeAt(bytes, next) === 'ANMF') return 'ANIM';
  const inner = typeAt(bytes, start + frameHeadBytes);
  return length > frameHeadBytes + headBytes && (inner === 'ALPH' || isPicture({ type: inner })) ? 'ANMF' : null;
}

/** Colour profiles, EXIF and XMP, by how they begin. */
function descriptionOf(data: Buffer): string | null {
  const begins = (text: string, at: number) => data.toString('latin1', at, at + text.length) === text;
  if (begins(profile.signature, profile.at)) return 'ICCP';
  return beginnings.find(([text]) => begins(text, 0))?.[1] ?? null;
}
