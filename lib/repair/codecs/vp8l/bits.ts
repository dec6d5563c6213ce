/** Bits as VP8L stores them, the lowest of each byte first (RFC 9649, 3.2). Behind the end of its data it reads zeroes; `isOver` tells. */
export class BitReader {
  readonly #data: Uint8Array;
  /** The bit that comes next. */
  at: number;

  constructor(data: Uint8Array, at = 0) {
    this.#data = data;
    this.at = at;
  }

  /** Whether more was read than there is. */
  get isOver(): boolean {
    return this.at > this.#data.length * 8;
  }

  /** Bits that come next, 24 at the most, without going on. */
  peek(count: number): number {
    const byte = this.at >> 3;
    const data = this.#data;
    const word =
      (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16) | ((data[byte + 3] ?? 0) << 24);
    return (word >>> (this.at & 7)) & ((1 << count) - 1);
  }

  /** A number of so many bits, 24 at the most. */
  read(count: number): number {
    const value = this.peek(count);
    this.at += count;
    return value;
  }

  flag(): boolean {
    return this.read(1) === 1;
  }
}

/** Writes bits in the same order. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let left = count, rest = value; left > 0; ) {
      const take = Math.min(left, 8 - this.#count);
      this.#held |= (rest & ((1 << take) - 1)) << this.#count;
      this.#count += take;
      rest >>>= take;
      left -= take;
      if (this.#count < 8) continue;
      this.#bytes.push(this.#held);
      this.#held = 0;
      this.#count = 0;
    }
  }

  /** All that was written, filled up with zeroes to a whole byte. */
  finished(): Uint8Array {
    return Uint8Array.from(this.#count > 0 ? [...this.#bytes, this.#held] : this.#bytes);
  }
}
