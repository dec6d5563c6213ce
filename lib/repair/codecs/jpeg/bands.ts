import { decoderTable, type HuffmanSpec, noCodes } from './tables';

/** Bits that hold no block any more, but a marker's first byte or what a writer left behind. */
const restBits = 24;

/** A band of coefficients of one component: first and last of them, and the bit they are sent at (ISO/IEC 10918-1, G.1.1.1). */
export type Band = { from: number; to: number; low: number };

/** Reads the AC scans of progressive pictures (G.1.2.2 and G.1.2.3, decoded after G.2) from data without stuffing. */
export class BandReader {
  /** Without stuffing. */
  readonly data: Uint8Array;
  readonly #table: Uint16Array;
  readonly #band: Band;
  position = 0;
  /** Blocks to come that have nothing more in this band. */
  pending = 0;

  constructor(data: Uint8Array, spec: HuffmanSpec | undefined, band: Band) {
    this.data = data;
    this.#table = (spec ? decoderTable(spec) : noCodes).full;
    this.#band = band;
  }

  get end(): number {
    return this.data.length * 8;
  }

  /** Nothing is left but the ones that fill the last byte. */
  finished(): boolean {
    const left = this.end - this.position;
    return this.pending === 0 && (left <= 0 || (left < 8 && this.#peek() >> (16 - left) === (1 << left) - 1));
  }

  /** Hardly anything is left: a marker's first byte where a file was cut, or what a writer left behind. */
  nearlyFinished(): boolean {
    return this.pending === 0 && this.end - this.position < restBits;
  }

  #peek(): number {
    const byte = this.position >>> 3;
    const { data } = this;
    const word = ((data[byte] ?? 255) << 16) | ((data[byte + 1] ?? 255) << 8) | (data[byte + 2] ?? 255);
    return (word >> (8 - (this.position & 7))) & 0xffff;
  }

  #bits(count: number): number {
    if (count === 0) return 0;
    const value = this.#peek() >> (16 - count);
    this.position += count;
    return value;
  }

  /** The first scan of a band, one block; false when the data makes no sense or ends. */
  first(out: Int16Array, at: number): boolean {
    if (this.pending > 0) {
      this.pending--;
      return true;
    }
    const { from, to, low } = this.#band;
    for (let index = from; index <= to; index++) {
      const entry = this.#table[this.#peek()] ?? 0;
      if (entry === 0) return false;
      this.position += entry >> 8;
      const [run, size] = [(entry >> 4) & 15, entry & 15];
      if (size === 0) {
        if (run < 15) {
          this.pending = (1 << run) - 1 + this.#bits(run);
          break;
        }
        index += 15;
        continue;
      }
      index += run;
      if (index > to || size > 12) return false;
      const value = this.#bits(size);
      out[at + index] = (value < 1 << (size - 1) ? value - (1 << size) + 1 : value) << low;
    }
    return this.position <= this.end;
  }

  /** A scan that adds one bit to a band, one block; false when the data makes no sense or ends. */
  refine(out: Int16Array, at: number): boolean {
    const { from, to, low } = this.#band;
    const bit = 1 << low;
    let index = from;
    while (this.pending === 0 && index <= to) {
      const next = this.#refineRun(out, at, index, bit);
      if (next === null) return false;
      index = next;
    }
    if (this.pending > 0) {
      for (; index <= to; index++) if ((out[at + index] ?? 0) !== 0) this.#correct(out, at + index, bit);
      this.pending--;
    }
    return this.position <= this.end;
  }

  /** One run of coefficients that were zero so far, and the new one behind it; where the next begins, null when the data makes no sense. */
  #refineRun(out: Int16Array, at: number, from: number, bit: number): number | null {
    const { to } = this.#band;
    const entry = this.#table[this.#peek()] ?? 0;
    if (entry === 0) return null;
    this.position += entry >> 8;
    const [length, size] = [(entry >> 4) & 15, entry & 15];
    if (size === 0 && length < 15) {
      this.pending = (1 << length) + this.#bits(length);
      return from;
    }
    if (size > 1) return null;
    const value = size === 1 ? (this.#bits(1) ? bit : -bit) : 0;
    let run = length;
    let index = from;
    for (; index <= to; index++) {
      if ((out[at + index] ?? 0) !== 0) this.#correct(out, at + index, bit);
      else if (run-- === 0) break;
    }
    if (value === 0) return index + 1;
    if (index > to) return null;
    out[at + index] = value;
    return index + 1;
  }

  #correct(out: Int16Array, at: number, bit: number): void {
    if (!this.#bits(1)) return;
    const value = out[at] ?? 0;
    if ((Math.abs(value) & bit) === 0) out[at] = value + (value > 0 ? bit : -bit);
  }
}
