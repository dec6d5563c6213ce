/** How the value of a byte follows from its neighbours: from none, the left one, the upper one, the mean of both, the corner, or half the upper one. */
const [alone, left, upper, mean, corner, halfUpper] = [0, 1, 2, 3, 4, 5] as const;

/** Stands for a filter that was lost. */
export const unknownFilter = 9;

/** A residual of this size is an edge; how far beyond the range of a byte a doubtful value must be to have wrapped round, at edges and elsewhere. */
const [leap, leapBeyond, mostBeyond] = [48, 12, 72];

/**
 * A band of rows whose filters (ISO/IEC 15948, 9.2) are undone in whole numbers without wrapping round, so that what each byte does to
 * all that build on it can be followed both ways. Row 0 of `image` is the row above the band and stays as it is.
 */
export class Field {
  readonly rows: number;
  /** Bytes of a row and of a pixel. */
  readonly count: number;
  readonly pixel: number;
  readonly image: Float32Array;
  /** What was added to the forecast of each byte, from -128 to 127, laid out as `image`. */
  readonly residual: Float32Array;
  /** The filter of each row, 0 to 4; `unknownFilter` until the rows above it are known. */
  readonly filters: Uint8Array;
  /** 1 for lost residuals. */
  readonly open: Uint8Array;
  /** 1 for samples that are known whatever they build on; what stands as their residual is their value. */
  readonly given: Uint8Array;
  /** 1 for what builds on lost residuals; the rest is exact. */
  readonly doubtful: Uint8Array;
  /** Filters that rows of this picture have. */
  usual: readonly number[] = [0, 1, 2, 3, 4];
  /** Rows that are looked at for now. */
  active: number;
  readonly #ways: Uint8Array;
  /** Whether only the first of two bytes is an amount; the other one wraps round all the time. */
  readonly #wide: boolean;

  constructor(rows: number, count: number, pixel: number, wide: boolean) {
    this.rows = rows;
    this.active = rows;
    this.count = count;
    this.pixel = pixel;
    this.image = new Float32Array((rows + 1) * count);
    this.residual = new Float32Array((rows + 1) * count);
    this.filters = new Uint8Array(rows + 1);
    this.open = new Uint8Array((rows + 1) * count);
    this.given = new Uint8Array((rows + 1) * count);
    this.doubtful = new Uint8Array((rows + 1) * count);
    this.#ways = new Uint8Array((rows + 1) * count);
    this.#wide = wide;
  }

  /** Length of what is looked at in all arrays, in bytes. */
  get size(): number {
    return (this.active + 1) * this.count;
  }

  /** Of each byte of a row whether it builds on lost residuals. */
  doubtfulIn(row: number): Uint8Array {
    return this.doubtful.subarray(row * this.count, (row + 1) * this.count);
  }

  /** Undoes the filters; which neighbour Paeth takes is remembered for `push` and `pull`. */
  undo(): void {
    for (let row = 1; row <= this.active; row++) {
      if ((this.filters[row] ?? 0) === unknownFilter) this.filters[row] = this.#likeliest(row);
      this.#undoRow(row, this.filters[row] ?? 0);
    }
  }

  #undoRow(row: number, filter: number): void {
    if (filter === 4) this.#undoPaeth(row);
    else this.#undoPlain(row, filter);
  }

  /** The filter with which a row differs least from its neighbours. */
  #likeliest(row: number): number {
    const { image, count, pixel } = this;
    let best = { filter: 0, cost: Number.POSITIVE_INFINITY };
    for (const filter of this.usual) {
      this.#undoRow(row, filter);
      let cost = 0;
      for (let at = row * count + pixel; at < (row + 1) * count; at += this.#wide ? 2 : 1) {
        const value = image[at] ?? 0;
        cost += Math.min(64, Math.abs(value - (image[at - pixel] ?? 0)));
        cost += Math.min(64, Math.abs(value - (image[at - count] ?? 0)));
      }
      if (cost < best.cost) best = { filter, cost };
    }
    return best.filter;
  }

  #undoPlain(row: number, filter: number): void {
    const { image, residual, count, pixel, open, doubtful, given } = this;
    const ways = this.#ways;
    const from = row * count;
    const [way, first] = plainWays[filter] ?? plainWays[0];
    for (let at = from; at < from + count; at++) {
      if (given[at] === 1) {
        this.#give(at);
        continue;
      }
      const inside = at >= from + pixel;
      const up = image[at - count] ?? 0;
      const own = wayOf(inside, open[at] === 1, way, first);
      ways[at] = own;
      doubtful[at] =
        (open[at] ?? 0) |
        (own === upper || own === mean || own === halfUpper ? (doubtful[at - count] ?? 0) : 0) |
        (own === left || own === mean ? (doubtful[at - pixel] ?? 0) : 0);
      const value = (residual[at] ?? 0) + forecast(own, inside ? (image[at - pixel] ?? 0) : up, up);
      // Half of a bright sample is far from it, so that only its likely value tells which way the sum wraps round.
      if (own === halfUpper && doubtful[at] === 1) image[at] = value - Math.round((value - up) / 256) * 256;
      else image[at] = this.#inRange(at, value);
    }
  }

  #undoPaeth(row: number): void {
    const { count, pixel, given } = this;
    const from = row * count;
    for (let at = from; at < from + count; at++)
      if (given[at] === 1) this.#give(at);
      else if (at < from + pixel) this.#undoFirst(at);
      else this.#undoByCorner(at);
  }

  /** A sample of the first pixel of a row, which has none to its left. */
  #undoFirst(at: number): void {
    const { image, residual, count, open, doubtful } = this;
    this.#ways[at] = upper;
    doubtful[at] = (open[at] ?? 0) | (doubtful[at - count] ?? 0);
    image[at] = this.#inRange(at, (residual[at] ?? 0) + (image[at - count] ?? 0));
  }

  #undoByCorner(at: number): void {
    const { image, residual, count, pixel, open, doubtful } = this;
    const up = image[at - count] ?? 0;
    const before = image[at - pixel] ?? 0;
    const across = image[at - count - pixel] ?? 0;
    const byLeft = Math.abs(up - across);
    const byUp = Math.abs(before - across);
    const byCorner = Math.abs(before + up - 2 * across);
    const way = byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? upper : corner;
    this.#ways[at] = way;
    doubtful[at] =
      (open[at] ?? 0) | (doubtful[at - count] ?? 0) | (doubtful[at - pixel] ?? 0) | (doubtful[at - count - pixel] ?? 0);
    image[at] = this.#inRange(at, (residual[at] ?? 0) + (way === left ? before : way === upper ? up : across));
  }

  #give(at: number): void {
    this.#ways[at] = alone;
    this.doubtful[at] = 0;
    this.image[at] = this.residual[at] ?? 0;
  }

  /** Exact values wrap round as the standard says; doubtful ones are a little off where they leave the range, unless a leap took them there. */
  #inRange(at: number, value: number): number {
    if (value >= 0 && value < 256) return value;
    if (this.doubtful[at] === 0 || (this.#wide && ((at % this.count) & 1) === 1))
      return value - Math.floor(value / 256) * 256;
    const beyond = value < 0 ? -value : value - 255;
    if (beyond < (Math.abs(this.residual[at] ?? 0) > leap ? leapBeyond : mostBeyond)) return value;
    return value < 0 ? value + 256 : value - 256;
  }

  /** What changes of the residuals do to the image, in `out`, as long as Paeth takes the same neighbours. */
  push(change: Float32Array, out: Float32Array): void {
    const { count, pixel } = this;
    const ways = this.#ways;
    out.fill(0, 0, count);
    for (let at = count, end = this.size; at < end; at++) {
      const way = ways[at] ?? 0;
      let value = change[at] ?? 0;
      if (way === left) value += out[at - pixel] ?? 0;
      else if (way === upper) value += out[at - count] ?? 0;
      else if (way === mean) value += ((out[at - pixel] ?? 0) + (out[at - count] ?? 0)) / 2;
      else if (way === corner) value += out[at - count - pixel] ?? 0;
      else if (way === halfUpper) value += (out[at - count] ?? 0) / 2;
      out[at] = value;
    }
  }

  /** The other way round: what each residual does to a sum over the image whose slope is `slope`; it is replaced by the answer. */
  pull(slope: Float32Array): void {
    const { count, pixel } = this;
    const ways = this.#ways;
    for (let at = this.size - 1; at >= count; at--) {
      const way = ways[at] ?? 0;
      const value = slope[at] ?? 0;
      if (value === 0 || way === alone) continue;
      if (way === left) slope[at - pixel] = (slope[at - pixel] ?? 0) + value;
      else if (way === upper) slope[at - count] = (slope[at - count] ?? 0) + value;
      else if (way === mean) {
        slope[at - pixel] = (slope[at - pixel] ?? 0) + value / 2;
        slope[at - count] = (slope[at - count] ?? 0) + value / 2;
      } else if (way === corner) slope[at - count - pixel] = (slope[at - count - pixel] ?? 0) + value;
      else slope[at - count] = (slope[at - count] ?? 0) + value / 2;
    }
  }
}

/** How the filters None, Sub, Up and Average (ISO/IEC 15948, 9.2) forecast: samples of the first pixel of a row have none before them. */
const plainWays: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [alone, alone],
  [left, alone],
  [upper, upper],
  [mean, halfUpper],
];

/** How a sample is forecast. What is lost anyway is best forecast from a neighbour, whatever the filter. */
function wayOf(inside: boolean, lost: boolean, way: number, first: number): number {
  if (!inside) return lost ? upper : first;
  return lost && way === alone ? mean : way;
}

/** What a way of forecasting expects, by the sample before and the one above. */
function forecast(way: number, before: number, up: number): number {
  if (way === left) return before;
  if (way === upper) return up;
  if (way === alone) return 0;
  const sum = way === mean ? before + up : up;
  // The standard rounds the mean down, which takes a quarter off on average where the values are not whole themselves.
  return sum === Math.round(sum) ? Math.floor(sum / 2) : sum / 2 - 0.25;
}
