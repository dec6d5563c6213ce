import type { Effort } from '../../report';
import { blockHead, storedLength } from '../deflate/blocks';
import type { Codes } from '../deflate/codes';
import { FlateReader, type Place, type Sink } from '../deflate/reader';
import { padded } from '../deflate/symbols';

/**
 * What can be read without a break from a place on, when what stands before it is not known. `values` are bytes, or below zero how far before
 * the place a byte is copied from; `bits` are where the symbols begin that gave them. `isEnd` when it reaches the end of the stream; else
 * `bit` is where the bits made no sense any more. `codes` of each block count from their bit on.
 */
export type Piece = {
  values: Int32Array;
  bits: Int32Array;
  length: number;
  bit: number;
  isEnd: boolean;
  codes: { bit: number; tables: Codes }[];
};

/** Bits that may be left behind the last block: it ends within a byte, and a few may be put in. */
const mostBehindEnd = 64;
/** A block of the codes of all is written where little is left; before that it is chance. */
const mostFixed = 4096;
/** Bytes to make room for at first: most places behind damage soon lead to nothing. */
const firstRoom = 1 << 14;

/** Takes bytes and copies as they come, with where they stand. */
class Tracer implements Sink {
  values: Int32Array;
  bits: Int32Array;
  length = 0;
  bit = 0;
  readonly #isStart: boolean;

  constructor(room: number, isStart: boolean) {
    this.values = new Int32Array(room);
    this.bits = new Int32Array(room);
    this.#isStart = isStart;
  }

  byte(value: number): void {
    this.#grow(1);
    this.values[this.length] = value;
    this.bits[this.length++] = this.bit;
  }

  copy(distance: number, count: number): boolean {
    if (this.#isStart && distance > this.length) return false;
    this.#grow(count);
    for (let to = this.length + count; this.length < to; this.length++) {
      const from = this.length - distance;
      this.values[this.length] = from >= 0 ? (this.values[from] ?? 0) : from;
      this.bits[this.length] = this.bit;
    }
    return true;
  }

  store(bytes: Uint8Array): void {
    for (const byte of bytes) this.byte(byte);
  }

  #grow(count: number): void {
    if (this.length + count <= this.values.length) return;
    const room = Math.max(this.values.length * 2, this.length + count);
    const [values, bits] = [new Int32Array(room), new Int32Array(room)];
    values.set(this.values);
    bits.set(this.bits);
    [this.values, this.bits] = [values, bits];
  }
}

/** Reads pieces of a DEFLATE stream. */
export class PieceReader {
  readonly source: Uint8Array;
  readonly #effort: Effort;
  /** Length of the stream in bits. */
  readonly end: number;

  constructor(packed: Uint8Array, effort: Effort) {
    this.source = padded(packed);
    this.#effort = effort;
    this.end = packed.length * 8;
  }

  /** Reads from a place on, at most `most` bytes or up to bit `to`; at the beginning of the stream nothing can be copied from before it. */
  read(place: Place, most: number, to = this.end): Piece {
    const sink = new Tracer(Math.min(most, firstRoom), place.bit === 0);
    const reader = new FlateReader(this.source, sink, this.#effort);
    const codes: Piece['codes'] = [];
    reader.place = { ...place, length: 0 };
    reader.passAt = 0;
    reader.pass = () => {
      sink.bit = reader.bit;
      if (reader.tables && codes.at(-1)?.tables !== reader.tables)
        codes.push({ bit: reader.bit, tables: reader.tables });
    };
    let isEnd = false;
    let stop = reader.block(most, to);
    while (stop === 'block' && !isEnd) {
      isEnd = this.end - reader.bit < mostBehindEnd;
      if (isEnd || reader.final || !this.#isHead(reader.bit) || reader.bit >= to) break;
      stop = reader.block(most, to);
    }
    this.#effort.spend('inflating');
    this.#effort.spend('symbol', sink.length);
    const bit = stop === 'bad' && reader.tables ? Math.max(reader.behind, reader.bit + 1) : reader.bit;
    return { values: sink.values, bits: sink.bits, length: sink.length, bit, isEnd, codes };
  }

  /** Whether a block may begin at a bit behind another one. */
  #isHead(bit: number): boolean {
    const head = blockHead(this.source, bit);
    if (head.kind === 'none') return false;
    if (head.kind === 'stored') return typeof storedLength(this.source, head.at, this.end >>> 3) === 'number';
    return head.isOwn || this.end - bit < mostFixed;
  }
}

/** The codes by which a piece was read at a bit. */
export function codesAt({ codes }: Piece, bit: number): Codes | null {
  return codes.findLast((one) => one.bit <= bit)?.tables ?? codes[0]?.tables ?? null;
}
