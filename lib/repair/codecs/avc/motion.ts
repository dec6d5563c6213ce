import type { Cabac } from '../cabac';
import type { Extremes } from '../extremes';
import { measure } from './measures';

/** Lists that the parts of a B macroblock use, by its type (table 7-14): 1 the first, 2 the second, 3 both. */
export const partLists = [
  ...[0, 1, 2, 3, 0x11, 0x11, 0x22, 0x22, 0x12, 0x12, 0x21, 0x21, 0x13, 0x13, 0x23, 0x23, 0x31, 0x31, 0x32, 0x32],
  ...[0x33, 0x33],
];
/** The same for quarters (table 7-18). */
export const quarterLists = [0, 1, 2, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3];
/** How quarters are divided: 0 not at all, 1 into 8 by 4, 2 into 4 by 8, 3 into 4 by 4. */
export const quarterShapes = [0, 0, 0, 0, 1, 2, 1, 2, 1, 2, 3, 3, 3];

/** References and vectors of macroblocks (ISO/IEC 14496-10, 7.3.5.1 and 7.3.5.2), as far as those of their neighbours depend on them. */
export class AvcMotion {
  readonly #cabac: Cabac;
  readonly #extremes: Extremes;
  /** For each list: references other than the first by quarter, and sizes of vectors by block and direction. */
  readonly #refs: readonly [Uint8Array, Uint8Array];
  readonly #vectors: readonly [Uint8Array, Uint8Array];
  #block = 0;
  #left = -1;
  #above = -1;
  failed = false;

  constructor(cabac: Cabac, blocks: number, extremes: Extremes) {
    this.#cabac = cabac;
    this.#extremes = extremes;
    this.#refs = [new Uint8Array(blocks * 4), new Uint8Array(blocks * 4)];
    this.#vectors = [new Uint8Array(blocks * 32), new Uint8Array(blocks * 32)];
  }

  /** Begins a macroblock between these neighbours, -1 for none. */
  begin(block: number, left: number, above: number): void {
    this.#block = block;
    this.#left = left;
    this.#above = above;
    this.failed = false;
    for (const list of [0, 1] as const) {
      this.#refs[list].fill(0, block * 4, block * 4 + 4);
      this.#vectors[list].fill(0, block * 32, block * 32 + 32);
    }
  }

  /** Reads references and vectors of a macroblock in one part (0), in two one above the other (1), or side by side (2). */
  parts(refs: readonly number[], lists: readonly number[], shape: number): void {
    const count = shape === 0 ? 1 : 2;
    const wide = shape === 2 ? 2 : 4;
    const high = shape === 1 ? 2 : 4;
    const [right, down] = [4 - wide, 4 - high];
    for (let list = 0; list < 2; list++)
      for (let part = 0; part < count; part++)
        if ((lists[part] as number) & (1 << list))
          this.#reference(refs[list] as number, list, part * right, part * down, wide, high);
    for (let list = 0; list < 2; list++)
      for (let part = 0; part < count; part++)
        if ((lists[part] as number) & (1 << list)) this.#vector(list, part * right, part * down, wide, high);
  }

  quarters(refs: readonly number[], lists: readonly number[], shapes: readonly number[]): void {
    for (let list = 0; list < 2; list++)
      for (let part = 0; part < 4; part++)
        if ((lists[part] as number) & (1 << list))
          this.#reference(refs[list] as number, list, (part & 1) * 2, (part >> 1) * 2, 2, 2);
    for (let list = 0; list < 2; list++)
      for (let part = 0; part < 4; part++)
        if ((lists[part] as number) & (1 << list)) this.#quarterVectors(list, part, shapes[part] as number);
  }

  /** Vectors of one quarter: whole (0), two one above the other (1) or side by side (2), or four (3). */
  #quarterVectors(list: number, part: number, shape: number): void {
    const [wide, high] = [shape >= 2 ? 1 : 2, shape & 1 ? 1 : 2];
    for (let y = 0; y < 2; y += high)
      for (let x = 0; x < 2; x += wide) this.#vector(list, (part & 1) * 2 + x, (part >> 1) * 2 + y, wide, high);
  }

  /** Reads ref_idx (9.3.3.1.1.6) of a part; places and sizes in blocks of 4 by 4. */
  #reference(count: number, list: number, x: number, y: number, wide: number, high: number): void {
    if (count < 2) return;
    const cabac = this.#cabac;
    const refs = this.#refs[list] as Uint8Array;
    const [qx, qy] = [x >> 1, y >> 1];
    const block = this.#block;
    const left = qx > 0 ? refs[block * 4 + qy * 2] : this.#left >= 0 ? refs[this.#left * 4 + qy * 2 + 1] : 0;
    const above = qy > 0 ? refs[block * 4 + qx] : this.#above >= 0 ? refs[this.#above * 4 + 2 + qx] : 0;
    let context = (left ? 1 : 0) + (above ? 2 : 0);
    let value = 0;
    while (cabac.bin(54 + context)) {
      context = (context >> 2) + 4;
      if (++value >= count) {
        this.failed = true;
        return;
      }
    }
    if (value === 0) return;
    for (let row = qy; row < qy + (high >> 1); row++)
      for (let column = qx; column < qx + (wide >> 1); column++) refs[block * 4 + row * 2 + column] = 1;
  }

  #vector(list: number, x: number, y: number, wide: number, high: number): void {
    const vectors = this.#vectors[list] as Uint8Array;
    const block = this.#block;
    const own = block * 32 + (y * 4 + x) * 2;
    const left = x > 0 ? own - 2 : this.#left >= 0 ? this.#left * 32 + (y * 4 + 3) * 2 : -1;
    const above = y > 0 ? own - 8 : this.#above >= 0 ? this.#above * 32 + (12 + x) * 2 : -1;
    const sizes = [0, 0];
    for (let way = 0; way < 2; way++) {
      const sum =
        (left >= 0 ? (vectors[left + way] as number) : 0) + (above >= 0 ? (vectors[above + way] as number) : 0);
      sizes[way] = this.#difference(way === 0 ? 40 : 47, sum);
    }
    for (let row = 0; row < high; row++)
      for (let column = 0; column < wide; column++) {
        const place = own + (row * 4 + column) * 2;
        vectors[place] = sizes[0] as number;
        vectors[place + 1] = sizes[1] as number;
      }
  }

  /** Reads mvd (9.3.3.1.1.7): its size, up to what neighbours care for. */
  #difference(base: number, sum: number): number {
    const cabac = this.#cabac;
    if (cabac.bin(base + (sum < 3 ? 0 : sum > 32 ? 2 : 1)) === 0) return 0;
    let value = 1;
    let context = 3;
    while (value < 9 && cabac.bin(base + context)) {
      if (context < 6) context++;
      value++;
    }
    if (value >= 9) {
      let bits = 3;
      while (cabac.bypass()) {
        value += 1 << bits;
        if (++bits > 15) {
          this.failed = true;
          return 0;
        }
      }
      value += cabac.bypasses(bits);
    }
    cabac.bypass();
    if (!this.#extremes.allows(measure.difference, value)) this.failed = true;
    return Math.min(100, value);
  }
}
