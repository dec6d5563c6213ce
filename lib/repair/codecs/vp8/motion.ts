import type { BoolReader } from '../bool';
import type { Entropy, Header, References } from './header';
import type { Macroblock } from './modes';
import { partContexts, splits, subblockModes, subblocksBetween, vectorContexts } from './tables';

/** A macroblock that others look at: what it builds on (0: nothing else), and its vectors, row and column packed into one number. */
type Block = { reference: number; vector: number; parts: Int32Array | null };

const outside: Block = { reference: 0, vector: 0, parts: null };

const pack = (row: number, column: number) => (row << 16) | (column & 0xffff);
const rowOf = (vector: number) => vector >> 16;
const columnOf = (vector: number) => (vector << 16) >> 16;
const partOf = ({ parts, vector }: Block, index: number) => parts?.[index] ?? vector;

/** Quarters of a sample in a macroblock, which is also how far vectors of neighbours may lead out of the picture (RFC 6386, 5 and 16.3). */
const side = 64;
/** Places of a vector's probabilities (17.2), and bits of long ones. */
const place = { isLong: 0, sign: 1, short: 2, long: 9 };
const longBits = 10;
/** The first subblock of each part of a macroblock, by how it is split (16.3), and how far each part reaches across and down. */
const partings = {
  rows: { firsts: [0, 8], across: 4, down: 2 },
  columns: { firsts: [0, 2], across: 2, down: 4 },
  quarters: { firsts: [0, 2, 8, 10], across: 2, down: 2 },
  all: { firsts: Array.from({ length: 16 }, (_, index) => index), across: 1, down: 1 },
};
/** Neighbours that agree: with a vector of zero, with the first and the second other one, and those that are split. */
const zero = 0;
const nearest = 1;
const near = 2;
const third = 3;

/** Reads what stands in front of the coefficients of each macroblock in frames that build on others (RFC 6386, 16 and 17), in their order. */
export class MotionModes {
  readonly #reader: BoolReader;
  readonly #header: Header;
  readonly #references: References;
  readonly #entropy: Entropy;
  readonly #size: { across: number; down: number };
  #above: Block[] = [];
  #row: Block[] = [];
  #down = -1;

  constructor(
    reader: BoolReader,
    header: Header,
    references: References,
    entropy: Entropy,
    size: { across: number; down: number },
  ) {
    this.#reader = reader;
    this.#header = header;
    this.#references = references;
    this.#entropy = entropy;
    this.#size = size;
  }

  startRow(): void {
    this.#above = this.#row;
    this.#row = [];
    this.#down++;
  }

  macroblock(column: number): Macroblock {
    const reader = this.#reader;
    const { segments, skip } = this.#header;
    const { intra, last, golden } = this.#references;
    if (segments) reader.bit(segments[1 + reader.bit(segments[0] ?? 255)] ?? 255);
    const isSkipped = skip !== null && reader.bit(skip) === 1;
    if (reader.bit(intra) === 0) {
      this.#row.push(outside);
      return { isSplit: this.#intra(), isSkipped };
    }
    const block = this.#vectors(column, reader.bit(last) === 0 ? 1 : 2 + reader.bit(golden));
    this.#row.push(block);
    return { isSplit: block.parts !== null, isSkipped };
  }

  /** A macroblock that builds on no other frame (16.1); whether it is predicted by subblocks. */
  #intra(): boolean {
    const reader = this.#reader;
    const { luma, chroma } = this.#entropy;
    const bit = (table: Uint8Array, index: number) => reader.bit(table[index] ?? 0);
    let isSplit = false;
    if (bit(luma, 0) === 1) {
      if (bit(luma, 1) === 0) bit(luma, 2);
      else isSplit = bit(luma, 3) === 1;
    }
    for (let index = 0; isSplit && index < 16; index++) {
      let node = 0;
      do node = subblockModes[node * 2 + reader.bit(subblocksBetween[node] ?? 0)] ?? 0;
      while (node > 0);
    }
    if (bit(chroma, 0) === 1 && bit(chroma, 1) === 1) bit(chroma, 2);
    return isSplit;
  }

  /** The neighbours' vectors, each once, behind one of zero, and how much speaks for each (16.3). */
  #candidates(around: readonly Block[], reference: number): { found: number[]; counts: number[] } {
    const { turned } = this.#references;
    const found = [0, 0, 0, 0];
    const counts = [0, 0, 0, 0];
    let last = 0;
    for (const [index, block] of around.entries()) {
      if (block.reference === 0) continue;
      const weight = index === 2 ? 1 : 2;
      let vector = block.vector;
      if (vector === 0) {
        counts[zero] = (counts[zero] ?? 0) + weight;
        continue;
      }
      if (turned[block.reference] !== turned[reference]) vector = pack(-rowOf(vector), -columnOf(vector));
      if (last === 0 || vector !== found[last]) found[++last] = vector;
      counts[last] = (counts[last] ?? 0) + weight;
    }
    return { found, counts };
  }

  #vectors(column: number, reference: number): Block {
    const above = this.#above[column] ?? outside;
    const left = this.#row[column - 1] ?? outside;
    const around = [above, left, this.#above[column - 1] ?? outside];
    const { found, counts } = this.#candidates(around, reference);
    const count = (index: number) => counts[index] ?? 0;
    const isOne = (index: number) => this.#reader.bit(vectorContexts[count(index)]?.[index] ?? 0) === 1;
    const block = (vector: number, parts: Int32Array | null = null): Block => ({ reference, vector, parts });
    if (!isOne(zero)) return block(0);
    if (count(third) > 0 && found[third] === found[nearest]) counts[nearest] = count(nearest) + 1;
    if (count(near) > count(nearest)) {
      counts.splice(nearest, 2, count(near), count(nearest));
      found.splice(nearest, 2, found[near] ?? 0, found[nearest] ?? 0);
    }
    const clamped = (index: number) => this.#clamped(found[index] ?? 0, column);
    if (!isOne(nearest)) return block(clamped(nearest));
    if (!isOne(near)) return block(clamped(near));
    const best = clamped(count(nearest) >= count(zero) ? nearest : zero);
    const weight = (index: number) => (around[index]?.parts ? (index === 2 ? 1 : 2) : 0);
    counts[third] = weight(0) + weight(1) + weight(2);
    if (!isOne(third)) return block(this.#added(best));
    const parts = this.#parts(best, above, left);
    return block(parts[parts.length - 1] ?? 0, parts);
  }

  /** A vector that leads no further out of the picture than a macroblock. */
  #clamped(vector: number, column: number): number {
    const { across, down } = this.#size;
    const limited = (value: number, at: number, size: number) =>
      Math.max(-side * (at + 1), Math.min(side * (size - at), value));
    return pack(limited(rowOf(vector), this.#down, down), limited(columnOf(vector), column, across));
  }

  /** A vector that is told by how far it is from another one. */
  #added(best: number): number {
    const row = rowOf(best) + this.#component(0);
    return pack(row, columnOf(best) + this.#component(1));
  }

  #component(axis: 0 | 1): number {
    const table = this.#entropy.motion[axis];
    const bit = (index: number) => this.#reader.bit(table?.[index] ?? 0);
    let value = 0;
    if (bit(place.isLong) === 1) {
      for (let index = 0; index < 3; index++) value += bit(place.long + index) << index;
      for (let index = longBits - 1; index > 3; index--) value += bit(place.long + index) << index;
      if (value < 16 || bit(place.long + 3) === 1) value += 8;
    } else {
      const high = bit(place.short);
      const middle = bit(place.short + 1 + 3 * high);
      value = 4 * high + 2 * middle + bit(place.short + 2 + 3 * high + middle);
    }
    return value > 0 && bit(place.sign) === 1 ? -value : value;
  }

  /** Vectors of subblocks (16.3 and 16.4), each part's by those of its first subblock's neighbours. */
  #parts(best: number, above: Block, left: Block): Int32Array {
    const reader = this.#reader;
    const parts = new Int32Array(16);
    const { firsts, across, down } = this.#parting();
    for (const first of firsts) {
      const beside = (first & 3) === 0 ? partOf(left, first + 3) : (parts[first - 1] ?? 0);
      const over = first < 4 ? partOf(above, first + 12) : (parts[first - 4] ?? 0);
      const table = partContexts[contextOf(beside, over)];
      const bit = (index: 0 | 1 | 2) => reader.bit(table?.[index] ?? 0);
      let vector = beside;
      if (bit(0) === 1) {
        vector = over;
        if (bit(1) === 1) vector = bit(2) === 1 ? this.#added(best) : 0;
      }
      for (let row = 0; row < down; row++) parts.fill(vector, first + row * 4, first + row * 4 + across);
    }
    return parts;
  }

  #parting() {
    const reader = this.#reader;
    if (reader.bit(splits[0]) === 0) return partings.all;
    if (reader.bit(splits[1]) === 0) return partings.quarters;
    return reader.bit(splits[2]) === 0 ? partings.rows : partings.columns;
  }
}

/** The row of `partContexts` for the vectors beside and above (16.4). */
function contextOf(beside: number, over: number): number {
  if (beside === over) return over === 0 ? 4 : 3;
  if (over === 0) return 2;
  return beside === 0 ? 1 : 0;
}
