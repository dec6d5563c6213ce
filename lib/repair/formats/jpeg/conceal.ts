import { zigzag } from '../../codecs/jpeg/tables';
import type { Canvas } from './canvas';
import { quarter } from './edgestore';

const basis = Float32Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

/** Fills MCUs that are lost with a passage from what is above to what is below, so that they disturb as little as can be. */
export class Concealer {
  readonly #canvas: Canvas;
  readonly #above: Int32Array;
  readonly #below: Int32Array;

  constructor(canvas: Canvas) {
    const { across, total } = canvas.layout;
    this.#canvas = canvas;
    this.#above = new Int32Array(total).fill(-1);
    this.#below = new Int32Array(total).fill(-1);
    for (let place = across; place < total; place++)
      this.#above[place] = canvas.filled[place - across] ? place - across : (this.#above[place - across] ?? -1);
    for (let place = total - across - 1; place >= 0; place--)
      this.#below[place] = canvas.filled[place + across] ? place + across : (this.#below[place + across] ?? -1);
  }

  /** Writes the coefficients of a lost MCU. */
  fill(place: number, coefficients: Int16Array): void {
    const canvas = this.#canvas;
    const { layout, edges } = canvas;
    coefficients.fill(0);
    const [above, below] = [this.#above[place] ?? -1, this.#below[place] ?? -1];
    if (above < 0 && below < 0) {
      this.#beside(place, coefficients);
      return;
    }
    const rows = above >= 0 && below >= 0 ? (below - above) / layout.across - 1 : 0;
    const row = above >= 0 ? (place - above) / layout.across - 1 : (below - place) / layout.across - 1;
    for (let number = 0; number < layout.blocks.length; number++) {
      const block = layout.blocks[number];
      if (!block) continue;
      const high = (layout.vertical[block.component] ?? 1) * 8;
      const offset = (edges.offsets[block.component] ?? 0) + block.column * 8;
      const upper = spectrum(edges.bottom, above < 0 ? -1 : above * edges.width + offset);
      const lower = spectrum(edges.top, below < 0 ? -1 : below * edges.width + offset);
      const table = edges.tables[block.component] ?? new Uint16Array(64).fill(1);
      const y = row * high + block.row * 8;
      const wanted =
        above >= 0 && below >= 0 ? passage(upper, lower, y, rows * high) : drawnOut(above >= 0 ? upper : lower, y);
      quantise(wanted, table, coefficients, number * 64);
    }
  }

  /** Nothing above nor below: the colour of the nearest MCU in the row. */
  #beside(place: number, coefficients: Int16Array): void {
    const { layout, edges, filled } = this.#canvas;
    const start = place - (place % layout.across);
    let near = -1;
    for (let column = 0; column < layout.across; column++)
      if (filled[start + column] && (near < 0 || Math.abs(start + column - place) < Math.abs(near - place)))
        near = start + column;
    if (near < 0) return;
    for (let number = 0; number < layout.blocks.length; number++) {
      const component = layout.blocks[number]?.component ?? 0;
      const line = spectrum(edges.bottom, near * edges.width + (edges.offsets[component] ?? 0));
      coefficients[number * 64] = Math.round(((line[0] ?? 0) * Math.sqrt(8)) / (edges.tables[component]?.[0] ?? 1));
    }
  }
}

/** Transform of eight samples of an edge; zeroes for `at` below 0. */
function spectrum(edge: Int16Array, at: number): Float32Array {
  const line = new Float32Array(8);
  if (at < 0) return line;
  for (let u = 0; u < 8; u++) {
    let sum = 0;
    for (let x = 0; x < 8; x++) sum += (edge[at + x] ?? 0) * (basis[u * 8 + x] ?? 0);
    line[u] = sum / quarter;
  }
  return line;
}

/** One frequency of the transform of a straight slope down a block. */
function ramp(frequency: number, start: number, slope: number): number {
  let sum = 0;
  for (let y = 0; y < 8; y++) sum += (start + slope * y) * (basis[frequency * 8 + y] ?? 0);
  return sum;
}

/** What a coefficient of a lost block should be, by its frequency across and down. */
type Wanted = (u: number, v: number) => number;

/** Both sides are there: a straight passage between them, whose spectrum down the block is that of a slope. `high` is the gap in samples. */
function passage(upper: Float32Array, lower: Float32Array, y: number, high: number): Wanted {
  const [start, slope] = [(y + 0.5) / high, 1 / high];
  return (u, v) => (upper[u] ?? 0) * ramp(v, 1 - start, -slope) + (lower[u] ?? 0) * ramp(v, start, slope);
}

/** Samples behind an edge at which its detail counts by 1/e, and how much further than its first sample a block is taken to lie. */
const fading = { samples: 24, ahead: 4 };

/** One side alone is there: it goes on as it is, but its detail is not drawn out far. */
const drawnOut =
  (edge: Float32Array, y: number): Wanted =>
  (u, v) => {
    if (v !== 0) return 0;
    const near = u === 0 ? 1 : Math.exp(-(y + fading.ahead) / fading.samples);
    return (edge[u] ?? 0) * near * Math.sqrt(8);
  };

/** Writes what a block should be, in steps of its table. */
function quantise(wanted: Wanted, table: Uint16Array, coefficients: Int16Array, at: number): void {
  for (let index = 0; index < 64; index++) {
    const natural = zigzag[index] ?? 0;
    const sum = wanted(natural & 7, natural >> 3);
    if (sum !== 0) coefficients[at + index] = Math.round(sum / (table[index] ?? 1));
  }
}
