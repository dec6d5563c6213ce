/** rangeTabLps (ISO/IEC 14496-10, table 9-44; 23008-2, table 9-46): by state, then by the two bits below the top of the range. */
const lpsRange = Uint8Array.from(
  `128 176 208 240 128 167 197 227 128 158 187 216 123 150 178 205 116 142 169 195 111 135 160 185 105 128 152 175 100 122 144 166
  95 116 137 158 90 110 130 150 85 104 123 142 81 99 117 135 77 94 111 128 73 89 105 122 69 85 100 116 66 80 95 110 62 76 90 104
  59 72 86 99 56 69 81 94 53 65 77 89 51 62 73 85 48 59 69 80 46 56 66 76 43 53 63 72 41 50 59 69 39 48 56 65 37 45 54 62
  35 43 51 59 33 41 48 56 32 39 46 53 30 37 43 50 29 35 41 48 27 33 39 45 26 31 37 43 24 30 35 41 23 28 33 39 22 27 32 37
  21 26 30 35 20 24 29 33 19 23 27 31 18 22 26 30 17 21 25 28 16 20 23 27 15 19 22 25 14 18 21 24 14 17 20 23 13 16 19 22
  12 15 18 21 12 14 17 20 11 14 16 19 11 13 15 18 10 12 15 17 10 12 14 16 9 11 13 15 9 11 12 14 8 10 12 14 8 9 11 13
  7 9 11 12 7 9 10 12 7 8 10 11 6 8 9 11 6 7 9 10 6 7 8 9 2 2 2 2`
    .split(/\s+/)
    .map(Number),
);

/** transIdxLps (table 9-45; 9-47). */
const afterLps = [
  ...[
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
  ],
  ...[24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37],
  ...[37, 38, 38, 63],
];

/** A context is its state times two and the symbol that is more probable. */
const onLps = Uint8Array.from({ length: 128 }, (_, context) => {
  const state = context >> 1;
  return ((afterLps[state] ?? 0) << 1) | (state === 0 ? 1 - (context & 1) : context & 1);
});
const onMps = Uint8Array.from({ length: 128 }, (_, context) => (Math.min(62, (context >> 1) + 1) << 1) | (context & 1));

/** Bits by which a range below 256 is shifted to be one again, by a fourth of it. */
const shifts = Uint8Array.from({ length: 64 }, (_, quarter) => Math.max(1, Math.clz32(Math.max(1, quarter)) - 25));

/** A place in the data with all that was learnt up to it; `at` is the first byte that was not fetched yet. */
export type CabacState = { at: number; range: number; value: number; needed: number; contexts: Uint8Array };

/**
 * The arithmetic decoder of H.264 (ISO/IEC 14496-10, 9.3.1.2 and 9.3.3.2) and HEVC (23008-2, 9.3.2.5 and 9.3.4.3), with its contexts.
 * It never fails: behind the end of the data it reads zeroes, and `over` tells so.
 */
export class Cabac {
  readonly contexts: Uint8Array;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #range = 510;
  /** The nine bits of the standard's offset, and up to seven more that follow. */
  #value = 0;
  /** Minus the bits that follow, minus one. */
  #needed = -8;

  constructor(contexts: number) {
    this.contexts = new Uint8Array(contexts);
  }

  /** Begins at a byte. */
  start(bytes: Uint8Array, from: number, to: number): void {
    this.#bytes = bytes;
    this.#end = to;
    this.#at = from;
    this.#range = 510;
    this.#value = (this.#next() << 8) | this.#next();
    this.#needed = -8;
  }

  #next(): number {
    const byte = this.#at < this.#end ? (this.#bytes[this.#at] as number) : 0;
    this.#at++;
    return byte;
  }

  save(): CabacState {
    const contexts = this.contexts.slice();
    return { at: this.#at, range: this.#range, value: this.#value, needed: this.#needed, contexts };
  }

  /** Goes back to a place of the same data. */
  restore({ at, range, value, needed, contexts }: CabacState): void {
    this.#at = at;
    this.#range = range;
    this.#value = value;
    this.#needed = needed;
    this.contexts.set(contexts);
  }

  /** Bits read so far, as the standard counts them, from the start of the buffer. */
  get position(): number {
    return this.#at * 8 + this.#needed + 1;
  }

  /** More was read than there is. */
  get over(): boolean {
    return this.position > this.#end * 8;
  }

  /**
   * Whether the bit read last is the stop bit, in the last byte of the data, with zeroes behind it (7.3.2.11). x264 sets the last bit
   * of that byte now and then, which no decoder looks at.
   */
  get ended(): boolean {
    const last = this.position - 1;
    const byte = last >> 3;
    if (byte !== this.#end - 1) return false;
    const rest = (this.#bytes[byte] as number) & (0xff >> (last & 7));
    const stop = 0x80 >> (last & 7);
    return rest === stop || rest === (stop | 1);
  }

  bin(index: number): number {
    const contexts = this.contexts;
    const context = contexts[index] as number;
    const lps = lpsRange[((context >> 1) << 2) | ((this.#range >> 6) & 3)] as number;
    const range = this.#range - lps;
    const scaled = range << 7;
    if (this.#value < scaled) {
      contexts[index] = onMps[context] as number;
      if (range < 256) {
        this.#range = range << 1;
        this.#value <<= 1;
        if (++this.#needed === 0) {
          this.#needed = -8;
          this.#value |= this.#next();
        }
      } else this.#range = range;
      return context & 1;
    }
    const shift = shifts[lps >> 2] as number;
    this.#value = (this.#value - scaled) << shift;
    this.#range = lps << shift;
    this.#needed += shift;
    if (this.#needed >= 0) {
      this.#value |= this.#next() << this.#needed;
      this.#needed -= 8;
    }
    contexts[index] = onLps[context] as number;
    return 1 - (context & 1);
  }

  bypass(): number {
    this.#value <<= 1;
    if (++this.#needed === 0) {
      this.#needed = -8;
      this.#value |= this.#next();
    }
    const scaled = this.#range << 7;
    if (this.#value < scaled) return 0;
    this.#value -= scaled;
    return 1;
  }

  bypasses(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++) value = value * 2 + this.bypass();
    return value;
  }

  terminate(): number {
    this.#range -= 2;
    const scaled = this.#range << 7;
    if (this.#value >= scaled) return 1;
    if (this.#range < 256) {
      this.#range <<= 1;
      this.#value <<= 1;
      if (++this.#needed === 0) {
        this.#needed = -8;
        this.#value |= this.#next();
      }
    }
    return 0;
  }
}
