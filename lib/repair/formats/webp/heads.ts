import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { Size } from '../../report/facts/photo';
import { alphaByte, isAlphaByte } from './alpha';
import { pictureAt } from './bitstream';
import { type Chunk, fileHeadBytes, frameHeadBytes, headBytes, isPicture, readChunks } from './chunks';
import { type Headed, keyFramesOf, oneOf } from './keyframe';
import { isAlphaUntold, losslessFramesOf } from './losslesshead';
import { setNames } from './names';
import { isWhole, survey } from './survey';
import { canvasOf } from './write';

/** A file with names of chunks and heads of pictures set right that its data contradicted. */
export type HeadsRight = {
  bytes: Buffer;
  /** Where something was set right, in bytes. */
  places: number[];
  /** The sizes of pictures that were found by their data alone. */
  sizes: Size[];
  /** Whether one of them is told to the macroblock only. */
  isRough: boolean;
  /** Whether alpha values were set right of which the filter may be wrong. */
  isAlphaDoubted: boolean;
};

/** What a search for the sizes of pictures may take, in units of effort. */
const mostSearched = 4000;

/** Sets names of chunks and heads of pictures right, in a copy; null where nothing was to be, or could be. */
export function withHeads(given: Buffer, effort: Effort): HeadsRight | null {
  const bytes = Buffer.from(given);
  const right: HeadsRight = { bytes, places: [], sizes: [], isRough: false, isAlphaDoubted: false };
  const share = effort.share(mostSearched);
  const head = survey(bytes).head;
  if (head >= 0) setNames(bytes, head + fileHeadBytes, endOfAll(bytes, head), right.places);
  const { chunks } = survey(bytes);
  const extended = chunks.find(({ type }) => type === 'VP8X');
  const told = extended && isWhole(extended) ? canvasOf(bytes.subarray(extended.start, extended.end)) : null;
  const canvas = told && told.width > 0 ? told : null;
  const frames = chunks.filter((chunk) => isFrame(chunk) && isWhole(chunk));
  if (frames.length === 0) setPicture(right, chunks, canvas ? [canvas] : [], share);
  for (const frame of frames) {
    if (share.isSpent) break;
    setFrame(right, frame, canvas, share);
  }
  return right.places.length > 0 ? right : null;
}

/** Whether a chunk is a frame that has all of its head. */
const isFrame = ({ type, start, end }: Chunk): boolean => type === 'ANMF' && end - start >= frameHeadBytes;

/** Where the file ends by the size of all, or does. */
function endOfAll(bytes: Buffer, head: number): number {
  const end = head + headBytes + bytes.readUInt32LE(head + 4);
  return end > head + fileHeadBytes && end < bytes.length ? end : bytes.length;
}

/** The size of a frame of an animation (RFC 9649, 2.7.1.1). */
const frameSize = (bytes: Buffer, at: number): Size => ({
  width: bytes.readUIntLE(at + 6, 3) + 1,
  height: bytes.readUIntLE(at + 9, 3) + 1,
});

/** Sets the picture of a frame right, the lengths that lead to it, and what the head of the frame tells of it. */
function setFrame(right: HeadsRight, { start, end }: Chunk, canvas: Size | null, effort: Effort): void {
  const { bytes, places } = right;
  const { chunks, faults } = readChunks(bytes.subarray(0, end), start + frameHeadBytes, end);
  const before = Buffer.from(bytes.subarray(start, end));
  const count = places.length;
  if (faults > 0) for (const chunk of chunks) bytes.writeUInt32LE(chunk.wanted, chunk.start - 4);
  const told = frameSize(bytes, start);
  const size = setPicture(right, chunks, [told], effort, canvas);
  if (!size) {
    before.copy(bytes, start);
    return;
  }
  if (told.width !== size.width || told.height !== size.height) {
    bytes.writeUIntLE(size.width - 1, start + 6, 3);
    bytes.writeUIntLE(size.height - 1, start + 9, 3);
  }
  // What is as wide or high as the canvas begins at its edge.
  if (canvas?.width === size.width) bytes.writeUIntLE(0, start, 3);
  if (canvas?.height === size.height) bytes.writeUIntLE(0, start + 3, 3);
  if (places.length === count && !before.equals(bytes.subarray(start, end))) places.push(start);
}

/**
 * Sets the head of the picture among some chunks right, and that of its alpha values; `told` are sizes that stand elsewhere, and nothing is larger than
 * the canvas. Returns the size that it has; null where nothing tells.
 */
function setPicture(
  right: HeadsRight,
  chunks: readonly Chunk[],
  told: readonly Size[],
  effort: Effort,
  canvas: Size | null = null,
): Size | null {
  const { bytes } = right;
  const picture = chunks.find(isPicture);
  if (!picture || !isWhole(picture)) return null;
  const data = Buffer.from(bytes.subarray(picture.start, picture.end));
  const alpha = chunks.find((chunk) => chunk.type === 'ALPH' && isWhole(chunk));
  const values = alpha && Buffer.from(bytes.subarray(alpha.start, alpha.end));
  const isLossy = picture.type === 'VP8 ';
  const all = isLossy ? keyFramesOf(data, told, effort) : losslessFramesOf(data, told, effort);
  const isInside = ({ size }: Headed) => !canvas || (size.width <= canvas.width && size.height <= canvas.height);
  const inside = all.filter(isInside);
  const fitting = values ? inside.filter(({ size }) => alphaByte(values, size) !== null) : [];
  const chosen = oneOf(fitting.length > 0 ? fitting : inside.length > 0 ? inside : all);
  if (!chosen) return null;
  right.isRough ||= chosen.how === 'roughly';
  if (!chosen.data.equals(data)) {
    chosen.data.copy(bytes, picture.start);
    right.places.push(picture.start);
    if (chosen.how !== 'told') right.sizes.push(chosen.size);
  }
  const byte = values && isLossy ? alphaByte(values, chosen.size) : null;
  if (alpha && values && byte !== null && byte !== values[0]) {
    right.isAlphaDoubted ||= !isAlphaByte(values[0] ?? 0);
    bytes[alpha.start] = byte;
    right.places.push(alpha.start);
  }
  return chosen.size;
}

/** The flag of the extended header that there are alpha values (RFC 9649, 2.7.1). */
const alphaFlag = 0x10;

/**
 * Whether parts of a file that is in order contradict each other: alpha values beside what says that there are none, and frames without a picture, or with
 * another size than theirs. Decoders show something of them all the same.
 */
export function isContradicted(bytes: Buffer, chunks: readonly Chunk[]): boolean {
  const extended = chunks.find(({ type }) => type === 'VP8X');
  const isFlagged = extended !== undefined && ((bytes[extended.start] ?? 0) & alphaFlag) !== 0;
  if (extended && !isFlagged && chunks.some(({ type }) => type === 'ALPH')) return true;
  const picture = chunks.find(isPicture);
  if (picture?.type === 'VP8L' && isFlagged && isAlphaUntold(bytes.subarray(picture.start, picture.end))) return true;
  return chunks.filter(isFrame).some(({ start, end }) => {
    const inner = readChunks(bytes.subarray(0, end), start + frameHeadBytes, end).chunks.find(isPicture);
    const shown = inner && pictureAt(bytes, inner.start);
    const { width, height } = frameSize(bytes, start);
    return shown?.width !== width || shown.height !== height;
  });
}
