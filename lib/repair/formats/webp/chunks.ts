import { Buffer } from '../../host/bytes';

/** A chunk of a RIFF file (RFC 9649, 2.3) as found: where its data lies, and how long it should be; more than there is where it is cut. */
export type Chunk = { type: string; start: number; end: number; wanted: number };

/** What survives of a file: its chunks as they are to be written. `VP8X` follows from them, but for the canvas of animations. */
export type WebpParts = { type: string; data: Buffer }[];

/** Bytes of an animation frame before its own chunks (2.7.1.1). */
export const frameHeadBytes = 16;

/** Types of chunks (2.5 to 2.7), and those that hold a picture. */
const known = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP '];
export const isPicture = ({ type }: Pick<Chunk, 'type'>): boolean => type === 'VP8 ' || type === 'VP8L';

/** Bytes of a type and a length, and of RIFF, the size of all and WEBP (2.4). */
export const headBytes = 8;
export const fileHeadBytes = 12;

/** The types as numbers, which are compared at every byte of what is lost. */
const codes: ReadonlySet<number> = new Set(known.map((type) => Buffer.from(type, 'latin1').readUInt32LE(0)));

/** The type of the chunk at a place, and whether it is a known one. */
export const typeAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);
export const isTypeAt = (bytes: Buffer, at: number): boolean =>
  at + 4 <= bytes.length && codes.has(bytes.readUInt32LE(at));

/** Chunks are padded to even lengths (2.3). */
export const padded = (length: number): number => length + (length & 1);

/**
 * The chunks from a place on, each to its length. A length that leads to no chunk and not to the end of all (`whole`, which may lie behind
 * the end of the file where that is cut) is wrong: the chunk then ends where the next one begins, or with all.
 */
export function readChunks(bytes: Buffer, from: number, whole: number): { chunks: Chunk[]; faults: number } {
  const chunks: Chunk[] = [];
  let faults = 0;
  for (let at = from; at + headBytes <= bytes.length; ) {
    if (!isTypeAt(bytes, at)) {
      faults++;
      at = nextType(bytes, at + 1);
      continue;
    }
    const start = at + headBytes;
    const told = bytes.readUInt32LE(at + 4);
    const isRight = isEnd(bytes, start + told, whole) || isEnd(bytes, start + padded(told), whole);
    const next = isRight ? start + padded(told) : Math.min(nextType(bytes, start), Math.max(start, whole));
    if (!isRight) faults++;
    const wanted = isRight ? told : next - start;
    chunks.push({ type: typeAt(bytes, at), start, end: Math.min(bytes.length, start + wanted), wanted });
    at = next;
  }
  return { chunks, faults };
}

/** Whether a chunk can end at a place: the next one begins there, or it is the end of all. */
const isEnd = (bytes: Buffer, at: number, whole: number): boolean => at === whole || isTypeAt(bytes, at);

/** The next place with a type and a length that stays inside the file, or its end. */
function nextType(bytes: Buffer, from: number): number {
  for (let at = from; at + headBytes <= bytes.length; at++)
    if (isTypeAt(bytes, at) && at + headBytes + bytes.readUInt32LE(at + 4) <= bytes.length) return at;
  return bytes.length;
}

/** Writes a chunk. */
export function writeChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
