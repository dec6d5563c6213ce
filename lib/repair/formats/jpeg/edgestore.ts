import type { Layout } from '../../codecs/jpeg/layout';
import { zigzag } from '../../codecs/jpeg/tables';

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

const [atTop, atBottom, atLeft, atRight, anySide] = [1, 2, 4, 8, 15] as const;
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
  readonly #sums = new Float32Array(16);
  /** By block of an MCU: the sides of it that it lies at, its places in an upper and a left edge, and its table. */
  readonly #sides: Uint8Array;
  readonly #across: Uint16Array;
  readonly #down: Uint16Array;
  readonly #quantums: (Uint16Array | undefined)[];

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
    const { blocks, horizontal, vertical } = layout;
    this.#sides = Uint8Array.from(blocks, ({ component, column, row }) => {
      const upright = (row === 0 ? atTop : 0) | (row === (vertical[component] ?? 1) - 1 ? atBottom : 0);
      if (component > 0) return upright;
      return upright | (column === 0 ? atLeft : 0) | (column === (horizontal[0] ?? 1) - 1 ? atRight : 0);
    });
    this.#across = Uint16Array.from(blocks, ({ component, column }) => (this.offsets[component] ?? 0) + column * 8);
    this.#down = Uint16Array.from(blocks, ({ row }) => row * 8);
    this.#quantums = blocks.map(({ component }) => tables[component]);
  }

  /** Keeps the edges of one MCU under a number; with `upper` the upper one alone, and none of the others. */
  set(index: number, coefficients: Int16Array, last: Uint8Array, upper = false): void {
    const sides = this.#sides;
    for (let number = 0; number < sides.length; number++) {
      const side = (sides[number] ?? 0) & (upper ? atTop : anySide);
      if (side === 0) continue;
      const across = index * this.width + (this.#across[number] ?? 0);
      const down = index * this.tall + (this.#down[number] ?? 0);
      const table = this.#quantums[number];
      const end = last[number] ?? 0;
      if (end > 0) this.#detailed(side, across, down, coefficients, number * 64, end, table);
      else {
        // One brightness all over.
        const mean = Math.fround((coefficients[number * 64] ?? 0) * (table?.[0] ?? 1) * quarter * flat) * flat;
        this.#plain(side, across, down, clamp(mean));
      }
    }
  }

  /** The edges of a block of one brightness. */
  #plain(side: number, across: number, down: number, value: number): void {
    if (side & atTop) this.#level(value, this.top, across);
    if (side & atBottom) this.#level(value, this.bottom, across);
    if (side & atLeft) this.#level(value, this.left, down);
    if (side & atRight) this.#level(value, this.right, down);
  }

  /** The edges of a block by its coefficients up to the last one that is not zero. */
  #detailed(
    side: number,
    across: number,
    down: number,
    coefficients: Int16Array,
    at: number,
    last: number,
    table: Uint16Array | undefined,
  ): void {
    if (side & (atTop | atBottom)) {
      this.#gather(coefficients, at, last, table, columnSum, columnShare);
      if (side & atTop) this.#write(1, this.top, across);
      if (side & atBottom) this.#write(-1, this.bottom, across);
    }
    if (side & (atLeft | atRight)) {
      this.#gather(coefficients, at, last, table, rowSum, rowShare);
      if (side & atLeft) this.#write(1, this.left, down);
      if (side & atRight) this.#write(-1, this.right, down);
    }
  }

  #level(value: number, out: Int16Array, at: number): void {
    for (let place = at; place < at + 8; place++) out[place] = value;
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

  /** Makes the edges of all MCUs from one on, or up to another one, brighter, by component in sample values. */
  raise(values: readonly number[], from = 0, to = this.top.length / this.width): void {
    const { offsets, width } = this;
    for (let at = from * width; at < to * width; at++) {
      const place = at % width;
      const component = offsets.findLastIndex((offset) => offset <= place);
      const value = Math.round((values[component] ?? 0) * quarter);
      this.top[at] = (this.top[at] ?? 0) + value;
      this.bottom[at] = (this.bottom[at] ?? 0) + value;
    }
    const value = Math.round((values[0] ?? 0) * quarter);
    for (let at = from * this.tall; at < to * this.tall; at++) {
      this.left[at] = (this.left[at] ?? 0) + value;
      this.right[at] = (this.right[at] ?? 0) + value;
    }
  }

  /** Sums of the coefficients over rows or over columns, those of even frequency in the first eight places, odd in the others. */
  #gather(
    coefficients: Int16Array,
    at: number,
    last: number,
    table: Uint16Array | undefined,
    places: Uint8Array,
    shares: Float64Array,
  ): void {
    const sums = this.#sums.fill(0);
    for (let index = 0; index <= last; index++) {
      const coefficient = coefficients[at + index] ?? 0;
      if (coefficient === 0) continue;
      const place = places[index] ?? 0;
      sums[place] = (sums[place] ?? 0) + coefficient * (table?.[index] ?? 1) * quarter * (shares[index] ?? 0);
    }
  }

  #write(sign: 1 | -1, out: Int16Array, at: number): void {
    const sums = this.#sums;
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

/**
 * Mean difference, in sample values, of the lower edge of an MCU in one store and the upper edge of one in another, over its components; less
 * `drift`, by which the lower one is darker.
 */
export function seam(
  above: EdgeStore,
  upper: number,
  below: EdgeStore,
  lower: number,
  drift?: readonly number[],
): number {
  const { width, offsets } = above;
  let mean = 0;
  for (let component = 0; component < offsets.length; component++) {
    const from = offsets[component] ?? 0;
    const to = offsets[component + 1] ?? width;
    const [a, b] = [upper * width, lower * width];
    const off = (drift?.[component] ?? 0) * quarter;
    let sum = 0;
    for (let place = from; place < to; place++) {
      const gap = (above.bottom[a + place] ?? 0) - (below.top[b + place] ?? 0) - off;
      sum += gap > 256 || gap < -256 ? 256 : gap < 0 ? -gap : gap;
    }
    mean += (sum / (to - from)) * (component === 0 ? 1 : colourWeight);
  }
  return mean / quarter;
}

/** The same of how the first component changes from sample to sample along both edges, which a drift of brightness leaves alone. */
export function slopeSeam(store: EdgeStore, upper: number, lower: number): number {
  const { width, offsets, bottom, top } = store;
  const length = (offsets[1] ?? width) - 1;
  const [a, b] = [upper * width, lower * width];
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const above = (bottom[a + at + 1] ?? 0) - (bottom[a + at] ?? 0);
    const below = (top[b + at + 1] ?? 0) - (top[b + at] ?? 0);
    sum += Math.min(256, Math.abs(above - below));
  }
  return sum / length / quarter;
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
