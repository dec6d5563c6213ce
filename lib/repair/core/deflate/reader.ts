import type { Effort } from '../../report';
import { blockHead, headBits, storedBytesAt, storedLength } from './blocks';
import type { Codes } from './codes';
import { bitsOf, distanceOf, isByte, isEndOfBlock, symbolAt, symbolValue, widthOf } from './symbols';

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

/** The place before the head of a block. */
export const headAt = (bit: number, length = 0): Place => ({ bit, length, tables: null, stored: 0, final: false });

/** Why reading stopped: enough output, the final block ended, the bits make no sense, or the input ended. */
export type Stop = 'full' | 'final' | 'bad' | 'input';

/** Takes what a stream gives, in its order. */
export interface Sink {
  /** Bytes so far. */
  length: number;
  byte(value: number): void;
  /** As many bytes as stood `distance` bytes back; false where there are none to copy from. */
  copy(distance: number, count: number): boolean;
  /** Bytes of a stored block. */
  store(bytes: Uint8Array): void;
}

/** A length that no output reaches. */
export const never = 0x7fffffff;

/**
 * Reads DEFLATE data (RFC 1951) from any place on: the one loop over blocks and symbols, for all who unpack, mend or measure. What it
 * meets goes to a sink. `source` comes from `padded`, and its bits may change between calls.
 */
export class FlateReader {
  readonly source: Uint8Array;
  readonly view: DataView;
  /** Where the input ends, in bits: all of it, or what may be read of it for now. */
  end: number;
  /** Where reading stands: before a symbol of `tables`, before so many `stored` bytes, or else before the head of a block. */
  bit = 0;
  tables: Codes | null = null;
  stored = 0;
  /** Whether that block is the last one. */
  final = false;
  /** The codes of the block that was read last, also behind its end. */
  lastTables: Codes | null = null;
  /** The first bit behind a symbol that could not be read. */
  behind = 0;
  /** Bits that the last symbol may lack, which are taken for zeroes. */
  mayLack = 0;
  /** From this length of the output on, `pass` is called before a head or a symbol is read, and sets it anew. */
  passAt = never;
  pass: () => void = () => {};
  readonly #sink: Sink;
  /** Spent for codes that are made; null where all of it has no end but the data's. */
  readonly #effort: Effort | null;

  constructor(source: Uint8Array, sink: Sink, effort: Effort | null) {
    this.source = source;
    this.view = new DataView(source.buffer, source.byteOffset, source.length);
    this.end = bitsOf(source);
    this.#sink = sink;
    this.#effort = effort;
  }

  get place(): Place {
    const { bit, tables, stored, final } = this;
    return { bit, length: this.#sink.length, tables, stored, final };
  }

  set place({ bit, length, tables, stored, final }: Place) {
    this.#sink.length = length;
    this.bit = bit;
    this.tables = tables;
    this.stored = stored;
    this.final = final;
    if (tables) this.lastTables = tables;
  }

  /** Reads on until the output holds `until` bytes. After `bad` and `input` the place is where reading failed. */
  run(until: number): Stop {
    let stop: Stop | 'block' = 'block';
    while (stop === 'block') stop = this.block(until);
    return stop;
  }

  /** Reads on within the block that was begun, or else in the next one, to its end, at most up to bit `to`, which counts as the end of the input. */
  block(until: number, to = this.end): Stop | 'block' {
    if (this.#sink.length >= this.passAt) this.pass();
    if (this.#sink.length >= until) return 'full';
    if (this.tables === null && this.stored === 0) {
      const stop = this.final ? 'final' : this.#head();
      if (stop) return stop;
    }
    return this.tables ? this.#symbols(this.tables, until, to) : this.#storedBytes(until);
  }

  #head(): 'bad' | 'input' | null {
    const { bit, end } = this;
    if (bit + headBits > end) return 'input';
    const head = blockHead(this.source, bit);
    if (head.kind === 'none') return 'bad';
    if (head.kind === 'stored') {
      const length = storedLength(this.source, head.at, end >>> 3);
      if (typeof length === 'string') return length;
      this.stored = length;
      this.bit = storedBytesAt(head.at) * 8;
    } else if (head.bit > end) return 'input';
    else {
      if (head.isOwn) this.#effort?.spend('codeTables');
      this.tables = head.codes;
      this.lastTables = head.codes;
      this.bit = head.bit;
    }
    this.final = head.final;
    return null;
  }

  #storedBytes(until: number): 'block' | 'full' | 'input' {
    const from = this.bit >>> 3;
    const count = Math.min(this.stored, until - this.#sink.length, (this.end >>> 3) - from);
    this.#sink.store(this.source.subarray(from, from + count));
    this.bit += count * 8;
    this.stored -= count;
    if (this.stored === 0) return 'block';
    return this.#sink.length >= until ? 'full' : 'input';
  }

  #symbols(tables: Codes, until: number, to: number): 'block' | 'full' | 'bad' | 'input' {
    const { view } = this;
    const end = this.end + this.mayLack;
    const sink = this.#sink;
    let { bit } = this;
    while (sink.length < until && bit < to) {
      if (sink.length >= this.passAt) {
        this.bit = bit;
        this.pass();
      }
      const symbol = symbolAt(view, tables, bit);
      const next = bit + (symbol < 0 ? ~symbol : widthOf(symbol));
      if (isByte(symbol) && next <= end) sink.byte(symbolValue(symbol));
      else if (
        next <= end &&
        symbol >= 0 &&
        !isEndOfBlock(symbol) &&
        sink.copy(distanceOf(symbol), symbolValue(symbol))
      ) {
        // Copied.
      } else return this.#stopped(symbol, bit, next);
      bit = next;
    }
    this.bit = bit;
    return sink.length < until ? 'input' : 'full';
  }

  /** At a symbol that gives nothing: the end of the block, or one that cannot be read. */
  #stopped(symbol: number, bit: number, next: number): 'block' | 'bad' | 'input' {
    this.behind = next;
    this.bit = bit;
    if (next > this.end) return 'input';
    if (symbol < 0 || !isEndOfBlock(symbol)) return 'bad';
    this.bit = next;
    this.tables = null;
    return 'block';
  }
}
