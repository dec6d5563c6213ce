import { BoolReader } from './bool';
import { Modes, readHeader } from './modes';
import { Residual } from './residual';

/** Bytes of the frame tag, start code and size of a key frame (RFC 6386, 9.1), and of the size of a partition (9.5). */
const headBytes = 10;
const sizeBytes = 3;
/** Bytes that may be missing before the rest is not read any more. */
const mostMissing = 64;

/**
 * Reads a key frame of VP8 down to its last coefficient (RFC 6386) and returns how many bytes of its partitions are left over, of the one
 * with most, and how many were missing; null where its partitions do not lie in the data. What an encoder wrote ends with its data.
 */
export function readKeyFrame(data: Uint8Array): { over: number; missing: number } | null {
  if (data.length < headBytes) return null;
  const byte = (at: number) => data[at] ?? 0;
  const firstEnd = headBytes + ((byte(0) | (byte(1) << 8) | (byte(2) << 16)) >> 5);
  const width = (byte(6) | (byte(7) << 8)) & 0x3fff;
  const height = (byte(8) | (byte(9) << 8)) & 0x3fff;
  const [across, down] = [(width + 15) >> 4, (height + 15) >> 4];
  if (firstEnd > data.length || across === 0 || down === 0) return null;
  const first = new BoolReader(data, headBytes, firstEnd);
  const header = readHeader(first);
  const readers: BoolReader[] = [];
  let at = firstEnd + sizeBytes * (header.partitions - 1);
  for (let index = 0; index < header.partitions; index++) {
    const size = firstEnd + sizeBytes * index;
    const isLast = index === header.partitions - 1;
    const end = isLast ? data.length : at + (byte(size) | (byte(size + 1) << 8) | (byte(size + 2) << 16));
    if (end > data.length || at > end) return null;
    readers.push(new BoolReader(data, at, end));
    at = end;
  }
  const modes = new Modes(first, header, across);
  const residual = new Residual(header.coefficients, across);
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
