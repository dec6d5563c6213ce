/** Codes with a meaning of their own (TIFF 6.0, section 13): the table is emptied, and the strip ends. */
export const clearCode = 256;
export const endCode = 257;
/** The first code for a string, and the number of codes with which the table is full: with the early change of TIFF 6.0, section 13 the next one must be a clear code. */
const firstString = 258;
const fullTable = 4095;
/** Bits of codes at first and at most; they grow one code before the next would not fit, which is the early change. */
const leastWidth = 9;
const mostWidth = 12;

/**
 * Whether a strip is of the LZW of before TIFF 6.0: its bits stand in the other order, least significant first, so that the code that empties
 * the table, which strips begin with, comes out as 00 01; and codes grow one code later (libtiff, `LZWDecodeCompat`).
 */
export function isOldLzw(source: Uint8Array, at = 0): boolean {
  return source[at] === 0 && ((source[at + 1] ?? 0) & 1) === 1;
}

/** `count` bits (at most 16) from bit `at` on, least significant first. */
export function oldBitsAt(source: Uint8Array, at: number, count: number): number {
  const byte = at >>> 3;
  const word = (source[byte] ?? 0) | ((source[byte + 1] ?? 0) << 8) | ((source[byte + 2] ?? 0) << 16);
  return (word >> (at & 7)) & ((1 << count) - 1);
}

/** `count` bits (at most 16) from bit `at` on, most significant first. */
export function bitsAt(source: Uint8Array, at: number, count: number): number {
  const byte = at >>> 3;
  const word = ((source[byte] ?? 0) << 16) | ((source[byte + 1] ?? 0) << 8) | (source[byte + 2] ?? 0);
  return (word >> (24 - (at & 7) - count)) & ((1 << count) - 1);
}

/** The strings that codes stand for, as a decoder makes them: each code adds the string before it and the first byte of its own. */
export class LzwStrings {
  readonly #prefix = new Uint16Array(fullTable + 2);
  readonly #suffix = new Uint8Array(fullTable + 2);
  readonly #lengths = new Uint16Array(fullTable + 2);
  /** The code that the next string gets, and that of the last one; -1 behind a clear code. */
  next = firstString;
  #previous = -1;
  /** How many codes before the first one that does not fit their width codes grow. */
  readonly #early: 0 | 1;

  constructor(early: 0 | 1 = 1) {
    this.#early = early;
    for (let code = 0; code < clearCode; code++) {
      this.#suffix[code] = code;
      this.#lengths[code] = 1;
    }
  }

  /** Empties the table. */
  clear(): void {
    this.next = firstString;
    this.#previous = -1;
  }

  /** Bits of the next code. */
  get width(): number {
    if (this.next < (1 << leastWidth) - this.#early) return leastWidth;
    return Math.min(mostWidth, 32 - Math.clz32(this.next + this.#early));
  }

  get isFull(): boolean {
    return this.next > fullTable;
  }

  /** Whether a code can come next: a byte, or a string up to the one that it makes itself. */
  canBe(code: number): boolean {
    return code !== endCode && code <= this.next && (this.#previous >= 0 || code < clearCode);
  }

  /** What stands for a code that cannot be: the width of codes depends on their number alone, so that reading keeps in step. */
  get last(): number {
    return Math.max(0, this.#previous);
  }

  /** Length of the string of a code that can be. */
  sizeOf(code: number): number {
    return this.#isKnown(code) ? (this.#lengths[code] ?? 0) : (this.#lengths[this.#previous] ?? 0) + 1;
  }

  #isKnown(code: number): boolean {
    return this.#previous < 0 || code < this.next;
  }

  /** Writes the string of a code that can be, as far as there is room, and takes the code in. */
  take(code: number, output: Uint8Array, at: number): void {
    const isKnown = this.#isKnown(code);
    const size = this.sizeOf(code);
    let walk = isKnown ? code : this.#previous;
    for (let place = at + (isKnown ? size : size - 1) - 1; place >= at; place--) {
      output[place] = this.#suffix[walk] ?? 0;
      walk = this.#prefix[walk] ?? 0;
    }
    const first = output[at] ?? 0;
    if (!isKnown) output[at + size - 1] = first;
    if (this.#previous >= 0 && !this.isFull) this.#add(this.#previous, first);
    this.#previous = code;
  }

  #add(before: number, byte: number): void {
    this.#prefix[this.next] = before;
    this.#suffix[this.next] = byte;
    this.#lengths[this.next] = (this.#lengths[before] ?? 0) + 1;
    this.next++;
  }
}
