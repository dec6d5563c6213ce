/** superframe_marker, in the upper bits of a byte (VP9 bitstream specification, B.2). */
export const superframeMark = 0xc0;
export const superframeMask = 0xe0;
/** A value without a probability of its own. */
const even = 128;
/** Bits that are taken in at once. */
const fillBits = 16;
/** Zeroes at even odds with which libvpx ends what it encodes (vpx_stop_encode), so that all bits before them are out. */
const closingZeros = 32;

/**
 * The boolean decoder of VP8 (RFC 6386, 7.3) and VP9 (VP9 bitstream specification, 9.2). It never fails: behind the end of its data it reads
 * zeroes, and `missing` is above zero then.
 */
export class BoolReader {
  readonly #data: Uint8Array;
  readonly #start: number;
  #end: number;
  #at: number;
  /** The eight bits that are compared, with `#ahead` more behind them. */
  #value = 0;
  #ahead = -8;
  #range = 255;

  constructor(data: Uint8Array, start: number, end: number) {
    this.#data = data;
    this.#start = start;
    this.#end = end;
    this.#at = start;
    this.#fill();
  }

  #fill(): void {
    const [data, end, at] = [this.#data, this.#end, this.#at];
    const [first, second] = [at < end ? (data[at] ?? 0) : 0, at + 1 < end ? (data[at + 1] ?? 0) : 0];
    this.#value = (this.#value << fillBits) | (first << 8) | second;
    this.#at = at + 2;
    this.#ahead += fillBits;
  }

  /** Bits that were compared so far. */
  get #taken(): number {
    return (this.#at - this.#start) * 8 - this.#ahead;
  }

  /**
   * Bytes that libvpx writes up to here and the zeroes that close them: each moves the data on by a bit, but for the first where the range
   * is at its largest, as it is before anything was read; the last two bytes of them are never written.
   */
  get #closed(): number {
    const first = Math.clz32(1 + (((this.#range - 1) * even) >> 8)) - 24;
    return ((this.#taken - 8 + first + closingZeros - 1) >> 3) - 2;
  }

  /** Bytes behind those that libvpx would have written up to here; below zero where there are fewer. */
  get left(): number {
    return this.#end - this.#start - this.#closed;
  }

  /** Bits behind the end of the data that were needed. */
  get missing(): number {
    return Math.max(0, this.#taken - (this.#end - this.#start) * 8);
  }

  /** Bytes from the place that was read to up to the last that is not zero (`padding`, VP9 bitstream specification, 9.2.3). */
  get unread(): number {
    if (this.#ahead < 0) this.#fill();
    let last = this.#end;
    while (last > this.#at && this.#data[last - 1] === 0) last--;
    if (last > this.#at) return last - this.#at + 1;
    return (this.#value & ((1 << this.#ahead) - 1)) === 0 ? 0 : 1;
  }

  /** A bit that is 0 with a probability of so many parts of 256. */
  bit(probability: number): 0 | 1 {
    if (this.#ahead < 0) this.#fill();
    const split = 1 + (((this.#range - 1) * probability) >> 8);
    const bound = split << this.#ahead;
    const isOne = this.#value >= bound;
    if (isOne) {
      this.#value -= bound;
      this.#range -= split;
    } else this.#range = split;
    const shift = Math.clz32(this.#range) - 24;
    this.#range <<= shift;
    this.#ahead -= shift;
    return isOne ? 1 : 0;
  }

  /**
   * Reads what libvpx ends its data with, and tells how many bytes that has from its beginning; null where something else follows. One
   * byte may stand behind it that keeps the last from looking like the mark of a superframe (VP9 bitstream specification, annex B).
   */
  closing(): number | null {
    const bytes = this.#closed;
    this.#endAt(this.#start + bytes);
    for (let left = closingZeros; left > 0; left--) if (this.flag()) return null;
    const last = this.#data[this.#start + bytes - 1] ?? 0;
    return (last & superframeMask) === superframeMark ? bytes + 1 : bytes;
  }

  /** Lets the data end earlier: zeroes stand for what was taken in behind that place. */
  #endAt(end: number): void {
    const behind = Math.max(0, this.#at - end) * 8;
    this.#value = Math.floor(this.#value / 2 ** behind) * 2 ** behind;
    this.#end = end;
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
