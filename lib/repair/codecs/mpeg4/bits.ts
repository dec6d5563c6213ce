import type { WordSymbols } from '../symbols';
import type { WordTable } from '../words';
import type { CoefficientTable } from './tables';

/** How a coefficient without a word is coded: ISO/IEC 14496-2, 7.4.1.3; ITU-T H.263, 5.4.2; and in Flash video, with levels of two lengths. */
export type Escapes = 'mpeg4' | 'h263' | 'flash';

/** Samples of a block. */
const samples = 64;

/** Places of a block from which on coefficients are weighed apart. */
const [early, late] = [6, 20];

/** Where a coefficient stands in its block: at its beginning, or early or late in it. */
export const placeContext = (place: number): number => (place <= 1 ? 0 : place < early ? 1 : place < late ? 2 : 3);

/** Reads what macroblocks of MPEG-4 Part 2 and of H.263 are made of; `failed` where no encoder writes such. */
export class BlockBits {
  #bytes: Uint8Array = new Uint8Array(0);
  /** Place in bits, and where the data ends. */
  at = 0;
  end = 0;
  failed = false;
  /** Takes in the words that are read, where they are to be weighed. */
  symbols: WordSymbols | null = null;

  start(bytes: Uint8Array, at: number, end = bytes.length * 8): void {
    this.#bytes = bytes;
    this.at = at;
    this.end = end;
    this.failed = false;
  }

  /** The next 25 bits or more, from the uppermost on. */
  #word(): number {
    const bytes = this.#bytes;
    const byte = this.at >> 3;
    const upper = ((bytes[byte] as number) << 24) | ((bytes[byte + 1] as number) << 16);
    return ((upper | ((bytes[byte + 2] as number) << 8) | (bytes[byte + 3] as number)) << (this.at & 7)) >>> 0;
  }

  /** Up to 25 bits, which are not passed over. */
  peek(count: number): number {
    return count === 0 ? 0 : this.#word() >>> (32 - count);
  }

  take(count: number): number {
    const value = this.peek(count);
    this.at += count;
    return value;
  }

  skip(count: number): void {
    this.at += count;
  }

  /** The value of a word; `context`: where it stands, of four kinds of places. */
  find(table: WordTable, context = 0): number {
    const found = table.find(this.#word() >>> (32 - table.bits));
    if (found === 0) this.failed = true;
    this.at += found & 31;
    if (this.symbols !== null && found !== 0) this.symbols.note(table, context, found >> 5, found & 31, this.at);
    return found >> 5;
  }

  /** The bits of a number with a sign. */
  #signed(count: number): number {
    const value = this.take(count);
    return value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** A block of coefficients from place `first` on, up to its last one. */
  block(table: CoefficientTable, first: number, escapes: Escapes): void {
    for (let place = first; !this.failed && this.at <= this.end; ) {
      const value = this.find(table.words, placeContext(place));
      let isLast = value >= table.firstLast;
      if (value === table.escape) {
        const escaped = this.#escaped(table, escapes);
        place += escaped.run + 1;
        isLast = escaped.isLast;
      } else {
        place += (table.runs[value] ?? 0) + 1;
        this.at++;
      }
      if (place > samples) this.failed = true;
      if (isLast) return;
    }
    this.failed = true;
  }

  #escaped(table: CoefficientTable, escapes: Escapes): { run: number; isLast: boolean } {
    if (escapes !== 'mpeg4') {
      const bits = escapes === 'h263' ? 8 : this.take(1) === 1 ? 11 : 7;
      const isLast = this.take(1) === 1;
      const run = this.take(6);
      const level = this.#signed(bits);
      if (level === 0 || (escapes === 'h263' && level === -128)) this.failed = true;
      return { run, isLast };
    }
    const isLong = this.take(1) === 1;
    if (isLong && this.take(1) === 1) return this.#longest();
    const value = this.find(table.words);
    if (value === table.escape) this.failed = true;
    this.at++;
    const run = (table.runs[value] ?? 0) + (isLong ? table.longest(value) + 1 : 0);
    return { run, isLast: value >= table.firstLast };
  }

  #longest(): { run: number; isLast: boolean } {
    const isLast = this.take(1) === 1;
    const run = this.take(6);
    const before = this.take(1);
    const level = this.#signed(12);
    const behind = this.take(1);
    if (before + behind < 2 || level === 0) this.failed = true;
    return { run, isLast };
  }
}
