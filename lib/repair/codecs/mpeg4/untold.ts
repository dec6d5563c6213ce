import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { BitReader } from '../bits';
import { planeTypes, readCoding } from './header';
import { Macroblocks } from './macroblocks';

/** The head of a video object plane (ISO/IEC 14496-2, 6.2.5), with the bits of its clock told from outside. `body` is a place in bits. */
export type PlaneHead = { kind: number; seconds: number; ticks: number; body: number };

/** Seconds that one plane may lie behind the one before. */
const mostSeconds = 4;

/** Reads the head of a plane behind its start code; null where the clock has other bits. */
export function readPlaneHead(plane: Buffer, clockBits: number): PlaneHead | null {
  const bits = new BitReader(plane);
  const kind = bits.take(2);
  let seconds = 0;
  while (seconds <= mostSeconds && bits.bit() === 1) seconds++;
  if (seconds > mostSeconds || bits.bit() !== 1) return null;
  const ticks = bits.take(clockBits);
  // A marker, and vop_coded.
  return bits.bit() === 1 && bits.bit() === 1 && !bits.over ? { kind, seconds, ticks, body: bits.position } : null;
}

/** Macroblocks of the largest picture. */
const mostBlocks = 36_864;

/** Most bits of macroblock_number. */
const numberBits = 14;

/** Numbers of macroblocks behind which a plane may end, and whether markers part it into packets. */
export type PlaneEnds = { ends: Set<number>; hasPackets: boolean };

/** Passes over a marker behind this many macroblocks, and the header of the packet that it begins (6.2.5.2); false where none is here. */
function skipPacket(macroblocks: Macroblocks, count: number): boolean {
  const { bits } = macroblocks;
  const at = bits.at;
  bits.at += 8 - (at & 7);
  const isMarker = bits.take(16) === 0 && bits.take(1) === 1;
  const field = bits.at;
  for (let length = 1; isMarker && length <= numberBits; length++) {
    bits.at = field;
    if (bits.take(length) !== count) continue;
    macroblocks.quantiser = bits.take(5);
    // What the plane's head says is told again only where it may be lost.
    if (bits.take(1) === 1) bits.failed = true;
    return true;
  }
  bits.at = at;
  return false;
}

/** Numbers of macroblocks that a plane that stands alone may have, in frames and without any shape; bytes of something else may follow it. */
export function planeSizes(plane: Buffer, { body }: PlaneHead, effort: Effort): PlaneEnds {
  effort.spend('wordBit', plane.length * 8);
  const macroblocks = new Macroblocks();
  const coding = readCoding(plane, body, planeTypes.intra);
  macroblocks.start(plane, coding, false);
  const { bits } = macroblocks;
  const ends = new Set<number>();
  let hasPackets = false;
  for (let count = 1; count <= mostBlocks; count++) {
    macroblocks.read();
    if (bits.failed || bits.at > bits.end) break;
    if (!macroblocks.isFilled) continue;
    if (skipPacket(macroblocks, count)) hasPackets = true;
    else ends.add(count);
  }
  return { ends, hasPackets };
}
