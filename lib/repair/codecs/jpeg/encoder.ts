import { Buffer } from '../../host/bytes';
import type { Layout } from './layout';
import { encoderTable, type HuffmanSpec, standardTable } from './tables';

/** Encodes MCUs one after another in picture order (ISO/IEC 10918-1, F.1.2). */
export class ScanEncoder {
  readonly #writer = new BitWriter();
  readonly #components: Uint8Array;
  readonly #predictors: Int32Array;
  readonly #dc: EncoderTable[];
  readonly #ac: EncoderTable[];

  /** With the standard tables, unless others are given, by class and number as the layout tells them. */
  constructor(layout: Layout, tables?: ReadonlyMap<number, HuffmanSpec>) {
    this.#components = Uint8Array.from(layout.blocks, ({ component }) => component);
    this.#predictors = new Int32Array(layout.components);
    const codes = (kind: number) =>
      layout.blocks.map(({ component, dc, ac }) => {
        const own = tables?.get((kind << 4) | (kind === 0 ? dc : ac));
        return encoderTable(own ?? standardTable(kind, component === 0 ? 0 : 1));
      });
    this.#dc = codes(0);
    this.#ac = codes(1);
  }

  /**
   * Adds one MCU: 64 coefficients per block in zigzag order; DC values are absolute and become differences here. False when a table has no
   * code for it, with which the data is spoilt; with `mayDrop` detail that there is no code for is left out.
   */
  add(coefficients: Int16Array, mayDrop = false): boolean {
    const predictors = this.#predictors;
    const writer = this.#writer;
    for (let index = 0; index < this.#components.length; index++) {
      const at = index * 64;
      const component = this.#components[index] ?? 0;
      const dc = this.#dc[index];
      const ac = this.#ac[index];
      if (!dc || !ac) return false;
      const difference = clamp((coefficients[at] ?? 0) - (predictors[component] ?? 0), largest.dc);
      predictors[component] = (predictors[component] ?? 0) + difference;
      if (!put(writer, dc, bitLength(difference), difference)) return false;
      if (!putDetail(writer, ac, coefficients, at, mayDrop)) return false;
    }
    return true;
  }

  /** Adds MCUs as they are coded in other data, from one bit to before another, which leave the given DC values behind. */
  copy(data: Uint8Array, from: number, to: number, sums: ArrayLike<number>, first: number): void {
    this.#writer.copy(data, from, to);
    for (let index = 0; index < this.#predictors.length; index++) this.#predictors[index] = sums[first + index] ?? 0;
  }

  /** The finished data, its last byte filled with ones. */
  finish(): Buffer {
    return this.#writer.finish();
  }
}

type EncoderTable = ReturnType<typeof encoderTable>;

/** Writes a symbol and behind it the bits of the value whose size its low half tells; false when there is no code for it. */
function put(writer: BitWriter, table: EncoderTable, symbol: number, value: number): boolean {
  const length = table.length[symbol] ?? 0;
  if (length === 0) return false;
  writer.put(table.code[symbol] ?? 0, length);
  const size = symbol & 15;
  if (size > 0) writer.put(value < 0 ? value - 1 + (1 << size) : value, size);
  return true;
}

/** The largest difference of DC values and AC value of eight-bit samples (ISO/IEC 10918-1, F.1.2.1 and F.1.2.2). */
const largest = { dc: 2047, ac: 1023 };
/** Symbols for sixteen zeroes, and for nothing but zeroes up to the end of a block (F.1.2.2.1). */
const sixteenZeroes = 0xf0;
const endOfBlock = 0;

/** Writes the AC values of a block; false when a table has no code for one, unless it may be dropped. */
function putDetail(
  writer: BitWriter,
  table: EncoderTable,
  coefficients: Int16Array,
  at: number,
  mayDrop: boolean,
): boolean {
  let run = 0;
  for (let place = 1; place < 64; place++) {
    const value = clamp(coefficients[at + place] ?? 0, largest.ac);
    if (value === 0 || (mayDrop && !hasCode(table, run, value))) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) if (!put(writer, table, sixteenZeroes, 0)) return false;
    if (!put(writer, table, (run << 4) | bitLength(value), value)) return false;
    run = 0;
  }
  return run === 0 || put(writer, table, endOfBlock, 0);
}

/** Whether a table has the codes for a value behind a run of zeroes. */
function hasCode({ length }: EncoderTable, run: number, value: number): boolean {
  if (!length[((run & 15) << 4) | bitLength(value)]) return false;
  return run < 16 || Boolean(length[sixteenZeroes]);
}

function clamp(value: number, most: number): number {
  if (value > most) return most;
  if (value < -most) return -most;
  return value;
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value < 0 ? -value : value);
}

class BitWriter {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #word = 0;
  #count = 0;

  put(value: number, count: number): void {
    // At most 7 bits wait and at most 16 come, so that 24 bits hold them.
    this.#word = (this.#word << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte((this.#word >> this.#count) & 255);
    }
    this.#word &= 255;
  }

  /** Adds bits of other data, as they are. */
  copy(data: Uint8Array, from: number, to: number): void {
    let at = from;
    for (; at + 8 <= to; at += 8) {
      const byte = at >>> 3;
      const pair = ((data[byte] ?? 255) << 8) | (data[byte + 1] ?? 255);
      this.put((pair >> (8 - (at & 7))) & 255, 8);
    }
    for (; at < to; at++) this.put(((data[at >>> 3] ?? 255) >> (7 - (at & 7))) & 1, 1);
  }

  #byte(value: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      const bigger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(bigger);
      this.#bytes = bigger;
    }
    this.#bytes[this.#length++] = value;
    if (value === 0xff) this.#bytes[this.#length++] = 0;
  }

  finish(): Buffer {
    if (this.#count > 0) this.put((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }
}
