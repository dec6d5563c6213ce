/** Bits of a value without a probability of its own. */
const even = 128;

/** The boolean decoder of VP8 (RFC 6386, 7.3). It never fails: behind the end of its data it reads zeroes, and `left` is below zero then. */
export class BoolReader {
  readonly #data: Uint8Array;
  readonly #end: number;
  #at: number;
  #value: number;
  #range = 255;
  #count = 0;

  constructor(data: Uint8Array, start: number, end: number) {
    this.#data = data;
    this.#end = end;
    this.#at = start;
    this.#value = (this.#next() << 8) | this.#next();
  }

  /** Bytes that were not read. */
  get left(): number {
    return this.#end - this.#at;
  }

  #next(): number {
    const byte = this.#at < this.#end ? (this.#data[this.#at] ?? 0) : 0;
    this.#at++;
    return byte;
  }

  /** A bit that is 0 with a probability of so many parts of 256. */
  bit(probability: number): 0 | 1 {
    const split = 1 + (((this.#range - 1) * probability) >> 8);
    const isOne = this.#value >= split << 8;
    if (isOne) {
      this.#range -= split;
      this.#value -= split << 8;
    } else this.#range = split;
    const shift = Math.clz32(this.#range) - 24;
    this.#range <<= shift;
    for (let left = shift; left > 0; ) {
      const take = Math.min(left, 8 - this.#count);
      this.#value <<= take;
      this.#count += take;
      left -= take;
      if (this.#count < 8) continue;
      this.#count = 0;
      this.#value |= this.#next();
    }
    return isOne ? 1 : 0;
  }

  flag(): boolean {
    return this.bit(even) === 1;
  }

  /** A number of so many bits, the highest first. */
  number(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--) value = value * 2 + this.bit(even);
    return value;
  }

  /** Passes over a number with a sign that is there if a flag says so. */
  skipOptional(bits: number): void {
    if (this.flag()) this.number(bits + 1);
  }
}
