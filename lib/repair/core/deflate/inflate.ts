import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { hasOwnCodes, headBits } from './blocks';
import { type Codes, readCodeLengths } from './codes';
import { FlateReader, headAt, type Sink, type Stop } from './reader';
import { padded } from './symbols';

/** What a tolerant inflate brought back. Offsets are in bytes; `firstError` is the output length at which the stream first broke. */
export type Salvage = {
  data: Buffer;
  /** The final block ended where it should, without any error. */
  complete: boolean;
  firstError: number | null;
  /** Input bytes used, header of the container excluded. */
  consumed: number;
  /** The stream went past the allowed output size. */
  overflow: boolean;
};

export type SalvageOptions = {
  maxOutput: number;
  deadline?: Deadline;
  /** Byte that stands for content a lost back-reference pointed to. */
  filler?: number;
  /** Look for the next block after an error; false stops at the first one. */
  readOn?: boolean;
  /** More output than allowed is cut off rather than refused, where the size is known beforehand. */
  clip?: boolean;
};

/** Output that grows, up to one byte more than is allowed: so it shows whether there would be more. */
class Output implements Sink {
  bytes: Buffer;
  length = 0;
  /** What a copy from before the beginning is filled with; while it is null, there is no such copy. */
  filler: number | null = null;
  readonly #most: number;

  constructor(size: number, most: number) {
    this.bytes = Buffer.allocUnsafe(Math.min(size, most));
    this.#most = most;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(1);
    this.bytes[this.length++] = value;
  }

  copy(distance: number, wanted: number): boolean {
    if (distance > this.length && this.filler === null) return false;
    const count = Math.min(wanted, this.#most - this.length);
    this.#grow(count);
    const to = this.length + count;
    for (let at = this.length, from = at - distance; at < to; at++, from++)
      this.bytes[at] = from >= 0 ? (this.bytes[from] ?? 0) : (this.filler ?? 0);
    this.length = to;
    return true;
  }

  store(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #grow(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(bigger, 0, 0, this.length);
    this.bytes = bigger;
  }
}

/** Codes that a block behind damage must use at least, so that chance is not taken for its header. */
const leastCodes = 8;
/** Bits that such a header must be away from the end. */
const leastHeader = 80;

/** Room for the output to begin with: at least, and by how much text usually grows. */
const leastRoom = 1024;
const usualGrowth = 4;
/** Bytes of output after which the deadline is asked. */
const checkEvery = 1 << 16;
/** What stands for lost bytes unless another one is wished: a space. */
const space = 0x20;

/**
 * Reads DEFLATE data on and on. `reading` is what it does: blocks as they follow each other, or, behind an error, symbols with the codes of
 * the last block (`behind`) until a place where another block's header stands.
 */
class Salvager {
  readonly #options: SalvageOptions;
  readonly #reader: FlateReader;
  readonly output: Output;
  /** Where reading stands in the input, in bits. */
  position = 0;
  firstError: number | null = null;
  complete = false;

  constructor(source: Uint8Array, options: SalvageOptions) {
    this.#options = options;
    this.output = new Output(Math.max(leastRoom, source.length * usualGrowth), options.maxOutput + 1);
    const reader = new FlateReader(padded(source), this.output, null);
    reader.passAt = checkEvery;
    reader.pass = () => {
      reader.passAt += checkEvery;
      options.deadline?.check();
    };
    this.#reader = reader;
  }

  get overflow(): boolean {
    return this.output.length > this.#options.maxOutput;
  }

  run(): void {
    let reading: { behind: number } | 'blocks' | 'over' = 'blocks';
    while (reading !== 'over' && this.position + headBits <= this.#reader.end)
      reading = reading === 'blocks' ? this.#block() : this.#behind(reading.behind);
    if (!this.complete && this.firstError === null)
      this.firstError = Math.min(this.output.length, this.#options.maxOutput);
  }

  /** Reads on with these codes, or with a block that begins here. */
  #read(tables: Codes | null, to?: number): Stop | 'block' {
    const reader = this.#reader;
    reader.place = { ...headAt(this.position, this.output.length), tables };
    const stop = reader.block(this.#options.maxOutput + 1, to);
    this.position = stop === 'bad' && reader.tables ? reader.behind : reader.bit;
    if (stop === 'input' && to === undefined) this.position = reader.end;
    return stop;
  }

  /** Reads the block that begins here. */
  #block(): { behind: number } | 'blocks' | 'over' {
    const start = this.position;
    const stop = this.#read(null);
    const { final, tables, source } = this.#reader;
    if (stop === 'block') {
      this.complete = final && this.firstError === null;
      return final ? 'over' : 'blocks';
    }
    if (stop !== 'bad') return 'over';
    // Codes that are none are looked for again from the next bit on.
    if (tables === null) this.position = start + (hasOwnCodes(source, start) ? 1 : headBits);
    this.firstError ??= this.output.length;
    if (this.#options.readOn === false) return 'over';
    // What damage took is behind the beginning.
    this.output.filler = this.#options.filler ?? space;
    return { behind: this.#nextHeader(this.position) };
  }

  /** Goes on behind an error with the codes of the last block up to `limit`, where the next one is taken to begin. */
  #behind(limit: number): { behind: number } | 'blocks' | 'over' {
    const codes = this.#reader.lastTables;
    if (codes && this.position < limit) {
      const stop = this.#read(codes, limit);
      if (stop === 'full') return 'over';
      if (stop === 'bad') this.position++;
      // A false end of block inside the damage: go on with the same codes until the next real header.
      if (stop === 'bad' || (stop === 'block' && this.position < limit)) return { behind: limit };
    }
    if (limit >= this.#reader.end) return 'over';
    this.position = limit;
    return 'blocks';
  }

  /** Bit position of the next plausible dynamic block header at or after `from`, or the end of the input. */
  #nextHeader(from: number): number {
    const { source, end } = this.#reader;
    for (let position = from; position + leastHeader < end; position++) {
      if ((position & 0x3fff) === 0) this.#options.deadline?.check();
      if (!hasOwnCodes(source, position)) continue;
      const header = readCodeLengths(source, position + headBits);
      if (header && usedCodes(header.lengths, header.literals) >= leastCodes) return position;
    }
    return end;
  }
}

function usedCodes(lengths: Uint8Array, literals: number): number {
  let count = 0;
  for (let symbol = 0; symbol < literals; symbol++) if ((lengths[symbol] ?? 0) > 0) count++;
  return count;
}

/**
 * Inflates raw DEFLATE data (RFC 1951), keeping everything before an error and, with `readOn`, what can be read after it: the block
 * goes on with its own codes, and from the next recognisable block header on with that block's. Never throws for bad data; LimitError
 * when the deadline passes.
 */
export function inflateTolerant(source: Uint8Array, options: SalvageOptions): Salvage {
  const work = new Salvager(source, options);
  work.run();
  const { output, complete, firstError, position, overflow } = work;
  return {
    data: output.bytes.subarray(0, Math.min(output.length, options.maxOutput)),
    complete,
    firstError: complete ? null : firstError,
    consumed: Math.min(source.length, (position + 7) >> 3),
    overflow,
  };
}
