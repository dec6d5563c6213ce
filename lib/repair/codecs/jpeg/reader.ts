import type { Effort } from '../../report';
import type { Layout } from './layout';
import { type Codes, decoderTable, type HuffmanSpec, noCodes, shortBits } from './tables';

/** The largest DC coefficient that is added up to: no picture of eight or twelve bits has one. */
const mostDc = 32_000;

/** Decoding tables of the blocks of one MCU, in the order of the data. */
export type ScanPlan = {
  layout: Layout;
  blocks: { component: number; dc: Codes; ac: Codes }[];
  /** The first scan of a progressive picture holds DC values alone (ISO/IEC 10918-1, G.1.2.1). */
  dcOnly: boolean;
  /** Bits that such a scan leaves out at the low end of every value. */
  low: number;
  /** What reading MCUs is spent from. */
  effort: Effort;
  /** Reads as decoders do: a code that makes no sense is none, a run beyond the block ends it, and reading goes on. */
  lenient?: boolean;
  /** Many zeroes in a row are no data, although they make sense: with them there is more of it than the picture has. */
  noZeroes?: boolean;
};

/** Bits that decoders take for a code that is none: one more than the longest (ISO/IEC 10918-1, C). */
const badCodeBits = 17;

/** What was made ready of tables that are still in use: searches change one of several. */
const ready = new WeakMap<HuffmanSpec, Codes>();

function codesOf(spec: HuffmanSpec): Codes {
  const codes = ready.get(spec) ?? decoderTable(spec);
  ready.set(spec, codes);
  return codes;
}

/** Prepares the tables; where one is missing nothing decodes. */
export function planScan(
  layout: Layout,
  tables: ReadonlyMap<number, HuffmanSpec>,
  effort: Effort,
  dcOnly = false,
  low = 0,
): ScanPlan {
  const lookups = new Map<number, Codes>();
  for (const [key, spec] of tables) lookups.set(key, codesOf(spec));
  const blocks = layout.blocks.map((block) => ({
    component: block.component,
    dc: lookups.get(block.dc) ?? noCodes,
    ac: lookups.get(0x10 | block.ac) ?? noCodes,
  }));
  return { layout, blocks, dcOnly, low, effort };
}

/** Reads MCUs (ISO/IEC 10918-1, F.2.2) from data without stuffing, at any bit. Past the end the data reads as ones. */
export class McuReader {
  #data: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#data.buffer);
  /** Codes that made no sense, where reading is lenient. */
  faults = 0;
  /** Place of the next bit. */
  position = 0;
  /** The last DC value of each component; an MCU's values are counted on from here. */
  readonly predictors: Int32Array;
  /** Coefficients of the MCU read last, 64 per block in zigzag order; DC values are sums, not differences. */
  readonly coefficients: Int16Array;
  /** Index of the last coefficient of each block that is not zero. */
  readonly last: Uint8Array;
  readonly plan: ScanPlan;

  constructor(data: Uint8Array, plan: ScanPlan) {
    this.data = data;
    this.plan = plan;
    this.predictors = new Int32Array(plan.layout.components);
    this.coefficients = new Int16Array(plan.blocks.length * 64);
    this.last = new Uint8Array(plan.blocks.length);
  }

  get data(): Uint8Array {
    return this.#data;
  }

  set data(data: Uint8Array) {
    if (data === this.#data) return;
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.length);
  }

  get end(): number {
    return this.#data.length * 8;
  }

  /** The bits from `position` on, 25 of them at least, at the high end of a word. */
  #word(position: number): number {
    const byte = position >>> 3;
    const data = this.#data;
    if (byte + 4 <= data.length) return this.#view.getInt32(byte) << (position & 7);
    const word =
      ((data[byte] ?? 255) << 24) |
      ((data[byte + 1] ?? 255) << 16) |
      ((data[byte + 2] ?? 255) << 8) |
      (data[byte + 3] ?? 255);
    return word << (position & 7);
  }

  /** Nothing is left but the ones that fill the last byte. */
  finished(): boolean {
    const left = this.end - this.position;
    return left <= 0 || (left < 8 && this.#word(this.position) >>> (32 - left) === (1 << left) - 1);
  }

  /** Whether only zeroes are left of a last byte, with which some cameras fill it up instead of ones (F.1.2.3). */
  isFilledUp(position: number): boolean {
    const left = this.end - position;
    return left > 0 && left < 8 && this.#word(position) >>> (32 - left) === 0;
  }

  seek(position: number, predictors: ArrayLike<number>, from = 0): void {
    this.position = position;
    for (let index = 0; index < this.predictors.length; index++) this.predictors[index] = predictors[from + index] ?? 0;
  }

  /** Reads the next MCU; false when a code or a run of coefficients makes no sense, or the data ends within. */
  mcu(): boolean {
    const { coefficients, predictors, last } = this;
    const { blocks } = this.plan;
    coefficients.fill(0);
    this.plan.effort.spend('jpegBlock', blocks.length);
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index];
      if (!block) return false;
      const at = index * 64;
      const end = this.#block(block.dc, block.ac, at);
      if (end < 0) return false;
      last[index] = end;
      const sum = (predictors[block.component] ?? 0) + (coefficients[at] ?? 0);
      if (Math.abs(sum) > mostDc) return false;
      predictors[block.component] = sum;
      coefficients[at] = sum;
    }
    return this.position <= this.end;
  }

  #block(dc: Codes, ac: Codes, at: number): number {
    const { coefficients } = this;
    let { position } = this;
    let word = this.#word(position);
    let entry = dc.short[word >>> (32 - shortBits)] || (dc.full[word >>> 16] ?? 0);
    const isLenient = this.plan.lenient === true;
    if (entry === 0 && !isLenient) return -1;
    if (entry === 0) this.faults++;
    position += entry === 0 ? badCodeBits : entry >> 8;
    this.position = position;
    const size = entry & 255;
    if (size > 11) return -1;
    if (size > 0) {
      word = this.#word(position);
      coefficients[at] = signed(word, size);
      position += size;
    }
    let last = 0;
    if (this.plan.dcOnly) {
      this.position = position;
      return last;
    }
    const { short, full } = ac;
    for (let index = 1; index < 64; index++) {
      word = this.#word(position);
      entry = short[word >>> (32 - shortBits)] || (full[word >>> 16] ?? 0);
      if (entry === 0) {
        return this.#faulty(position, badCodeBits, last);
      }
      const length = entry >> 8;
      position += length;
      const bits = entry & 15;
      if (bits === 0) {
        if ((entry & 0xf0) !== 0xf0) break;
        index += 15;
        continue;
      }
      index += (entry >> 4) & 15;
      if (index > 63 || bits > 10) {
        return this.#faulty(position, bits, last);
      }
      // Only the longest codes leave too few bits of the word for their value.
      word = length > 15 ? this.#word(position) : word << length;
      coefficients[at + index] = signed(word, bits);
      position += bits;
      last = index;
    }
    this.position = position;
    return last;
  }

  /** Where a code makes no sense: what a block's reading comes to there, over so many bits where it is lenient. */
  #faulty(position: number, bits: number, last: number): number {
    const isLenient = this.plan.lenient === true;
    this.position = position + (isLenient ? bits : 0);
    if (isLenient) this.faults++;
    return isLenient ? last : -1;
  }
}

/** The first bits of a word as a number with sign (F.2.2.1, EXTEND). */
function signed(word: number, size: number): number {
  return (word >>> (32 - size)) + ((~word >> 31) & (1 - (1 << size)));
}
