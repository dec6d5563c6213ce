import type { Effort } from '../../report';
import { blockHead, headBits, storedBytesAt, storedLength } from './blocks';
import { type Codes, peekBits } from './codes';
import { bitsOf, bytesOf, distanceOf, isByte, isEndOfBlock, symbolAt, symbolValue, widthOf } from './symbols';

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
    this.end = bitsOf(source);
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
    const { place, end, source } = this;
    const { bit, length } = place;
    if (bit + headBits > end) return 'input';
    const head = blockHead(source, bit);
    const { final } = head;
    if (head.kind === 'stored') {
      const stored = storedLength(source, head.at, end >>> 3);
      if (typeof stored === 'string') return stored;
      this.place = { bit: storedBytesAt(head.at) * 8, length, tables: null, stored, final };
      return null;
    }
    if (head.kind === 'none' || (head.isOwn && head.bit > end))
      return isReserved(source, bit) || bit + longestHeader <= end ? 'bad' : 'input';
    if (head.isOwn) this.effort.spend('codeTables');
    this.place = { bit: head.bit, length, tables: head.codes, stored: 0, final };
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

  #symbols(tables: Codes, most: number): Stop | 'block' {
    const { view, output, known, end, place } = this;
    let { bit, length } = place;
    let stop: Stop | 'block' = 'full';
    while (length < most) {
      const symbol = symbolAt(view, tables, bit);
      const next = bit + (symbol < 0 ? ~symbol : widthOf(symbol));
      const distance = distanceOf(symbol);
      if (next > end) stop = 'input';
      else if (isByte(symbol)) {
        output[length] = symbolValue(symbol);
        known[length++] = 1;
      } else if (symbol < 0 || (distance > length && this.strict)) stop = 'bad';
      else if (isEndOfBlock(symbol)) stop = 'block';
      else length = this.#copy(length, distance, symbolValue(symbol));
      if (stop === 'full' || stop === 'block') bit = next;
      if (stop !== 'full') break;
    }
    this.place = { ...place, bit, length, tables: stop === 'block' ? null : place.tables };
    return stop;
  }

  /** Copies earlier output, with what is known of it; the length that there is then. */
  #copy(at: number, distance: number, wanted: number): number {
    const { output, known } = this;
    const count = Math.min(wanted, output.length - at);
    const to = at + count;
    for (let length = at, from = at - distance; length < to; from++, length++) {
      // What lies before the beginning was never seen; a repaired stream refers to it only where its head is lost.
      output[length] = from >= 0 ? (output[from] ?? 0) : 0;
      known[length] = from >= 0 ? (known[from] ?? 0) : 0;
    }
    if (this.copies) this.#noteCopy(at, distance, count);
    if (this.trace && count < longestCopy) this.trace.push(to, to - distance);
    return to;
  }
}

/** The longest copy (RFC 1951, 3.2.5), in bytes: it may have had to end early. */
const longestCopy = 258;
/** The most bits of a dynamic block's header, so that one that fails nearer to the end may be cut. */
const longestHeader = 2300;

/** Whether a block is of the type that is none (3.2.3). */
const isReserved = (source: Uint8Array, bit: number): boolean => (peekBits(source, bit) & 6) === 6;

/** Sizes of the symbol at `bit`: its input bits plus 64 times its output bytes; 0 for an end of block and for what is no symbol. */
export function sizesAt(view: DataView, tables: Codes, bit: number): number {
  const symbol = symbolAt(view, tables, bit);
  return symbol < 0 || isEndOfBlock(symbol) ? 0 : widthOf(symbol) + bytesOf(symbol) * 64;
}
