import { Buffer } from '../host/bytes';
/** Writes bits of a parameter set, most significant first (ISO/IEC 14496-10, 7.2 and 9.1). */
export class BitWriter {
  readonly #bits: number[] = [];

  /** `count` bits of `value`. */
  put(count: number, value: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push(Math.floor(value / 2 ** bit) % 2);
    return this;
  }

  flag(value: boolean): this {
    return this.put(1, value ? 1 : 0);
  }

  /** ue(v). */
  golomb(value: number): this {
    const length = Math.floor(Math.log2(value + 1));
    return this.put(length, 0).put(length + 1, value + 1);
  }

  /** se(v). */
  signed(value: number): this {
    return this.golomb(value > 0 ? value * 2 - 1 : -value * 2);
  }

  /** These bits, with a zero and ones up to the end of the byte (ISO/IEC 14496-2, 5.2.4). */
  filled(): Buffer {
    const bits = [...this.#bits, 0];
    while (bits.length % 8 !== 0) bits.push(1);
    return Buffer.from(
      Array.from({ length: bits.length / 8 }, (_, byte) =>
        bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
      ),
    );
  }

  /** A NAL unit of these bits behind `head`, with its trailing bits and emulation prevention (7.3.1, 7.3.2.11). */
  unit(head: readonly number[]): Buffer {
    const bits = [...this.#bits, 1];
    while (bits.length % 8 !== 0) bits.push(0);
    const out = [...head];
    let zeros = 0;
    for (let at = 0; at < bits.length; at += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) byte = byte * 2 + (bits[at + bit] ?? 0);
      if (zeros >= 2 && byte <= 3) {
        out.push(3);
        zeros = 0;
      }
      zeros = byte === 0 ? zeros + 1 : 0;
      out.push(byte);
    }
    return Buffer.from(out);
  }
}
