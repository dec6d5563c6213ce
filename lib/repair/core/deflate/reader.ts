import type { Deadline, Effort } from '../../report';
import {
  type Codes,
  codesOf,
  distanceBase,
  distanceExtra,
  fixedCodes,
  lengthBase,
  lengthExtra,
  peekBits,
  readCodeLengths,
} from './codes';

/** A place between two symbols of a stream: in the input in bits, in the output in bytes, and the block it lies in. */
export type Place = {
  bit: number;
  length: number;
  /** Null before a block header and in stored blocks. */
  tables: Codes | null;
  /** Bytes of a stored block that are still to come. */
  stored: number;
  final: boolean;
};

/** A whole block: where it ends in the input, in bits, and how many bytes it gives. */
export type Block = { end: number; bytes: number; final: boolean };

/** Why reading stopped: enough output, the final block ended, the bits make no sense, or the input ended. */
export type Stop = 'full' | 'final' | 'bad' | 'input';

/** Compressed bytes behind which zeroes stand, so that reading ahead needs no care. */
export function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + 16);
  result.set(bytes);
  return result;
}

/**
 * Reads DEFLATE data (RFC 1951) from any place on, and remembers of each byte whether it is known: what lost history refers to is not.
 * `source` comes from `padded` and may change between calls.
 */
export class FlateReader {
  readonly source: Uint8Array;
  readonly view: DataView;
  /** Length of the input in bits. */
  readonly end: number;
  readonly output: Uint8Array;
  readonly known: Uint8Array;
  place: Place;
  /** References to before the beginning are errors, as long as nothing was lost. */
  strict = true;
  /** When set, takes copies of bytes that are not known: where they go, where they come from, and how many they are. */
  copies: number[] | null = null;
  /** When set, takes pairs of places in the output that differ in a sound stream: the byte behind a copy, and the one behind its source. */
  trace: number[] | null = null;
  /** Blocks that were looked at, by the bits where their headers begin; null for those that cannot be read to their end. */
  readonly blocks = new Map<number, Block | null>();

  readonly effort: Effort;

  constructor(source: Uint8Array, size: number, bit: number, effort: Effort) {
    this.effort = effort;
    this.source = source;
    this.view = new DataView(source.buffer, source.byteOffset, source.length);
    this.end = (source.length - 16) * 8;
    this.output = new Uint8Array(size);
    this.known = new Uint8Array(size);
    this.place = { bit, length: 0, tables: null, stored: 0, final: false };
  }

  /** To be called when a bit of the source was set right: what was noted about its block does not hold any more. */
  forget(bit: number): void {
    for (const [start, block] of this.blocks)
      if (!block || (start <= bit && bit < block.end)) this.blocks.delete(start);
  }

  #noteCopy(at: number, back: number, count: number): void {
    for (let index = 0; index < count; index++) {
      if (this.known[at + index] !== 0) continue;
      if (at >= back) this.copies?.push(at, at - back, count);
      return;
    }
  }

  /** Reads on until the output holds `until` bytes. After any other stop the place is where reading failed. */
  advance(until: number): Stop {
    const { length } = this.place;
    const stop = this.#advance(until);
    this.effort.spend('inflating');
    this.effort.spend('rowByte', this.place.length - length);
    return stop;
  }

  #advance(until: number): Stop {
    const most = Math.min(until, this.output.length);
    for (;;) {
      if (this.place.length >= most) return 'full';
      if (this.place.stored > 0) {
        this.#stored(most);
        if (this.place.stored > 0) return this.place.length >= most ? 'full' : 'input';
      } else if (this.place.tables) {
        const stop = this.#symbols(this.place.tables, most);
        if (stop !== 'block') return stop;
      }
      if (this.place.length >= most) return 'full';
      if (this.place.tables === null && this.place.final) return 'final';
      const stop = this.#header();
      if (stop) return stop;
    }
  }

  #header(): Stop | null {
    const { place, end } = this;
    if (place.bit + 3 > end) return 'input';
    const head = this.view.getUint32(place.bit >>> 3, true) >>> (place.bit & 7);
    const type = (head >> 1) & 3;
    const final = (head & 1) === 1;
    if (type === 3) return 'bad';
    if (type === 0) {
      const at = (place.bit + 10) >>> 3;
      if ((at + 4) * 8 > end) return 'input';
      const count = this.view.getUint16(at, true);
      if ((count ^ this.view.getUint16(at + 2, true)) !== 0xffff) return 'bad';
      this.place = { bit: (at + 4) * 8, length: place.length, tables: null, stored: count, final };
      return null;
    }
    if (type === 1) {
      this.place = { bit: place.bit + 3, length: place.length, tables: fixedCodes(), stored: 0, final };
      return null;
    }
    const found = blockCodes(this.source, place.bit + 3, end);
    if (found) this.effort.spend('codeTables');
    if (!found) return place.bit + 2300 > end ? 'input' : 'bad';
    this.place = { bit: found.bit, length: place.length, tables: found.tables, stored: 0, final };
    return null;
  }

  #stored(most: number): void {
    const { place } = this;
    const from = place.bit >>> 3;
    const count = Math.min(place.stored, most - place.length, (this.end >>> 3) - from);
    this.output.set(this.source.subarray(from, from + count), place.length);
    this.known.fill(1, place.length, place.length + count);
    this.place = {
      ...place,
      bit: place.bit + count * 8,
      length: place.length + count,
      stored: place.stored - count,
    };
  }

  #symbols({ literal, distance }: Codes, most: number): Stop | 'block' {
    const { view, output, known, end, place } = this;
    const limit = output.length;
    let { bit, length } = place;
    let stop: Stop | 'block' = 'full';
    while (length < most) {
      const entry = literal[(view.getUint32(bit >>> 3, true) >>> (bit & 7)) & 0x7fff] ?? 0;
      if (entry === 0) {
        stop = 'bad';
        break;
      }
      let next = bit + (entry & 15);
      const symbol = entry >> 4;
      if (next > end) {
        stop = 'input';
        break;
      }
      if (symbol < 256) {
        output[length] = symbol;
        known[length++] = 1;
        bit = next;
        continue;
      }
      if (symbol === 256) {
        bit = next;
        stop = 'block';
        break;
      }
      if (symbol > 285) {
        stop = 'bad';
        break;
      }
      const lengthBits = lengthExtra[symbol - 257] ?? 0;
      let count =
        (lengthBase[symbol - 257] ?? 0) + ((view.getUint32(next >>> 3, true) >>> (next & 7)) & ((1 << lengthBits) - 1));
      next += lengthBits;
      const far = distance[(view.getUint32(next >>> 3, true) >>> (next & 7)) & 0x7fff] ?? 0;
      if (far === 0 || far >> 4 > 29) {
        stop = 'bad';
        break;
      }
      next += far & 15;
      const farBits = distanceExtra[far >> 4] ?? 0;
      const back =
        (distanceBase[far >> 4] ?? 0) + ((view.getUint32(next >>> 3, true) >>> (next & 7)) & ((1 << farBits) - 1));
      next += farBits;
      if (next > end) {
        stop = 'input';
        break;
      }
      if (back > length && this.strict) {
        stop = 'bad';
        break;
      }
      if (length + count > limit) count = limit - length;
      for (let from = length - back, index = 0; index < count; index++, from++, length++) {
        // What lies before the beginning was never seen; a repaired stream refers to it only where its head is lost.
        output[length] = from >= 0 ? (output[from] ?? 0) : 0;
        known[length] = from >= 0 ? (known[from] ?? 0) : 0;
      }
      if (this.copies) this.#noteCopy(length - count, back, count);
      if (this.trace && count < 258) this.trace.push(length, length - back);
      bit = next;
    }
    this.place = {
      ...place,
      bit,
      length,
      tables: stop === 'block' ? null : place.tables,
    };
    return stop;
  }
}

/** Sizes of the symbol at `bit`: its input bits plus 64 times its output bytes; 0 for an end of block and for what is no symbol. */
export function symbolAt(view: DataView, { literal, distance }: Codes, bit: number): number {
  const entry = literal[(view.getUint32(bit >>> 3, true) >>> (bit & 7)) & 0x7fff] ?? 0;
  const symbol = entry >> 4;
  if (entry === 0 || symbol === 256 || symbol > 285) return 0;
  if (symbol < 256) return (entry & 15) + 64;
  let next = bit + (entry & 15);
  const lengthBits = lengthExtra[symbol - 257] ?? 0;
  const bytes =
    (lengthBase[symbol - 257] ?? 0) + ((view.getUint32(next >>> 3, true) >>> (next & 7)) & ((1 << lengthBits) - 1));
  next += lengthBits;
  const far = distance[(view.getUint32(next >>> 3, true) >>> (next & 7)) & 0x7fff] ?? 0;
  if (far === 0 || far >> 4 > 29) return 0;
  return next + (far & 15) + (distanceExtra[far >> 4] ?? 0) - bit + bytes * 64;
}

/** The codes of a dynamic block whose header goes on at `bit`, and where its data begins; null when it is none or reaches beyond `end`. */
export function blockCodes(source: Uint8Array, bit: number, end: number): { tables: Codes; bit: number } | null {
  const header = readCodeLengths(source, bit);
  return header && header.end <= end ? { tables: codesOf(header), bit: header.end } : null;
}

/** Whether the header of a dynamic block goes on at `bit` and ends before `end`; chance bits hardly ever make one. */
export function isBlockHeader(source: Uint8Array, bit: number, end: number): boolean {
  return (readCodeLengths(source, bit)?.end ?? Number.POSITIVE_INFINITY) <= end;
}

/** Bit position of the next plausible header of a dynamic block at or after `from`, below `to`; -1 when there is none. */
export function nextHeader(source: Uint8Array, from: number, to: number, end: number, deadline: Deadline): number {
  let bit = from;
  let found = -1;
  for (; bit < to && bit + 100 < end && found < 0; bit++) {
    if ((bit & 0xffff) === 0) deadline.check();
    if ((peekBits(source, bit) & 6) === 4 && isBlockHeader(source, bit + 3, end)) found = bit;
  }
  deadline.effort.spend('headerBit', bit - from);
  return found;
}
