import type { Deadline } from '../report';
import { buildCode, codeSpaceLeft, type PrefixCode } from './huffman';

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

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
  readonly #bytes: Uint8Array;
  readonly end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.end = bytes.length * 8;
  }

  /** `count` bits, least significant first; bits past the end read as zero, which `position` tells. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) {
      const at = this.position + index;
      value |= (((this.#bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << index;
    }
    this.position += count;
    return value;
  }

  /** One symbol, or -1 when the bits are no code word. */
  symbol(code: PrefixCode): number {
    let word = 0;
    let first = 0;
    let index = 0;
    const bytes = this.#bytes;
    let at = this.position;
    for (let length = 1; length <= 15; length++) {
      word |= ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1;
      at++;
      const count = code.counts[length] ?? 0;
      if (word - count < first) {
        this.position = at;
        return code.symbols[index + (word - first)] ?? -1;
      }
      index += count;
      first = (first + count) << 1;
      word <<= 1;
    }
    return -1;
  }
}

type Tables = { literal: PrefixCode; distance: PrefixCode };

let fixed: Tables | undefined;
function fixedTables(): Tables {
  if (!fixed) {
    const lengths = new Uint8Array(288);
    for (let symbol = 0; symbol < 288; symbol++)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    fixed = { literal: buildCode(lengths, 288), distance: buildCode(new Uint8Array(30).fill(5), 30) };
  }
  return fixed;
}

/** Reads the tables of a dynamic block (RFC 1951, 3.2.7); null when they are not a valid set, so not a block header. */
function dynamicTables(reader: BitReader): Tables | null {
  const literals = reader.bits(5) + 257;
  const distances = reader.bits(5) + 1;
  const codes = reader.bits(4) + 4;
  if (literals > 286 || distances > 30) return null;
  const lengths = new Uint8Array(320);
  const codeLengths = new Uint8Array(19);
  for (let index = 0; index < codes; index++) codeLengths[codeOrder[index] ?? 0] = reader.bits(3);
  if (codeSpaceLeft(codeLengths, 19) !== 0) return null;
  const code = buildCode(codeLengths, 19);
  let index = 0;
  while (index < literals + distances) {
    if (reader.position > reader.end) return null;
    const symbol = reader.symbol(code);
    if (symbol < 0) return null;
    if (symbol < 16) {
      lengths[index++] = symbol;
      continue;
    }
    if (symbol === 16 && index === 0) return null;
    const value = symbol === 16 ? (lengths[index - 1] ?? 0) : 0;
    let repeat = symbol === 16 ? 3 + reader.bits(2) : symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7);
    if (index + repeat > literals + distances) return null;
    while (repeat-- > 0) lengths[index++] = value;
  }
  if ((lengths[256] ?? 0) === 0) return null;
  const distanceLengths = lengths.subarray(literals, literals + distances);
  const distanceSpace = codeSpaceLeft(distanceLengths, distances);
  if (codeSpaceLeft(lengths, literals) !== 0 || distanceSpace < 0) return null;
  if (distanceSpace > 0 && distanceLengths.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0) > 1) return null;
  return { literal: buildCode(lengths, literals), distance: buildCode(distanceLengths, distances) };
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
  tables: Tables | null = null;
  damaged = false;

  constructor(source: Uint8Array, options: SalvageOptions) {
    this.source = source;
    this.options = options;
    this.reader = new BitReader(source);
    this.output = new Output(Math.min(options.maxOutput, Math.max(1024, source.length * 4)));
  }

  /** Decodes symbols until the block ends, the bits make no sense, or `limit` (a bit position) is reached. */
  block(tables: Tables, limit: number): BlockEnd {
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
    const probe = new BitReader(this.source);
    for (let position = from; position + 80 < probe.end; position++) {
      if ((position & 0x3fff) === 0) this.options.deadline?.check();
      probe.position = position + 1;
      if (probe.bits(2) !== 2) continue;
      const tables = dynamicTables(probe);
      if (!tables) continue;
      const used = usedCodes(tables.literal);
      if (used >= 8) return position;
    }
    return probe.end;
  }
}

function usedCodes(code: PrefixCode): number {
  return code.counts.reduce((sum, count) => sum + count, 0);
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
      else if (type === 1) end = work.block(fixedTables(), reader.end);
      else if (type === 2) {
        const tables = dynamicTables(reader);
        end = tables ? work.block(tables, reader.end) : 'bad';
        if (!tables) reader.position = start + 1;
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
