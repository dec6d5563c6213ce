/** Bits that a code which is none takes: one more than the longest has (ISO/IEC 10918-1, C). */
const badCodeBits = 17;
/** The last coefficient of a block; runs that lead beyond it end there. */
const lastIndex = 63;

/** What a scan of a progressive picture holds of its blocks (ISO/IEC 10918-1, G.1.1.1): Ss, Se, Ah and Al. */
export type Pass = { from: number; to: number; high: number; low: number };

/**
 * Reads the blocks of a progressive scan (ISO/IEC 10918-1, G.2) as decoders that are in wide use do, whatever the data is: a code that is none
 * ends its block, a run beyond the block stores at its end, and where the data is over zeroes follow to the end of the block, and no more blocks.
 */
export class LenientReader {
  readonly #data: Uint8Array;
  readonly #pass: Pass;
  #position = 0;
  /** Blocks to come that have nothing more in this band. */
  #pending = 0;
  /** Bits were asked for that are not there. */
  isOver = false;

  constructor(data: Uint8Array, pass: Pass) {
    this.#data = data;
    this.#pass = pass;
  }

  /** Nothing is left but what fills the last byte: the data held as many blocks as were read, so that they are in step. */
  get isAtEnd(): boolean {
    const left = this.#data.length * 8 - this.#position;
    return this.#pending === 0 && left >= 0 && left < 8;
  }

  /** The first pass of a DC value: by how much it differs from the one before, in steps of the pass. */
  difference(table: Uint16Array): number {
    const size = this.#code(table) & 15;
    return this.#signed(size);
  }

  /** One block of a band, or one more bit of a DC value. */
  block(table: Uint16Array, out: Int16Array, at: number): void {
    const { from, high, low } = this.#pass;
    if (from === 0) {
      if (this.#bits(1) > 0) out[at] = (out[at] ?? 0) | (1 << low);
      return;
    }
    if (this.isOver) return;
    if (high === 0) this.#first(table, out, at);
    else this.#refine(table, out, at);
  }

  #first(table: Uint16Array, out: Int16Array, at: number): void {
    const { from, to, low } = this.#pass;
    if (this.#pending > 0) {
      this.#pending--;
      return;
    }
    for (let index = from; index <= to; index++) {
      const symbol = this.#code(table);
      const [run, size] = [symbol >> 4, symbol & 15];
      if (size === 0 && run < 15) {
        this.#pending = (1 << run) - 1 + this.#bits(run);
        return;
      }
      index += run;
      if (size > 0) out[at + Math.min(index, lastIndex)] = this.#signed(size) << low;
    }
  }

  #refine(table: Uint16Array, out: Int16Array, at: number): void {
    const { from, to, low } = this.#pass;
    const bit = 1 << low;
    let index = from;
    for (; this.#pending === 0 && index <= to; index++) {
      const symbol = this.#code(table);
      const [length, size] = [symbol >> 4, symbol & 15];
      if (size === 0 && length < 15) {
        this.#pending = (1 << length) + this.#bits(length);
        break;
      }
      const value = size === 0 ? 0 : this.#bits(1) > 0 ? bit : -bit;
      index = this.#skip(out, at, index, length);
      if (value !== 0) out[at + Math.min(index, lastIndex)] = value;
    }
    if (this.#pending === 0) return;
    for (; index <= to; index++) if ((out[at + index] ?? 0) !== 0) this.#correct(out, at + index, bit);
    this.#pending--;
  }

  /** Steps over so many coefficients that were zero so far, with one more bit of those that were not; where the next of zero is. */
  #skip(out: Int16Array, at: number, from: number, zeroes: number): number {
    const { to, low } = this.#pass;
    let left = zeroes;
    let index = from;
    for (; index <= to; index++) {
      if ((out[at + index] ?? 0) !== 0) this.#correct(out, at + index, 1 << low);
      else if (left-- === 0) break;
    }
    return index;
  }

  #correct(out: Int16Array, at: number, bit: number): void {
    if (this.#bits(1) === 0) return;
    const value = out[at] ?? 0;
    if ((Math.abs(value) & bit) === 0) out[at] = value + (value > 0 ? bit : -bit);
  }

  #code(table: Uint16Array): number {
    const entry = table[this.#peek()] ?? 0;
    this.#step(entry === 0 ? badCodeBits : entry >> 8);
    return entry & 255;
  }

  #signed(size: number): number {
    if (size === 0) return 0;
    const value = this.#bits(size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  #bits(count: number): number {
    if (count === 0) return 0;
    const value = this.#peek() >> (16 - count);
    this.#step(count);
    return value;
  }

  #step(bits: number): void {
    this.#position += bits;
    if (this.#position > this.#data.length * 8) this.isOver = true;
  }

  #peek(): number {
    const byte = this.#position >>> 3;
    const data = this.#data;
    const word = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0);
    return (word >> (8 - (this.#position & 7))) & 0xffff;
  }
}
