import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';

/** One KLV packet (SMPTE 336M, SMPTE 377-1): key as hexadecimal, offset of the key, of the value, and the end. */
export type Klv = {
  key: string;
  offset: number;
  body: number;
  end: number;
  /** The bytes of its value as it states them, where it ends elsewhere. */
  stated?: number;
  /** Bytes of its value that are left out when it is written. */
  without?: { at: number; drop: number };
};
export type Walk = { klvs: Klv[]; gaps: { offset: number; length: number }[] };

const prefix = Buffer.from('060e2b34', 'hex');

/** Places of the fields of a partition pack, and its bytes without the list of labels (377-1, 7.1, table 5). */
export const pack = {
  bytes: 80,
  this: 8,
  previous: 16,
  footer: 24,
  headerBytes: 32,
  indexBytes: 40,
  indexSid: 48,
  bodyOffset: 52,
  bodySid: 60,
};

/** Kind of partition by its key (377-1, 7.1): header, body, footer; null for other keys. */
export function partitionKind(key: string): 'header' | 'body' | 'footer' | null {
  if (!key.startsWith('060e2b34020501010d01020101')) return null;
  return ({ '02': 'header', '03': 'body', '04': 'footer' } as const)[key.slice(26, 28)] ?? null;
}

/** A set of header metadata (377-1, annex A). */
export const isMetadata = (key: string): boolean => key.startsWith('060e2b34025301010d01010101');
export const isIndex = (key: string): boolean => key.startsWith('060e2b34025301010d0102010110');
export const isRandomIndex = (key: string): boolean => key.startsWith('060e2b34020501010d0102010111');
/** Picture, sound and data in the generic container (SMPTE 379M): the last four bytes name kind and track. */
export const isEssence = (key: string): boolean => /^060e2b34010201..0d010301/.test(key);

/** Kind of an essence element and its track, by the last four bytes of the key (SMPTE 379M, 7.1). */
const kindOf = ({ key }: Klv) => Number.parseInt(key.slice(24, 26), 16);
export const isPicture = (klv: Klv): boolean => kindOf(klv) === 0x05 || kindOf(klv) === 0x15;
export const isSound = (klv: Klv): boolean => kindOf(klv) === 0x06 || kindOf(klv) === 0x16;

/** Bytes that may come before the first partition, the run-in (377-1, 6.5). */
const longestRunIn = 65536;

/** Bytes of a key, and of the longest head of a packet: a key, how many bytes its length takes, and those. */
export const keyBytes = 16;
export const longestHead = 25;

/** The length of a packet by its head (SMPTE 336M: one byte, or how many follow), and the bytes of that head; null where none can be read. */
function lengthIn(head: Buffer): { length: number; bytes: number } | null {
  const first = head[keyBytes] ?? 0x80;
  const count = first & 0x80 ? first & 0x7f : 0;
  const bytes = keyBytes + 1 + count;
  if (first === 0x80 || count > 8 || head.length < bytes) return null;
  let length = count === 0 ? first : 0;
  for (let at = keyBytes + 1; at < bytes; at++) length = length * 256 + (head[at] ?? 0);
  return { length, bytes };
}

/** Key and length of a packet by its first bytes; null where none begins so. */
export const headOf = (head: Buffer): { length: number; bytes: number } | null =>
  head.subarray(0, prefix.length).equals(prefix) ? lengthIn(head) : null;

function klvAt(source: Source, offset: number): Klv | null {
  const head = source.read(offset, longestHead);
  const stated = headOf(head);
  if (!stated) return null;
  const body = offset + stated.bytes;
  return { key: head.toString('hex', 0, keyBytes), offset, body, end: body + stated.length };
}

/** Walks all packets of the file, going on after damage at the next key that is followed by another one. */
export async function walkKlv(source: Source, tell: (offset: number) => Promise<void>): Promise<Walk> {
  const walk: Walk = { klvs: [], gaps: [] };
  let at = source.find(prefix, 0, longestRunIn);
  if (at < 0 || !partitionKind(klvAt(source, at)?.key ?? '')) at = 0;
  while (at < source.size) {
    await tell(at);
    const klv = followedAt(source, at);
    if (klv) {
      walk.klvs.push(klv);
      at = klv.end;
      continue;
    }
    const clip = clipAt(source, at, walk.klvs);
    if (clip) {
      walk.klvs.push(clip.klv);
      at = clip.next;
      continue;
    }
    const next = nextFollowed(source, at + 1);
    walk.gaps.push({ offset: at, length: next - at });
    at = next;
  }
  return walk;
}

/** The least share of what is left of the file that a packet takes which holds a whole track. */
const clipShare = 0.5;

/**
 * The packet of a whole track (a clip in one piece, SMPTE 379M) whose end is not where it says: cut off with the file, or moved by bytes that
 * were lost or added inside. It goes on to the next packet, or to the end of the file.
 */
function clipAt(source: Source, offset: number, before: readonly Klv[]): { klv: Klv; next: number } | null {
  const klv = klvAt(source, offset);
  if (!klv || !isEssence(klv.key) || before.some(({ key }) => key === klv.key)) return null;
  const stated = klv.end - klv.body;
  if (!(stated >= (source.size - offset) * clipShare) || klv.body >= source.size) return null;
  const next = nextFollowed(source, klv.body);
  const end = next < source.size ? next : endOfData(source, klv.body);
  return { klv: { ...klv, end, stated }, next };
}

/** Bytes that are looked at at once for where data ends. */
const blockBytes = 1 << 16;

/** Where data ends that goes on to the end of the file: before the zeroes that were written over the rest. */
function endOfData(source: Source, from: number): number {
  for (let end = source.size; end > from; end -= blockBytes) {
    const start = Math.max(from, end - blockBytes);
    const block = source.copy(start, end - start);
    const last = block.findLastIndex((byte) => byte !== 0);
    if (last >= 0) return start + last + 1;
  }
  return source.size;
}

/** The packet at an offset, if another one follows it or the file ends with it. */
function followedAt(source: Source, offset: number): Klv | null {
  const klv = klvAt(source, offset);
  return klv && klv.end > offset && (isEdge(source, klv.end) || isBeforeDamage(source, klv.end)) ? klv : null;
}

const isEdge = (source: Source, offset: number): boolean =>
  offset === source.size || source.read(offset, prefix.length).equals(prefix);

/** Whether a packet lies at an offset whose key is damaged: its length is written as lengths are, and leads to a key, or to the end. */
function isBeforeDamage(source: Source, offset: number): boolean {
  const stated = lengthIn(source.read(offset, longestHead));
  // A length of one byte is chance too often.
  if (!stated || stated.length === 0 || stated.bytes === keyBytes + 1) return false;
  const end = offset + stated.bytes + stated.length;
  return end <= source.size && isEdge(source, end);
}

/** Where the next such packet begins; the size of the file where there is none. */
function nextFollowed(source: Source, from: number): number {
  for (let next = source.find(prefix, from); next >= 0; next = source.find(prefix, next + 1))
    if (followedAt(source, next)) return next;
  return source.size;
}
