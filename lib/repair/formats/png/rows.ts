import type { Alignment, RowModel, Stretch } from '../../core/deflate/model';
import { predicted } from '../../core/predict';
import type { Effort } from '../../report';
import { alphaBytes, judgeAlpha } from './alpha';
import { type PngHeader, rowSizes } from './header';
import { passesOf } from './passes';

/** Undoes the filter of one row (ISO/IEC 15948, 9.2). `raw` begins behind the filter byte; `above` is -1 in the first row of a picture. */
export function unfilterRow(
  filter: number,
  bytes: Uint8Array,
  raw: number,
  out: Uint8Array,
  at: number,
  above: number,
  count: number,
  pixel: number,
): void {
  // What only copies or adds goes by in a loop of its own: pictures of 15 megapixels come through here several times.
  if (filter === 2 && above >= 0)
    for (let index = 0; index < count; index++) out[at + index] = (bytes[raw + index] ?? 0) + (out[above + index] ?? 0);
  else if (filter === 1)
    for (let index = 0; index < count; index++)
      out[at + index] = (bytes[raw + index] ?? 0) + (index >= pixel ? (out[at + index - pixel] ?? 0) : 0);
  else unfilterByNeighbours(filter, bytes, raw, out, at, above, count, pixel);
}

/** The same for filters that look at up to three neighbours. */
function unfilterByNeighbours(
  filter: number,
  bytes: Uint8Array,
  raw: number,
  out: Uint8Array,
  at: number,
  above: number,
  count: number,
  pixel: number,
): void {
  for (let index = 0; index < count; index++) {
    const left = index >= pixel ? (out[at + index - pixel] ?? 0) : 0;
    const up = above >= 0 ? (out[above + index] ?? 0) : 0;
    const corner = above >= 0 && index >= pixel ? (out[above + index - pixel] ?? 0) : 0;
    out[at + index] = (bytes[raw + index] ?? 0) + predicted(filter, left, up, corner);
  }
}

/** Rows that are looked at ahead to put them in their place. */
const rowsAhead = 24;
/** Rows of opaque pixels after which all are expected to be, and for how many of them one with others counts. */
const enoughOpaque = 16;
const transparentRow = 4;
/** Roughness of a pixel that should be opaque and is not. */
const roughAlpha = 128;
const rowsRemembered = 24;

/** Rows of a PNG as a stream should give them, in the seven passes when interlaced: each begins with a filter byte from 0 to 4. */
export class PngRows implements RowModel {
  readonly starts: Int32Array;
  readonly ahead = 1;
  /** Whether a row has none above it in its pass. */
  readonly top: Uint8Array;
  readonly pixel: number;
  /** Rows without filters, at the places of the filtered ones. */
  plain: Uint8Array;
  readonly #filters = new Uint32Array(5);
  readonly #roughness: number[] = [];
  readonly #rowRoughness: Float32Array;
  /** Of samples of two bytes only the first tells how smooth a picture is. */
  readonly #step: number;
  readonly #alpha: number;
  readonly #effort: Effort;
  /** Rows with opaque pixels alone that were settled, less several for each other one. */
  #opaque = 0;

  constructor(header: PngHeader, effort: Effort) {
    this.#effort = effort;
    const starts = [0];
    const tops: number[] = [];
    for (const { width, height } of passesOf(header)) {
      const { row } = rowSizes({ ...header, width });
      for (let line = 0; line < height; line++) {
        tops.push(line === 0 ? 1 : 0);
        starts.push((starts.at(-1) ?? 0) + row + 1);
      }
    }
    this.starts = Int32Array.from(starts);
    this.top = Uint8Array.from(tops);
    this.pixel = rowSizes(header).pixel;
    this.#alpha = alphaBytes(header);
    this.#step = header.depth === 16 ? 2 : 1;
    this.plain = new Uint8Array(starts.at(-1) ?? 0);
    this.#rowRoughness = new Float32Array(starts.length);
  }

  /** Gives up the rows without filters, which only reading needs. */
  release(): void {
    this.plain = new Uint8Array(0);
  }

  get size(): number {
    return this.starts.at(-1) ?? 0;
  }

  get typical(): number {
    if (this.#roughness.length === 0) return 16;
    return [...this.#roughness].sort((left, right) => left - right)[this.#roughness.length >> 1] ?? 16;
  }

  /** The filters that rows had so far; all of them until enough are known. */
  get usualFilters(): number[] {
    return [0, 1, 2, 3, 4].filter((filter) => this.#settled <= 8 || (this.#filters[filter] ?? 0) > 0);
  }

  get #settled(): number {
    return this.#filters.reduce((sum, count) => sum + count, 0);
  }

  sound(bytes: Uint8Array, known: Uint8Array, row: number): boolean {
    if (row > 0 && this.#opaque >= enoughOpaque && this.#wrongAlpha(bytes, known, row - 1) > 0) return false;
    const at = this.starts[row] ?? 0;
    if (known[at] === 0) return true;
    const filter = bytes[at] ?? 9;
    if (filter > 4) return false;
    // Where all rows had the same filter so far, another one is looked at more closely.
    const same = this.#filters[filter] ?? 0;
    return same > 0 || this.#settled < 12 || this.#filters.filter((count) => count > 0).length > 1;
  }

  /** How many pixels of a row are not opaque by what is known of their alpha values. */
  #wrongAlpha(data: Uint8Array, known: Uint8Array, row: number): number {
    const from = this.starts[row] ?? 0;
    const entry = {
      from,
      row: (this.starts[row + 1] ?? from) - from - 1,
      filter: data[from] ?? 0,
      top: this.top[row] === 1,
    };
    return known[from] === 0 || entry.filter > 4
      ? 0
      : judgeAlpha(entry, { data, known }, this.pixel, this.#alpha).wrong;
  }

  #isOpaque(from: number, to: number): boolean {
    for (let at = from + this.pixel; at <= to; at += this.pixel)
      for (let byte = at - this.#alpha; byte < at; byte++) if (this.plain[byte] !== 255) return false;
    return true;
  }

  settle(bytes: Uint8Array, known: Uint8Array, row: number): void {
    const at = this.starts[row] ?? 0;
    const end = this.starts[row + 1] ?? at;
    const above = this.top[row] ? -1 : at - (end - at) + 1;
    if (known[at] === 0 && known[end - 1] === 0) {
      if (above >= 0) this.plain.copyWithin(at + 1, above, above + end - at - 1);
      return;
    }
    const filter =
      known[at] === 0 ? this.likelyFilter(bytes, at, this.plain, at + 1, above, end - at - 1) : (bytes[at] ?? 0);
    if (known[at] !== 0 && filter <= 4) this.#filters[filter] = (this.#filters[filter] ?? 0) + 1;
    unfilterRow(filter, bytes, at + 1, this.plain, at + 1, above, end - at - 1, this.pixel);
    if (this.#alpha > 0) this.#opaque += this.#isOpaque(at + 1, end) ? 1 : -transparentRow;
    const rough = this.#rough(this.plain, at + 1, above, end - at - 1);
    this.#rowRoughness[row] = rough;
    this.#roughness.push(rough);
    if (this.#roughness.length > rowsRemembered) this.#roughness.shift();
  }

  settledRoughness(row: number): number {
    return this.#rowRoughness[row] ?? 0;
  }

  /** The filter that makes a row with a lost filter byte the smoothest; `at` is where it begins. */
  likelyFilter(bytes: Uint8Array, at: number, out: Uint8Array, to: number, above: number, count: number): number {
    let best = { filter: 0, cost: Number.POSITIVE_INFINITY };
    for (let filter = 0; filter < 5; filter++) {
      if (this.#filters[filter] === 0 && this.#settled > 8) continue;
      unfilterRow(filter, bytes, at + 1, out, to, above, count, this.pixel);
      const cost = this.#rough(out, to, above, count);
      if (cost < best.cost) best = { filter, cost };
    }
    return best.filter;
  }

  #rough(out: Uint8Array, at: number, above: number, count: number): number {
    let sum = 0;
    for (let index = this.pixel; index < count; index += this.#step) {
      const value = out[at + index] ?? 0;
      sum += Math.min(64, Math.abs(value - (out[at + index - this.pixel] ?? 0)));
      if (above >= 0) sum += Math.min(64, Math.abs(value - (out[above + index] ?? 0)));
    }
    return (sum * this.#step) / Math.max(1, count) / (above >= 0 ? 2 : 1);
  }

  roughness(bytes: Uint8Array, from: number, to: number, most: number): number {
    // Settled rows are written over only behind `from`, where they are not settled any more.
    let worst = 0;
    for (let row = from; row < to && worst <= most; row++) {
      const at = this.starts[row] ?? 0;
      const count = (this.starts[row + 1] ?? at) - at - 1;
      const above = this.top[row] ? -1 : at - count;
      unfilterRow(bytes[at] ?? 0, bytes, at + 1, this.plain, at + 1, above, count, this.pixel);
      this.#effort.spend('comparedByte', count * 2);
      worst = Math.max(worst, this.#rough(this.plain, at + 1, above, count) + this.#roughAlpha(bytes, row));
    }
    return worst;
  }

  /** What pixels that should be opaque add to the roughness of a row whose filter byte is known. */
  #roughAlpha(data: Uint8Array, row: number): number {
    if (this.#alpha === 0 || this.#opaque < enoughOpaque) return 0;
    const from = this.starts[row] ?? 0;
    const count = (this.starts[row + 1] ?? from) - from - 1;
    const entry = { from, row: count, filter: Math.min(4, data[from] ?? 0), top: this.top[row] === 1 };
    return (judgeAlpha(entry, { data, known: null }, this.pixel, this.#alpha).wrong * roughAlpha) / Math.max(1, count);
  }

  align(stretch: Stretch, row: number, wanted: number, reach: number): Alignment | null {
    const rows = this.starts.length - 1;
    const weights = this.#filterWeights(stretch, row);
    let best: (Alignment & { score: number }) | null = null;
    const unlikely = Math.log(reach * 2 + 1);
    const step = Math.max(1, (this.starts[row + 1] ?? 0) - (this.starts[row] ?? 0));
    const tried = { places: 0 };
    for (let shift = Math.ceil(wanted - reach); shift <= wanted + reach; shift++) {
      for (
        let first = row;
        first < Math.min(rows, row + (reach === 0 ? mostSkipped.sure : mostSkipped.unsure));
        first++
      ) {
        // Damage changes the number of bytes by little; that a row more or less came out is far less likely than a spoilt row.
        let score = shift === wanted ? 0 : -unlikely - (Math.abs(shift - wanted) / step) * costs.rowMore;
        score -= (first - row) * costs.spoiltRow;
        score = this.#scoreRows(stretch, weights, { first, shift, score, least: -unlikely - costs.most }, tried);
        if (score > (best?.score ?? leastScore)) best = { shift, row: first, score };
      }
    }
    this.#effort.spend('rowStart', tried.places);
    this.#effort.spend('comparedByte', Math.max(0, stretch.length - (this.starts[row] ?? 0)));
    return best ? { shift: best.shift, row: best.row } : null;
  }

  /** How much more likely each byte is as a filter byte than as any other, by the bytes of a stretch from a row on. */
  #filterWeights({ bytes, known, offset, length }: Stretch, row: number): Float64Array {
    const seen = new Uint32Array(256);
    for (let at = Math.max(0, (this.starts[row] ?? 0) - offset); at < length - offset; at++) {
      if (known[at] === 0) continue;
      const byte = bytes[at] ?? 0;
      seen[byte] = (seen[byte] ?? 0) + 1;
    }
    const total = seen.reduce((sum, count) => sum + count, 0) + 256;
    const settled = this.#settled;
    return Float64Array.from({ length: 5 }, (_, filter) => {
      const share = ((this.#filters[filter] ?? 0) + 0.4) / (settled + 2);
      return Math.log(share / (((seen[filter] ?? 0) + 1) / total));
    });
  }

  /** The score of rows from `first` on, if they stand `shift` bytes further; below everything where too few of their filter bytes are known. */
  #scoreRows(
    { bytes, known, offset, length }: Stretch,
    weights: Float64Array,
    { first, shift, score: begun, least }: { first: number; shift: number; score: number; least: number },
    tried: { places: number },
  ): number {
    let [score, checked] = [begun, 0];
    for (let line = first; line < Math.min(this.starts.length - 1, first + rowsAhead); line++) {
      const at = (this.starts[line] ?? 0) + shift - offset;
      if (at < 0 || at >= length - offset) break;
      tried.places++;
      if (known[at] === 0) continue;
      const byte = bytes[at] ?? 9;
      score += byte > 4 ? -costs.noFilter : (weights[byte] ?? 0);
      checked++;
      if (score < least) break;
    }
    return checked >= leastChecked ? score : Number.NEGATIVE_INFINITY;
  }
}

/** Rows that may be passed over: where the shift is known, and where it is looked for. */
const mostSkipped = { sure: 16, unsure: 6 };
/** What counts against a place, in log likelihood: a row more or less, a row that is spoilt, a byte that is no filter, and how much in all ends a trial. */
const costs = { rowMore: 5, spoiltRow: 1.5, noFilter: 12, most: 36 };
/** The least score of a place that is believed, and the fewest filter bytes that it rests on. */
const leastScore = 3;
const leastChecked = 2;
