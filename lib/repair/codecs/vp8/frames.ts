import { BoolReader } from '../bool';
import type { FrameEnd } from '../judge';
import { copyOf, type Entropy, freshEntropy, readHeader } from './header';
import { Modes } from './modes';
import { MotionModes } from './motion';
import { Residual } from './residual';

/** Bytes of the frame tag, of what a key frame has behind it (RFC 6386, 9.1), and of the size of a partition (9.5). */
const tagBytes = 3;
const keyBytes = 7;
const sizeBytes = 3;
/** The start code of a key frame (9.1). */
const startCode = [0x9d, 0x01, 0x2a];
/** Bytes that may be missing before the rest is not read any more. */
const mostMissing = 64;

/** Sides of a picture in macroblocks. */
type Size = { across: number; down: number };

/** Reads frames of VP8 down to their last coefficient (RFC 6386), in their order, which is all that shows whether they are damaged. */
export class Vp8Frames {
  #entropy: Entropy | null = null;
  #size: Size = { across: 0, down: 0 };

  /**
   * How a frame ends, which what an encoder wrote does with its data; null where its partitions do not lie in the data. Undefined where it
   * builds on frames that were not read, or holds nothing.
   */
  read(data: Uint8Array): FrameEnd | null | undefined {
    const byte = (at: number) => data[at] ?? 0;
    if (data.length === 0) return undefined;
    const isKey = (byte(0) & 1) === 0;
    const start = tagBytes + (isKey ? keyBytes : 0);
    if (!isKey && this.#entropy === null) return undefined;
    if (data.length < start) return null;
    if (isKey && !this.#begin(data)) return null;
    const firstEnd = start + ((byte(0) | (byte(1) << 8) | (byte(2) << 16)) >> 5);
    if (firstEnd > data.length) return null;
    const first = new BoolReader(data, start, firstEnd);
    const entropy = isKey || !this.#entropy ? freshEntropy() : copyOf(this.#entropy);
    const header = readHeader(first, entropy, isKey);
    if (header.isKept) this.#entropy = entropy;
    else if (isKey) this.#entropy = freshEntropy();
    const readers = partitionsOf(data, firstEnd, header.partitions);
    if (!readers) return null;
    const modes = header.references
      ? new MotionModes(first, header, header.references, entropy, this.#size)
      : new Modes(first, header, this.#size.across);
    return this.#readRows(first, readers, modes, new Residual(entropy.coefficients, this.#size.across));
  }

  /** Takes the size of a key frame; false where it has none. */
  #begin(data: Uint8Array): boolean {
    const byte = (at: number) => data[at] ?? 0;
    const [width, height] = [(byte(6) | (byte(7) << 8)) & 0x3fff, (byte(8) | (byte(9) << 8)) & 0x3fff];
    this.#size = { across: (width + 15) >> 4, down: (height + 15) >> 4 };
    return width > 0 && height > 0 && startCode.every((value, index) => byte(tagBytes + index) === value);
  }

  #readRows(
    first: BoolReader,
    readers: readonly BoolReader[],
    modes: Modes | MotionModes,
    residual: Residual,
  ): FrameEnd | null {
    const { across, down } = this.#size;
    for (let row = 0; row < down; row++) {
      const reader = readers[row % readers.length];
      if (!reader) return null;
      modes.startRow();
      residual.startRow();
      for (let column = 0; column < across; column++) residual.macroblock(reader, column, modes.macroblock(column));
      // The size that a few bytes name may be that of a million macroblocks.
      if (Math.min(first.left, reader.left) < -mostMissing) break;
    }
    const left = [first, ...readers].map((reader) => reader.left);
    return { over: Math.max(...left), missing: Math.max(0, -Math.min(...left)) };
  }
}

/** Readers of the partitions of coefficients (9.5), whose sizes lie behind the first partition; null where they do not fit. */
function partitionsOf(data: Uint8Array, firstEnd: number, count: number): BoolReader[] | null {
  const byte = (at: number) => data[at] ?? 0;
  const readers: BoolReader[] = [];
  let at = firstEnd + sizeBytes * (count - 1);
  for (let index = 0; index < count; index++) {
    const size = firstEnd + sizeBytes * index;
    const isLast = index === count - 1;
    const end = isLast ? data.length : at + (byte(size) | (byte(size + 1) << 8) | (byte(size + 2) << 16));
    if (end > data.length || at > end) return null;
    readers.push(new BoolReader(data, at, end));
    at = end;
  }
  return readers;
}

/** Reads a key frame of VP8 that stands alone; null where its partitions do not lie in the data, or it is none. */
export const readKeyFrame = (data: Uint8Array): FrameEnd | null =>
  ((data[0] ?? 1) & 1) === 0 ? (new Vp8Frames().read(data) ?? null) : null;

/**
 * How many bytes the first partition of a key frame has up to the end of each row of macroblocks (RFC 6386, 9.3 and 11), for a picture of so many
 * across; as far as its data goes, whatever its head tells of sizes. Nothing but the number across has an effect on them.
 */
export function modesOf(data: Uint8Array, { across, down }: Size): number[] {
  const start = tagBytes + keyBytes;
  const reader = new BoolReader(data, start, data.length);
  const modes = new Modes(reader, readHeader(reader, freshEntropy(), true), across);
  const reached: number[] = [];
  while (reached.length < down && reader.left >= 0) {
    modes.startRow();
    for (let column = 0; column < across && reader.left >= 0; column++) modes.macroblock(column);
    reached.push(data.length - start - reader.left);
  }
  return reached;
}
