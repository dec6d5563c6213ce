import type { Effort } from '../../report';
import { hasOwnCodes } from './blocks';
import { longestCopy } from './codes';
import { FlateReader, headAt, type Place, type Sink, type Stop } from './reader';
import { bitsOf } from './symbols';

/** A whole block: where it ends in the input, in bits, and how many bytes it gives. */
export type Block = { end: number; bytes: number; final: boolean };

/** The most bits of a dynamic block's header, so that one that fails nearer to the end may be cut. */
const longestHeader = 2300;

/** Stretches of the input that were written over, in bits, in their order. */
export class Holes {
  readonly #all: readonly Hole[];

  constructor(all: readonly Hole[]) {
    this.#all = all;
  }

  /** Where the next one begins, which ends behind a bit. */
  from(bit: number): number {
    return this.#next(bit)?.from ?? Number.POSITIVE_INFINITY;
  }

  /** Where the one ends that a symbol at a bit lies in or reaches into; that bit where there is none. */
  behind(bit: number): number {
    const next = this.#next(bit);
    return next && next.from < bit + longestSymbol ? next.to : bit;
  }

  /** Bytes of a stored block that lie in the hole which reading stopped at; none elsewhere. */
  lostOf({ bit, stored }: { bit: number; stored: number }): number {
    return Math.min(stored, (this.behind(bit) >>> 3) - (bit >>> 3));
  }

  /** The first one that ends behind a bit, by halves: every row asks, and a hostile file may have very many. */
  #next(bit: number): Hole | undefined {
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.to ?? 0) > bit) high = middle;
      else low = middle + 1;
    }
    return this.#all[low];
  }
}

/** From where to where a stretch lies, in bits. */
export type Hole = { from: number; to: number };

/** Bits of a length with its distance, the longest symbol (RFC 1951, 3.2.5). */
const longestSymbol = 48;

/** Reads DEFLATE data into rows, and remembers of each byte whether it is known: what lost history refers to is not. */
export class RowReader implements Sink {
  readonly output: Uint8Array;
  readonly known: Uint8Array;
  length = 0;
  /** References to before the beginning are errors, as long as nothing was lost. */
  strict = true;
  /** When set, takes copies of bytes that are not known: where they go, where they come from, and how many they are. */
  copies: number[] | null = null;
  /** When set, takes pairs of places in the output that differ in a sound stream: the byte behind a copy, and the one behind its source. */
  trace: number[] | null = null;
  /** Blocks that were looked at, by the bits where their headers begin; null for those that cannot be read to their end. */
  readonly blocks = new Map<number, Block | null>();
  readonly effort: Effort;
  readonly #reader: FlateReader;
  /** Stretches of the input that nothing of the stream is left of. */
  readonly holes: Holes;

  constructor(source: Uint8Array, size: number, bit: number, effort: Effort, holes: Holes = new Holes([])) {
    this.effort = effort;
    this.holes = holes;
    this.output = new Uint8Array(size);
    this.known = new Uint8Array(size);
    this.#reader = new FlateReader(source, this, effort);
    this.#reader.place = headAt(bit);
  }

  get source(): Uint8Array {
    return this.#reader.source;
  }

  get view(): DataView {
    return this.#reader.view;
  }

  /** Length of the input in bits. */
  get end(): number {
    return bitsOf(this.source);
  }

  get place(): Place {
    return this.#reader.place;
  }

  set place(place: Place) {
    this.#reader.place = place;
  }

  /** To be called when a bit of the source was set right: what was noted about its block does not hold any more. */
  forget(bit: number): void {
    for (const [start, block] of this.blocks)
      if (!block || (start <= bit && bit < block.end)) this.blocks.delete(start);
  }

  /** Reads on until the output holds `until` bytes. After any other stop the place is where reading failed. */
  advance(until: number): Stop {
    const { length } = this;
    const edge = this.holes.from(this.place.bit);
    this.#reader.end = Math.min(this.end, edge);
    const stop = this.#reader.run(Math.min(until, this.output.length));
    this.#reader.end = this.end;
    this.effort.spend('inflating');
    this.effort.spend('rowByte', this.length - length);
    if (stop === 'input' && edge < this.end) return 'bad';
    const { bit, tables, source, end } = this.#reader;
    const isCut = stop === 'bad' && tables === null && hasOwnCodes(source, bit) && bit + longestHeader > end;
    return isCut ? 'input' : stop;
  }

  /**
   * Goes over a hole that reading stopped at in a stored block, whose length tells how many bytes are lost there; these are not known. False
   * where it stopped elsewhere.
   */
  passHole(): boolean {
    const { bit, length, stored, ...block } = this.place;
    const lost = Math.min(this.holes.lostOf(this.place), this.output.length - length);
    if (lost <= 0) return false;
    this.known.fill(0, length, length + lost);
    this.place = { ...block, bit: bit + lost * 8, length: length + lost, stored: stored - lost };
    return true;
  }

  byte(value: number): void {
    const at = this.length++;
    this.output[at] = value;
    this.known[at] = 1;
  }

  store(bytes: Uint8Array): void {
    this.output.set(bytes, this.length);
    this.known.fill(1, this.length, this.length + bytes.length);
    this.length += bytes.length;
  }

  /** Copies earlier output, with what is known of it. */
  copy(distance: number, wanted: number): boolean {
    const at = this.length;
    if (distance > at && this.strict) return false;
    const { output, known } = this;
    const count = Math.min(wanted, output.length - at);
    const to = at + count;
    for (let length = at, from = at - distance; length < to; from++, length++) {
      // What lies before the beginning was never seen; a repaired stream refers to it only where its head is lost.
      output[length] = from >= 0 ? (output[from] ?? 0) : 0;
      known[length] = from >= 0 ? (known[from] ?? 0) : 0;
    }
    this.length = to;
    if (this.copies) this.#noteCopy(at, distance, count);
    // The longest copy may have had to end early.
    if (this.trace && count < longestCopy) this.trace.push(to, to - distance);
    return true;
  }

  #noteCopy(at: number, back: number, count: number): void {
    for (let index = 0; index < count; index++) {
      if (this.known[at + index] !== 0) continue;
      if (at >= back) this.copies?.push(at, at - back, count);
      return;
    }
  }
}
