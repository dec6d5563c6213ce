import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
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

class BitReader {
  position = 0;
  readonly bytes: Uint8Array;
  readonly end: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length * 8;
  }

  /** `count` bits, at most 16, least significant first; bits past the end read as zero, which `position` tells. */
  bits(count: number): number {
    const value = peekBits(this.bytes, this.position) & ((1 << count) - 1);
    this.position += count;
    return value;
  }

  /** One symbol, or -1 when the bits are no code word. */
  symbol(code: Uint16Array): number {
    const entry = code[peekBits(this.bytes, this.position) & 0x7fff] ?? 0;
    if (entry === 0) return -1;
    this.position += entry & 15;
    return entry >> 4;
  }
}

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
}

type BlockEnd = 'end' | 'bad' | 'input' | 'full';

class Salvager {
  readonly reader: BitReader;
  readonly output: Output;
  readonly source: Uint8Array;
  readonly options: SalvageOptions;
  tables: Codes | null = null;
  damaged = false;

  constructor(source: Uint8Array, options: SalvageOptions) {
    this.source = source;
    this.options = options;
    this.reader = new BitReader(source);
    this.output = new Output(Math.min(options.maxOutput, Math.max(1024, source.length * 4)));
  }

  /** Decodes symbols until the block ends, the bits make no sense, or `limit` (a bit position) is reached. */
  block(tables: Codes, limit: number): BlockEnd {
    const { reader, output } = this;
    this.tables = tables;
    let steps = 0;
    for (;;) {
      if ((++steps & 0x3fff) === 0) this.options.deadline?.check();
      if (reader.position >= limit) return limit < reader.end ? 'end' : 'input';
      const symbol = reader.symbol(tables.literal);
      if (symbol < 0) return 'bad';
      if (reader.position > reader.end) return 'input';
      if (symbol === 256) return 'end';
      if (output.length >= this.options.maxOutput) return 'full';
      if (symbol < 256) {
        output.room(1);
        output.bytes[output.length++] = symbol;
        continue;
      }
      const lengthIndex = symbol - 257;
      if (lengthIndex > 28) return 'bad';
      const length = (lengthBase[lengthIndex] ?? 0) + reader.bits(lengthExtra[lengthIndex] ?? 0);
      const distanceSymbol = reader.symbol(tables.distance);
      if (distanceSymbol < 0 || distanceSymbol > 29) return 'bad';
      const distance = (distanceBase[distanceSymbol] ?? 0) + reader.bits(distanceExtra[distanceSymbol] ?? 0);
      if (reader.position > reader.end) return 'input';
      if (distance > output.length && !this.damaged) return 'bad';
      this.copy(length, distance);
    }
  }

  copy(length: number, distance: number): void {
    const { output } = this;
    const count = Math.min(length, this.options.maxOutput - output.length);
    output.room(count);
    for (let index = 0; index < count; index++) {
      const from = output.length - distance;
      output.bytes[output.length] = from >= 0 ? (output.bytes[from] ?? 0) : (this.options.filler ?? 0x20);
      output.length++;
    }
  }

  stored(): BlockEnd {
    const { reader, output } = this;
    const start = (reader.position + 7) >> 3;
    const length = (this.source[start] ?? 0) | ((this.source[start + 1] ?? 0) << 8);
    const check = (this.source[start + 2] ?? 0) | ((this.source[start + 3] ?? 0) << 8);
    if (start + 4 > this.source.length) return 'input';
    if ((length ^ check) !== 0xffff) return 'bad';
    const count = Math.min(length, this.source.length - start - 4, this.options.maxOutput - output.length);
    output.room(count);
    output.bytes.set(this.source.subarray(start + 4, start + 4 + count), output.length);
    output.length += count;
    reader.position = (start + 4 + count) * 8;
    if (output.length >= this.options.maxOutput) return 'full';
    return count < length ? 'input' : 'end';
  }

  /** Bit position of the next plausible dynamic block header at or after `from`, or the end of the input. */
  nextHeader(from: number): number {
    const { source } = this;
    const end = source.length * 8;
    for (let position = from; position + 80 < end; position++) {
      if ((position & 0x3fff) === 0) this.options.deadline?.check();
      if ((peekBits(source, position + 1) & 3) !== 2) continue;
      const header = readCodeLengths(source, position + 3);
      if (header && usedCodes(header.lengths, header.literals) >= 8) return position;
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
  const { reader, output } = work;
  let firstError: number | null = null;
  let complete = false;
  let overflow = false;
  let final = false;
  let resume: number | null = null;
  while (!final || resume !== null) {
    if (reader.position + 3 > reader.end) break;
    let end: BlockEnd;
    if (resume !== null) {
      const limit: number = resume;
      resume = null;
      end = work.tables && reader.position < limit ? work.block(work.tables, limit) : 'end';
      // A false end of block inside the damage: go on with the same codes until the next real header.
      if (end === 'end' && reader.position < limit && work.tables) {
        resume = limit;
        continue;
      }
      if (end === 'bad') {
        reader.position++;
        resume = limit;
        continue;
      }
      if (limit >= reader.end) break;
      reader.position = limit;
      final = false;
    } else {
      const start = reader.position;
      final = reader.bits(1) === 1;
      const type = reader.bits(2);
      if (type === 0) end = work.stored();
      else if (type === 1) end = work.block(fixedCodes(), reader.end);
      else if (type === 2) {
        const header = readCodeLengths(source, reader.position);
        reader.position = header?.end ?? start + 1;
        end = header ? work.block(codesOf(header), reader.end) : 'bad';
      } else end = 'bad';
      if (end === 'end' && final && firstError === null) complete = true;
    }
    if (end === 'full') {
      overflow = true;
      break;
    }
    if (end === 'input') break;
    if (end === 'bad') {
      if (firstError === null) firstError = output.length;
      if (options.readOn === false) break;
      work.damaged = true;
      final = false;
      resume = work.nextHeader(reader.position);
    }
  }
  if (!complete && firstError === null) firstError = output.length;
  return {
    data: output.bytes.subarray(0, output.length),
    complete,
    firstError: complete ? null : firstError,
    consumed: Math.min(source.length, (reader.position + 7) >> 3),
    overflow,
  };
}
