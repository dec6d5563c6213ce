import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { BitReader } from '../bits';
import type { WordTable } from '../words';
import { cbpy, coefficients, dcSizes, escapeValue, firstLast, mcbpc } from './tables';

/** The head of a video object plane (ISO/IEC 14496-2, 6.2.5), with the bits of its clock told from outside. `body` is a place in bits. */
export type PlaneHead = { kind: number; seconds: number; ticks: number; body: number };

/** vop_coding_type of planes that stand alone, and of those between others. */
export const planeKinds = { intra: 0, between: 2 } as const;

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

/** Quantisers from which on DC is coded like other coefficients, by intra_dc_vlc_thr (table 6-21). */
const dcUntil = [32, 13, 15, 17, 19, 21, 23, 0];
const stuffing = 8;
/** What dquant adds (table 6-27). */
const steps = [-1, -2, 1, 2];
/** Macroblocks of the largest picture. */
const mostBlocks = 36_864;

/** Most bits of macroblock_number. */
const numberBits = 14;

/** Numbers of macroblocks behind which a plane may end, and whether markers part it into packets. */
export type PlaneEnds = { ends: Set<number>; hasPackets: boolean };

/** Reads the macroblocks of planes that stand alone (6.2.6, 6.2.7), of pictures without any shape, in frames. */
class PlaneReader {
  readonly #bits: BitReader;
  readonly #bytes: Buffer;
  #quantiser = 1;
  #hasPackets = false;
  failed = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#bits = new BitReader(bytes);
  }

  #word(table: WordTable): number {
    const at = this.#bits.position;
    const found = table.find(this.#bits.take(table.bits));
    if (found === 0) this.failed = true;
    this.#bits.skip(at + (found & 31) - this.#bits.position);
    return found >> 5;
  }

  /** Coefficients up to the last one (7.4.1.3). */
  #coefficients(): void {
    const bits = this.#bits;
    for (let count = 0; count < 64 && !this.failed; count++) {
      let value = this.#word(coefficients);
      if (value === escapeValue) {
        const isLong = bits.bit() === 1;
        if (isLong && bits.bit() === 1) {
          const isLast = bits.bit() === 1;
          bits.skip(6);
          if (bits.bit() === 0) this.failed = true;
          bits.skip(12);
          if (bits.bit() === 0) this.failed = true;
          if (isLast) return;
          continue;
        }
        value = this.#word(coefficients);
        if (value === escapeValue) this.failed = true;
      }
      bits.skip(1);
      if (value >= firstLast) return;
    }
    this.failed = true;
  }

  #dc(table: WordTable): void {
    const size = this.#word(table);
    this.#bits.skip(size);
    if (size > 8 && this.#bits.bit() === 0) this.failed = true;
  }

  #macroblock(threshold: number): void {
    const bits = this.#bits;
    let type = this.#word(mcbpc);
    while (type === stuffing && !this.failed) type = this.#word(mcbpc);
    bits.skip(1);
    const pattern = (this.#word(cbpy) << 2) | (type & 3);
    const isDc = this.#quantiser < threshold;
    if (type > 3) this.#quantiser += steps[bits.take(2)] ?? 0;
    if (this.#quantiser < 1 || this.#quantiser > 31) this.failed = true;
    for (let block = 0; block < 6 && !this.failed; block++) {
      if (isDc) this.#dc(block < 4 ? dcSizes.luma : dcSizes.colour);
      if (pattern & (32 >> block)) this.#coefficients();
    }
  }

  /** Whether what fills the last byte up stands here: a zero and ones (5.2.4). */
  get #isFilled(): boolean {
    const at = this.#bits.position;
    const rest = 0xff >> (at & 7);
    return ((this.#bytes[at >> 3] ?? 0) & rest) === rest >> 1;
  }

  /** Passes over a marker behind this many macroblocks, and the header of the packet that it begins (6.2.5.2); false where none is here. */
  #packet(count: number): boolean {
    const bits = this.#bits;
    const at = bits.position;
    bits.skip(8 - (at & 7));
    const isMarker = bits.take(16) === 0 && bits.bit() === 1;
    const field = bits.position;
    for (let length = 1; isMarker && length <= numberBits; length++) {
      bits.skip(field - bits.position);
      if (bits.take(length) !== count) continue;
      this.#quantiser = bits.take(5);
      this.#hasPackets = true;
      // What the plane's head says is told again only where it may be lost.
      if (bits.bit() === 1) this.failed = true;
      return true;
    }
    bits.skip(at - bits.position);
    return false;
  }

  /** Numbers of macroblocks behind which a plane may end. */
  ends(body: number): PlaneEnds {
    const bits = this.#bits;
    bits.skip(body);
    const threshold = dcUntil[bits.take(3)] ?? 0;
    this.#quantiser = bits.take(5);
    const ends = new Set<number>();
    for (let count = 1; count <= mostBlocks; count++) {
      this.#macroblock(threshold);
      if (this.failed || bits.over) break;
      if (this.#isFilled && !this.#packet(count)) ends.add(count);
    }
    return { ends, hasPackets: this.#hasPackets };
  }
}

/** Numbers of macroblocks that a plane that stands alone may have; bytes of something else may follow it. */
export function planeSizes(plane: Buffer, { body }: PlaneHead, effort: Effort): PlaneEnds {
  effort.spend('sliceBit', plane.length * 8);
  return new PlaneReader(plane).ends(body);
}
