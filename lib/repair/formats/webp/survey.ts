import { Buffer } from '../../host/bytes';
import { pictureAt } from './bitstream';
import { type Chunk, fileHeadBytes, headBytes, readChunks } from './chunks';

/** What stands in a file: its chunks, where the first one begins, and what is wrong with what leads to them. */
export type Survey = {
  chunks: Chunk[];
  /** Where the file begins, behind bytes that do not belong to it; -1 where its head is lost. */
  head: number;
  /** Whether the size of all is that of the file. */
  isSized: boolean;
  /** Lengths and types that are wrong. */
  faults: number;
  /** Bytes that were behind the end of the file, by the size of all. */
  missing: number;
};

/** Bytes that are looked through for a head, and for a picture where that is lost. */
const mostBefore = 1 << 16;
const mostHead = 64;

/** Surveys a WebP file (RFC 9649): its head wherever it is, and the chunks behind it. */
export function survey(bytes: Buffer): Survey {
  const name = bytes.subarray(0, mostBefore).indexOf('WEBP', 0, 'latin1');
  const head = name >= 8 && bytes.toString('latin1', name - 8, name - 4) === 'RIFF' ? name - 8 : -1;
  if (head < 0) return withoutHead(bytes);
  const first = head + fileHeadBytes;
  const whole = head + headBytes + bytes.readUInt32LE(head + 4);
  const isSized = whole === bytes.length;
  // What stands behind the end of all is none of it, if its chunks lead there.
  if (whole > first && whole < bytes.length) {
    const own = readChunks(bytes.subarray(0, whole), first, whole);
    if (own.faults === 0 && own.chunks.every(isWhole)) return { ...own, head, isSized, missing: 0 };
  }
  // Where the size of all says that more was there, the file is cut, and a length that goes there is right.
  const isCut = whole > bytes.length && whole - bytes.length < bytes.length * mostCut;
  const read = readChunks(bytes, first, isCut ? whole : bytes.length);
  return { ...read, head, isSized, missing: isCut ? whole - bytes.length : 0 };
}

/** How many times as long as what is there a file may have been. */
const mostCut = 9;

/** A file without a head: its first chunk by its type, or by how its picture begins, whichever comes first. */
function withoutHead(bytes: Buffer): Survey {
  const typed = readChunks(bytes, 0, bytes.length).chunks;
  const begun = firstPicture(bytes);
  const isTypedFirst = !begun || (typed[0]?.start ?? bytes.length) <= begun.start;
  const rest = begun && readChunks(bytes, begun.start + begun.wanted + (begun.wanted & 1), bytes.length).chunks;
  return { chunks: isTypedFirst ? typed : [begun, ...(rest ?? [])], head: -1, isSized: false, faults: 1, missing: 0 };
}

/** The chunk of a picture near the beginning, by how that begins; null when there is none. */
function firstPicture(bytes: Buffer): Chunk | null {
  for (let start = headBytes; start <= Math.min(mostHead, bytes.length); start++) {
    const begin = pictureAt(bytes, start);
    const wanted = bytes.readUInt32LE(start - 4);
    // The length in front of a picture that begins by chance leads nowhere.
    if (begin && wanted >= mostHead && start + wanted <= bytes.length * (mostCut + 1))
      return { type: begin.type, start, end: Math.min(bytes.length, start + wanted), wanted };
  }
  return null;
}

/** Bytes of `VP8X` (RFC 9649, 2.7.1), which follows from the other chunks. */
const extendedBytes = 18;

/** Bytes of other chunks that stood before the first one that is left, where the head is lost. */
export function lostBefore({ head, chunks }: Survey): number {
  const before = head >= 0 ? 0 : (chunks[0]?.start ?? 0) - fileHeadBytes - headBytes;
  return before === extendedBytes ? 0 : Math.max(0, before);
}

/** Whether nothing is wrong with what was seen. */
export const isInOrder = ({ chunks, head, isSized, faults }: Survey): boolean =>
  head === 0 && isSized && faults === 0 && chunks.length > 0 && chunks.every(isWhole);

/** Whether all of a chunk is there. */
export const isWhole = ({ start, end, wanted }: Chunk): boolean => end - start === wanted;

/** What is left of a chunk. */
export const dataOf = (bytes: Buffer, { start, end }: Chunk): Buffer => Buffer.from(bytes.subarray(start, end));
