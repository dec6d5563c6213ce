import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { blockHead, headBits, storedBytesAt, storedLength } from './blocks';
import { type Codes, peekBits, readCodeLengths } from './codes';
import { bitsOf, codeWidth, distanceOf, isByte, isEndOfBlock, padded, symbolAt, symbolValue, widthOf } from './symbols';

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

class Output {
  bytes: Buffer;
  length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  room(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(bigger, 0, 0, this.length);
    this.bytes = bigger;
  }

  put(byte: number): void {
    this.room(1);
    this.bytes[this.length++] = byte;
  }
}

/** How reading a block ended: at its end or the wished place, at bits without meaning, with the input, or with as much output as is allowed. */
type BlockEnd = 'end' | 'bad' | 'input' | 'full';

/** Codes that a block behind damage must use at least, so that chance is not taken for its header. */
const leastCodes = 8;
/** Bits that such a header must be away from the end. */
const leastHeader = 80;

/**
 * Reads DEFLATE data on and on. `reading` is what it does: blocks as they follow each other, or, behind an error, symbols with the codes of
 * the last block (`behind`) until a place where another block's header stands.
 */
class Salvager {
  readonly #source: Uint8Array;
  readonly #view: DataView;
  readonly #options: SalvageOptions;
  readonly output: Output;
  /** Length of the input, and where reading stands in it, in bits. */
  readonly #end: number;
  position = 0;
  firstError: number | null = null;
  complete = false;
  overflow = false;
  #codes: Codes | null = null;
  #final = false;

  constructor(source: Uint8Array, options: SalvageOptions) {
    this.#source = source;
    this.#options = options;
    const view = padded(source);
    this.#view = new DataView(view.buffer);
    this.#end = bitsOf(view);
    this.output = new Output(Math.min(options.maxOutput, Math.max(1024, source.length * 4)));
  }

  run(): void {
    let reading: { behind: number } | 'blocks' | 'over' = 'blocks';
    while (reading !== 'over' && this.position + headBits <= this.#end) {
      if (reading === 'blocks') {
        const end = this.#block();
        if (end === 'end' && this.#final && this.firstError === null) this.complete = true;
        reading = end === 'end' ? (this.#final ? 'over' : 'blocks') : this.#stopped(end);
      } else reading = this.#behind(reading.behind);
    }
    if (!this.complete && this.firstError === null) this.firstError = this.output.length;
  }

  /** What is done after a block that did not end as it should. */
  #stopped(end: Exclude<BlockEnd, 'end'>): { behind: number } | 'over' {
    if (end === 'full') this.overflow = true;
    if (end !== 'bad') return 'over';
    this.firstError ??= this.output.length;
    if (this.#options.readOn === false) return 'over';
    this.#final = false;
    return { behind: this.#nextHeader(this.position) };
  }

  /** Goes on behind an error with the codes of the last block up to `limit`, where the next one is taken to begin. */
  #behind(limit: number): { behind: number } | 'blocks' | 'over' {
    const codes = this.#codes;
    const end = codes && this.position < limit ? this.#symbols(codes, limit) : 'end';
    if (end === 'bad') this.position++;
    // A false end of block inside the damage: go on with the same codes until the next real header.
    if (end === 'bad' || (end === 'end' && this.position < limit && codes)) return { behind: limit };
    if (limit >= this.#end) return 'over';
    this.position = limit;
    this.#final = false;
    if (end === 'full') this.overflow = true;
    return end === 'end' ? 'blocks' : 'over';
  }

  /** Reads the block that begins here. */
  #block(): BlockEnd {
    const start = this.position;
    const head = blockHead(this.#source, start);
    this.#final = head.final;
    this.position = start + headBits;
    if (head.kind === 'stored') return this.#stored(head.at);
    if (head.kind === 'codes') {
      this.position = head.bit;
      return this.#symbols(head.codes, this.#end);
    }
    // Codes that are none are looked for again from the next bit on.
    if ((peekBits(this.#source, start) & 6) === 4) this.position = start + 1;
    return 'bad';
  }

  /** Decodes symbols until the block ends, the bits make no sense, or `limit` (a bit position) is reached. */
  #symbols(codes: Codes, limit: number): BlockEnd {
    this.#codes = codes;
    const { output } = this;
    const { maxOutput, deadline } = this.#options;
    for (let steps = 1; this.position < limit; steps++) {
      if ((steps & 0x3fff) === 0) deadline?.check();
      const symbol = symbolAt(this.#view, codes, this.position);
      if (isFull(symbol, output.length, maxOutput)) {
        this.position += codeWidth(this.#view, codes, this.position);
        return this.position > this.#end ? 'input' : 'full';
      }
      this.position += symbol < 0 ? ~symbol : widthOf(symbol);
      if (this.position > this.#end && symbol !== ~0) return 'input';
      if (isByte(symbol)) {
        output.put(symbolValue(symbol));
        continue;
      }
      if (symbol < 0) return 'bad';
      if (isEndOfBlock(symbol)) return 'end';
      const distance = distanceOf(symbol);
      // What damage took is behind the beginning.
      if (distance > output.length && this.firstError === null) return 'bad';
      this.#copy(symbolValue(symbol), distance);
    }
    return limit < this.#end ? 'end' : 'input';
  }

  #copy(length: number, distance: number): void {
    const { output } = this;
    const count = Math.min(length, this.#options.maxOutput - output.length);
    output.room(count);
    for (let index = 0; index < count; index++) {
      const from = output.length - distance;
      output.bytes[output.length] = from >= 0 ? (output.bytes[from] ?? 0) : (this.#options.filler ?? 0x20);
      output.length++;
    }
  }

  #stored(at: number): BlockEnd {
    const { output } = this;
    const source = this.#source;
    const { maxOutput } = this.#options;
    const length = storedLength(source, at, source.length);
    if (typeof length === 'string') return length;
    const from = storedBytesAt(at);
    const count = Math.min(length, source.length - from, maxOutput - output.length);
    output.room(count);
    output.bytes.set(source.subarray(from, from + count), output.length);
    output.length += count;
    this.position = (from + count) * 8;
    if (output.length >= maxOutput) return 'full';
    return count < length ? 'input' : 'end';
  }

  /** Bit position of the next plausible dynamic block header at or after `from`, or the end of the input. */
  #nextHeader(from: number): number {
    const source = this.#source;
    for (let position = from; position + leastHeader < this.#end; position++) {
      if ((position & 0x3fff) === 0) this.#options.deadline?.check();
      if ((peekBits(source, position + 1) & 3) !== 2) continue;
      const header = readCodeLengths(source, position + headBits);
      if (header && usedCodes(header.lengths, header.literals) >= leastCodes) return position;
    }
    return this.#end;
  }
}

/** Whether there is no room any more for what a symbol gives; one that gives nothing needs none. */
const isFull = (symbol: number, length: number, most: number): boolean =>
  length >= most && symbol !== ~0 && !(symbol >= 0 && isEndOfBlock(symbol));

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
    data: output.bytes.subarray(0, output.length),
    complete,
    firstError: complete ? null : firstError,
    consumed: Math.min(source.length, (position + 7) >> 3),
    overflow,
  };
}
