import type { Buffer } from '../../../../host/bytes';
import { bytesOf, type Part } from '../parts';
import type { Image, Piece } from './directories';
import type { PieceReading } from './sensor';

/** A block holds sixteen pixels in as many bytes: the largest and the smallest value of 11 bits each, which pixels have them, and fourteen differences of 7 bits. */
const block = 16;
/** Blocks that are judged together, and how many of them must be impossible to call all of them foreign: of random ones more than half are. */
const together = 64;
const foreign = together / 4;

/** Sony's blocks, as cameras since the ARW 2.0 format write them: a byte for each pixel. */
export function readSony(bytes: Buffer, _: Image, { at, count, width, height }: Piece): PieceReading {
  const wanted = width * height;
  const there = Math.max(0, Math.min(count, wanted, bytes.length - at));
  // Cameras that leave their values unpacked name the same scheme, with another number of bytes.
  if (count !== wanted)
    return { intact: there < Math.min(count, wanted) ? there / wanted : 1, how: 'unread', isDamaged: false };
  const share = wanted > 0 ? there / wanted : 0;
  const lost = bytesOf(foreignBlocks(bytes.subarray(at, at + there)));
  const intact = share * (1 - lost / Math.max(1, there));
  return { intact, how: 'read', isDamaged: intact < 1 };
}

/** The parts of blocks of which too many are impossible. */
export function foreignBlocks(data: Buffer): Part[] {
  const parts: Part[] = [];
  const length = block * together;
  for (let start = 0; start + length <= data.length; start += length) {
    let impossible = 0;
    for (let at = start; at < start + length; at += block) if (isImpossible(data, at)) impossible++;
    if (impossible >= foreign) parts.push({ start, end: start + length });
  }
  return parts;
}

/** Whether no camera writes a block like this: its largest value below its smallest, both at one pixel though they differ, or nothing at all. */
function isImpossible(bytes: Buffer, at: number): boolean {
  const head = bytes.readUInt32LE(at);
  const most = head & 0x7ff;
  const least = (head >> 11) & 0x7ff;
  const [mostAt, leastAt] = [(head >> 22) & 15, (head >> 26) & 15];
  return most < least || (mostAt === leastAt && most !== least) || most === 0;
}
