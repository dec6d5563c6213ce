import type { Codes } from '../../core/deflate/codes';
import { headAt, type Place } from '../../core/deflate/reader';
import { lastIndex } from '../../core/flips/follow';
import { type Piece, PieceReader } from '../../core/flips/pieces';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { PartScanner, type Sync, type Vocabulary } from './scan';

/** A packed part of XML: where its data lies in the file, how long its text is, in bytes, and the check sum of that. */
export type PlacedPart = { start: number; end: number; size: number; crc: number };

/** Bytes of text that are read at once. */
const slice = 1 << 16;
/** Bytes before the end of a piece up to which text has to make sense with it: its last symbol may lie in what follows. */
const nearEnd = 8;

/** A packed part as far as its text makes sense, which can be read on from any place with other data. Offsets within the part, in bytes. */
export class PartReading {
  readonly part: PlacedPart;
  readonly #file: Buffer;
  readonly #reader: PieceReader;
  readonly #known: Vocabulary;
  readonly #effort: Effort;
  readonly #text: Buffer;
  /** Where each byte of text begins in the data, in bits. */
  readonly #bits: Int32Array;
  #codes: Piece['codes'] = [];
  #syncs: Sync[] = [];
  /** Bytes of text that make sense. */
  #length = 0;

  constructor(file: Buffer, part: PlacedPart, known: Vocabulary, effort: Effort) {
    this.part = part;
    this.#file = file;
    this.#reader = new PieceReader(file.subarray(part.start, part.end), effort);
    this.#known = known;
    this.#effort = effort;
    this.#text = Buffer.alloc(part.size);
    this.#bits = new Int32Array(part.size);
  }

  /** Reads on. Returns the byte of the data at which the text makes no sense any more; null where it ends as it should, or no effort is left. */
  advance(): number | null {
    while (!this.#effort.isSpent) {
      const place = this.#placeAt(this.#length);
      const most = Math.min(slice, this.part.size - place.length);
      const read = this.#reader.read(place, most);
      const length = this.#take(place, read);
      const from = this.#syncBefore(this.#length);
      this.#effort.spend('judgedByte', length - from.at);
      this.#syncs = this.#syncs.filter(({ at }) => at < from.at);
      const fault = new PartScanner(this.#text, this.#known, true).fault(from, length, this.#syncs);
      this.#length = fault;
      if (fault < length) return (this.#bits[fault] ?? 0) >> 3;
      if (length >= this.part.size || read.isEnd) return null;
      if (read.length < most) return read.bit >> 3;
    }
    return null;
  }

  /** Takes other data from the file between two offsets, and goes back to the symbol that lies at the first of them. */
  change(from: number, to: number): void {
    this.#put(from, to, from + this.part.start);
    this.#length = Math.min(this.#length, this.#placeAt(this.#lengthAt(from * 8)).length);
    this.#syncs = this.#syncs.filter(({ at }) => at <= this.#length);
    const bit = this.#bits[this.#length] ?? 0;
    this.#codes = this.#codes.filter((one) => one.bit <= bit);
  }

  /**
   * How much text makes sense, of at most so many bytes, with what stands in the file at `source` in the place of the data between two
   * offsets; and whether that is all of it. The data is left so.
   */
  tryOut(from: number, to: number, source: number, most: number): { reach: number; isThrough: boolean } {
    this.#put(from, to, source);
    const place = this.#placeAt(Math.min(this.#length, this.#lengthAt(from * 8)));
    const read = this.#reader.read(place, most, to * 8);
    const begin = this.#syncBefore(place.length);
    const before = place.length - begin.at;
    const text = Buffer.alloc(before + read.length);
    this.#text.copy(text, 0, begin.at, place.length);
    for (let at = 0; at < read.length; at++) text[before + at] = this.#valueOf(read, at, place.length);
    this.#effort.spend('textProbe');
    this.#effort.spend('judgedByte', text.length);
    const reach = new PartScanner(text, this.#known, false).fault({ at: 0, open: begin.open }, text.length) - before;
    const end = (to - nearEnd) * 8;
    const isRead = reach >= read.length && (read.isEnd || read.bit >= end);
    return { reach, isThrough: reach > 0 && (isRead || (read.bits[reach - 1] ?? 0) >= end) };
  }

  #put(from: number, to: number, source: number): void {
    this.#reader.source.set(this.#file.subarray(source, source + to - from), from);
  }

  /** Takes what was read from a place on into the text; returns how long that is now. */
  #take({ length, bit }: Place, read: Piece): number {
    const count = Math.min(read.length, this.part.size - length);
    for (let at = 0; at < count; at++) {
      this.#text[length + at] = this.#valueOf(read, at, length);
      this.#bits[length + at] = read.bits[at] ?? 0;
    }
    this.#codes = this.#codes.filter((one) => one.bit <= bit);
    const last = this.#codes.at(-1)?.tables;
    for (const one of read.codes) if (one.tables !== last || this.#codes.length === 0) this.#codes.push(one);
    return length + count;
  }

  /** A byte that was read from a place on: as it is, or copied from before the place. */
  #valueOf({ values }: Piece, at: number, length: number): number {
    const value = values[at] ?? 0;
    return value >= 0 ? value : (this.#text[length + value] ?? 0);
  }

  /** The place before the symbol that gives the byte before an offset of the text, so that what follows it is read as it comes. */
  #placeAt(length: number): Place {
    if (length <= 0) return headAt(0);
    let first = length - 1;
    const bit = this.#bits[first] ?? 0;
    // A copy gives many bytes.
    while (first > 0 && this.#bits[first - 1] === bit) first--;
    return { ...headAt(bit, first), tables: this.#tablesAt(bit) };
  }

  #tablesAt(bit: number): Codes | null {
    return this.#codes.findLast((one) => one.bit <= bit)?.tables ?? null;
  }

  /** How much of the text that makes sense is read before a bit. */
  #lengthAt(bit: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#bits[middle] ?? 0) < bit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #syncBefore(length: number): Sync {
    return this.#syncs[lastIndex(this.#syncs, ({ at }) => at <= length)] ?? { at: 0, open: null };
  }
}
