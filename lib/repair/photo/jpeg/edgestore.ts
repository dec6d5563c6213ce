import type { Layout } from './layout';
import { zigzag } from './tables';

/** Sample values are kept in quarters, which fit 16 bits far beyond black and white, as sums of lost differences may go there. */
export const quarter = 4;

/** Basis functions at the first sample; at the last one those of odd frequency change their sign. */
const border = Float32Array.from({ length: 8 }, (_, frequency) => basis(frequency, 0));
const half = Float64Array.from({ length: 32 }, (_, index) => Math.fround(basis(index >> 2, index & 3)));
/** Where the coefficient of each place in the zigzag is summed over its column and over its row, those of odd frequency apart, and its share. */
const columnSum = Uint8Array.from(zigzag, (place) => (place & 7) + (((place >> 3) & 1) << 3));
const rowSum = Uint8Array.from(zigzag, (place) => (place >> 3) + ((place & 1) << 3));
const columnShare = Float64Array.from(zigzag, (place) => border[place >> 3] ?? 0);
const rowShare = Float64Array.from(zigzag, (place) => border[place & 7] ?? 0);

/** What the mean of a block counts along one of its sides. */
const flat = Math.fround(basis(0, 0));

function basis(frequency: number, place: number): number {
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
}

/**
 * The outermost samples of MCUs, computed from the coefficients alone (ISO/IEC 10918-1, A.3.3) without decoding what is inside: upper
 * and lower edge of every component, left and right edge of the first. All that fitting pieces of a picture together needs.
 */
export class EdgeStore {
  readonly layout: Layout;
  readonly tables: readonly Uint16Array[];
  /** Samples of one upper or lower edge: all components in turn, `offsets` tells where each begins. */
  readonly width: number;
  readonly offsets: number[];
  readonly tall: number;
  readonly top: Int16Array;
  readonly bottom: Int16Array;
  readonly left: Int16Array;
  readonly right: Int16Array;
  readonly #columns = new Float32Array(16);
  readonly #rows = new Float32Array(16);

  constructor(layout: Layout, tables: readonly Uint16Array[], capacity: number) {
    this.layout = layout;
    this.tables = tables;
    this.offsets = [];
    let width = 0;
    for (const columns of layout.horizontal) {
      this.offsets.push(width);
      width += columns * 8;
    }
    this.width = width;
    this.tall = (layout.vertical[0] ?? 1) * 8;
    this.top = new Int16Array(capacity * width);
    this.bottom = new Int16Array(capacity * width);
    this.left = new Int16Array(capacity * this.tall);
    this.right = new Int16Array(capacity * this.tall);
  }

  /** Keeps the edges of one MCU under a number. */
  set(index: number, coefficients: Int16Array, last: Uint8Array): void {
    const { layout } = this;
    for (let number = 0; number < layout.blocks.length; number++) {
      const block = layout.blocks[number];
      if (!block) continue;
      const { component, column, row } = block;
      const [wide, high] = [layout.horizontal[component] ?? 1, layout.vertical[component] ?? 1];
      const across = index * this.width + (this.offsets[component] ?? 0) + column * 8;
      const down = index * this.tall + row * 8;
      const luma = component === 0;
      const atTop = row === 0;
      const atBottom = row === high - 1;
      const atLeft = luma && column === 0;
      const atRight = luma && column === wide - 1;
      if (!atTop && !atBottom && !atLeft && !atRight) continue;
      const table = this.tables[component];
      const end = last[number] ?? 0;
      if (end === 0) {
        // One brightness all over.
        const value = clamp(Math.fround((coefficients[number * 64] ?? 0) * (table?.[0] ?? 1) * quarter * flat) * flat);
        if (atTop) this.top.fill(value, across, across + 8);
        if (atBottom) this.bottom.fill(value, across, across + 8);
        if (atLeft) this.left.fill(value, down, down + 8);
        if (atRight) this.right.fill(value, down, down + 8);
        continue;
      }
      this.#gather(coefficients, number * 64, end, table);
      if (atTop) this.#write(this.#columns, 1, this.top, across);
      if (atBottom) this.#write(this.#columns, -1, this.bottom, across);
      if (atLeft) this.#write(this.#rows, 1, this.left, down);
      if (atRight) this.#write(this.#rows, -1, this.right, down);
    }
  }

  /** Copies one MCU's edges from another store. */
  copy(index: number, from: EdgeStore, source: number): void {
    const { width, tall } = this;
    for (let to = index * width, at = source * width; to < (index + 1) * width; to++, at++) {
      this.top[to] = from.top[at] ?? 0;
      this.bottom[to] = from.bottom[at] ?? 0;
    }
    for (let to = index * tall, at = source * tall; to < (index + 1) * tall; to++, at++) {
      this.left[to] = from.left[at] ?? 0;
      this.right[to] = from.right[at] ?? 0;
    }
  }

  /** Sums of the coefficients over rows and over columns, those of even frequency in the first eight places, odd in the others. */
  #gather(coefficients: Int16Array, at: number, last: number, table: Uint16Array | undefined): void {
    const columns = this.#columns.fill(0);
    const rows = this.#rows.fill(0);
    for (let index = 0; index <= last; index++) {
      const coefficient = coefficients[at + index] ?? 0;
      if (coefficient === 0) continue;
      const value = coefficient * (table?.[index] ?? 1) * quarter;
      const column = columnSum[index] ?? 0;
      const row = rowSum[index] ?? 0;
      columns[column] = (columns[column] ?? 0) + value * (columnShare[index] ?? 0);
      rows[row] = (rows[row] ?? 0) + value * (rowShare[index] ?? 0);
    }
  }

  #write(sums: Float32Array, sign: 1 | -1, out: Int16Array, at: number): void {
    const a = Math.fround((sums[0] ?? 0) + sign * (sums[8] ?? 0));
    const b = Math.fround((sums[1] ?? 0) + sign * (sums[9] ?? 0));
    const c = Math.fround((sums[2] ?? 0) + sign * (sums[10] ?? 0));
    const d = Math.fround((sums[3] ?? 0) + sign * (sums[11] ?? 0));
    const e = Math.fround((sums[4] ?? 0) + sign * (sums[12] ?? 0));
    const f = Math.fround((sums[5] ?? 0) + sign * (sums[13] ?? 0));
    const g = Math.fround((sums[6] ?? 0) + sign * (sums[14] ?? 0));
    const h = Math.fround((sums[7] ?? 0) + sign * (sums[15] ?? 0));
    for (let place = 0; place < 4; place++) {
      const even =
        a * (half[place] ?? 0) + c * (half[place + 8] ?? 0) + e * (half[place + 16] ?? 0) + g * (half[place + 24] ?? 0);
      const odd =
        b * (half[place + 4] ?? 0) +
        d * (half[place + 12] ?? 0) +
        f * (half[place + 20] ?? 0) +
        h * (half[place + 28] ?? 0);
      out[at + place] = clamp(even + odd);
      out[at + 7 - place] = clamp(even - odd);
    }
  }
}

function clamp(value: number): number {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : Math.round(value);
}

/** What a difference of colour counts against one of brightness: colours vary less in a picture, so it tells more. */
export const colourWeight = 1.4;

/** Mean difference, in sample values, of the lower edge of an MCU in one store and the upper edge of one in another, over its components. */
export function seam(above: EdgeStore, upper: number, below: EdgeStore, lower: number): number {
  const { width, offsets } = above;
  let mean = 0;
  for (let component = 0; component < offsets.length; component++) {
    const from = offsets[component] ?? 0;
    const to = offsets[component + 1] ?? width;
    const [a, b] = [upper * width, lower * width];
    let sum = 0;
    for (let place = from; place < to; place++) {
      const gap = (above.bottom[a + place] ?? 0) - (below.top[b + place] ?? 0);
      sum += gap > 256 || gap < -256 ? 256 : gap < 0 ? -gap : gap;
    }
    mean += (sum / (to - from)) * (component === 0 ? 1 : colourWeight);
  }
  return mean / quarter;
}

/** Mean difference, in sample values, of the right edge of an MCU and the left edge of the one beside it. */
export function side(before: EdgeStore, first: number, behind: EdgeStore, second: number): number {
  const { tall } = before;
  let sum = 0;
  for (let place = 0; place < tall; place++)
    sum += Math.min(
      256,
      Math.abs((before.right[first * tall + place] ?? 0) - (behind.left[second * tall + place] ?? 0)),
    );
  return sum / tall / quarter;
}
