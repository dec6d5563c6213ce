import type { BoolReader } from '../bool';
import type { Macroblock } from './modes';
import { bands, extraBits, probabilities } from './tables';

/** Kinds of blocks (RFC 6386, 13.3): luminance behind its DC values, these, colour, and luminance with them. */
const kinds = { afterDc: 0, dc: 1, chroma: 2, luma: 3 };
/** Where the blocks of a macroblock stand among what is kept of its neighbours: four columns of luminance, two of each colour, and the DC values. */
const columns = { cb: 4, cr: 6, dc: 8, all: 9 };
/** Probabilities of the extra bits of the categories 1 and 2, and of a sign (13.2). */
const category = { one: 159, second: 165, first: 145 };
const sign = 128;

/** Reads the coefficients of macroblocks (RFC 6386, 13), in the order of the picture, and keeps nothing but what their contexts need. */
export class Residual {
  readonly #table: Uint8Array;
  readonly #above: Uint8Array;
  readonly #beside = new Uint8Array(columns.all);

  constructor(table: Uint8Array, across: number) {
    this.#table = table;
    this.#above = new Uint8Array(across * columns.all);
  }

  startRow(): void {
    this.#beside.fill(0);
  }

  macroblock(reader: BoolReader, column: number, { isSplit, isSkipped }: Macroblock): void {
    const start = column * columns.all;
    if (isSkipped) {
      const kept = isSplit ? columns.dc : columns.all;
      this.#above.fill(0, start, start + kept);
      this.#beside.fill(0, 0, kept);
      return;
    }
    if (!isSplit) this.#blocks(reader, kinds.dc, start, columns.dc, 1);
    this.#blocks(reader, isSplit ? kinds.luma : kinds.afterDc, start, 0, 4);
    this.#blocks(reader, kinds.chroma, start, columns.cb, 2);
    this.#blocks(reader, kinds.chroma, start, columns.cr, 2);
  }

  /** A square of blocks; whether those above and beside have coefficients is the context of the first (13.3). */
  #blocks(reader: BoolReader, kind: number, start: number, from: number, side: number): void {
    const [above, beside] = [this.#above, this.#beside];
    for (let y = from; y < from + side; y++)
      for (let x = from; x < from + side; x++) {
        const has = this.#block(reader, kind, (above[start + x] ?? 0) + (beside[y] ?? 0)) ? 1 : 0;
        above[start + x] = has;
        beside[y] = has;
      }
  }

  /** Reads a block; whether it has a coefficient. */
  #block(reader: BoolReader, kind: number, context: number): boolean {
    const table = this.#table;
    const first = kind === kinds.afterDc ? 1 : 0;
    const { contexts, nodes } = probabilities;
    const place = (index: number, with_: number) =>
      ((kind * probabilities.bands + (bands[index] ?? 0)) * contexts + with_) * nodes;
    let at = place(first, context);
    for (let index = first; index < 16; index++) {
      if (reader.bit(table[at] ?? 0) === 0) return index > first;
      while (reader.bit(table[at + 1] ?? 0) === 0) {
        index++;
        if (index === 16) return true;
        at = place(index, 0);
      }
      const isLarge = reader.bit(table[at + 2] ?? 0) === 1;
      if (isLarge) this.#skipLarge(reader, at);
      at = place(index + 1, isLarge ? 2 : 1);
      reader.bit(sign);
    }
    return true;
  }

  /** Passes over a value above 1 (13.2). */
  #skipLarge(reader: BoolReader, at: number): void {
    const bit = (node: number) => reader.bit(this.#table[at + node] ?? 0);
    if (bit(3) === 0) {
      if (bit(4) === 1) bit(5);
      return;
    }
    if (bit(6) === 0) {
      if (bit(7) === 0) reader.bit(category.one);
      else {
        reader.bit(category.second);
        reader.bit(category.first);
      }
      return;
    }
    const high = bit(8);
    for (const extra of extraBits[high * 2 + bit(9 + high)] ?? []) reader.bit(extra);
  }
}
