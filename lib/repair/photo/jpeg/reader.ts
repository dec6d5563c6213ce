import type { Layout } from './layout';
import { decoderTable, type HuffmanSpec } from './tables';

/** Decoding tables of the blocks of one MCU, in the order of the data. */
export type ScanPlan = {
  layout: Layout;
  blocks: { component: number; dc: Uint16Array; ac: Uint16Array }[];
  /** The first scan of a progressive picture holds DC values alone (ISO/IEC 10918-1, G.1.2.1). */
  dcOnly: boolean;
  /** Bits that such a scan leaves out at the low end of every value. */
  low: number;
};

/** Prepares the tables; where one is missing nothing decodes. */
export function planScan(layout: Layout, tables: ReadonlyMap<number, HuffmanSpec>, dcOnly = false, low = 0): ScanPlan {
  const lookups = new Map<number, Uint16Array>();
  for (const [key, spec] of tables) lookups.set(key, decoderTable(spec));
  const none = new Uint16Array(65536);
  const blocks = layout.blocks.map((block) => ({
    component: block.component,
    dc: lookups.get(block.dc) ?? none,
    ac: lookups.get(0x10 | block.ac) ?? none,
  }));
  return { layout, blocks, dcOnly, low };
}

/** Reads MCUs (ISO/IEC 10918-1, F.2.2) from data without stuffing, at any bit. Past the end the data reads as ones. */
export class McuReader {
  data: Uint8Array;
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

  get end(): number {
    return this.data.length * 8;
  }

  peek(): number {
    const byte = this.position >>> 3;
    const { data } = this;
    const word = ((data[byte] ?? 255) << 16) | ((data[byte + 1] ?? 255) << 8) | (data[byte + 2] ?? 255);
    return (word >> (8 - (this.position & 7))) & 0xffff;
  }

  /** Nothing is left but the ones that fill the last byte. */
  finished(): boolean {
    const left = this.end - this.position;
    return left <= 0 || (left < 8 && this.peek() >> (16 - left) === (1 << left) - 1);
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
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index];
      if (!block) return false;
      const at = index * 64;
      const end = this.#block(block.dc, block.ac, at);
      if (end < 0) return false;
      last[index] = end;
      const sum = (predictors[block.component] ?? 0) + (coefficients[at] ?? 0);
      if (sum > 32000 || sum < -32000) return false;
      predictors[block.component] = sum;
      coefficients[at] = sum;
    }
    return this.position <= this.end;
  }

  #block(dc: Uint16Array, ac: Uint16Array, at: number): number {
    const { coefficients } = this;
    const first = dc[this.peek()] ?? 0;
    if (first === 0) return -1;
    this.position += first >> 8;
    const size = first & 255;
    if (size > 11) return -1;
    if (size > 0) coefficients[at] = this.#value(size);
    let last = 0;
    if (this.plan.dcOnly) return last;
    for (let index = 1; index < 64; index++) {
      const entry = ac[this.peek()] ?? 0;
      if (entry === 0) return -1;
      this.position += entry >> 8;
      const bits = entry & 15;
      const run = (entry >> 4) & 15;
      if (bits === 0) {
        if (run !== 15) break;
        index += 15;
        continue;
      }
      index += run;
      if (index > 63 || bits > 10) return -1;
      coefficients[at + index] = this.#value(bits);
      last = index;
    }
    return last;
  }

  /** The next bits as a number with sign (F.2.2.1, EXTEND). */
  #value(size: number): number {
    const value = this.peek() >> (16 - size);
    this.position += size;
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }
}
