import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { type Canvas, mostMisfit } from './canvas';
import { type Chain, countFrom } from './chain';
import { colourWeight, EdgeStore, quarter, seam, side } from './edgestore';
import { atMost, type Break, type Continuation, driftBelow, firstFitting, usually } from './fitting';
import { phaseCosts, Skyline, slopes } from './skyline';
import { steppedBack } from './stepback';

/** How often reading is begun again behind one break, and errors after which what is read is none. */
const mostRounds = 40;
const mostErrors = 4000;
/** Blocks of an edge from which on its first third, which may still be garbage, is left out. */
const longEdge = 30;

/** What speaks against a place, in sample values: that it is not counted from the end, and one more for every `mcus` that it is away, up to `most`. */
const placeCost = { guessed: 0.6, mcus: 100, most: 2 };
/** What a jump at the border of the picture speaks for a place, as a share of it, by at most so many borders. */
const borderGain = { share: 0.15, borders: 4 };

/** Rows of a piece in which the borders of the picture are looked for. */
const wrapRows = 6;

type Piece = { from: number; to: number };

/** A candidate for where a piece belongs: the place its first MCU would have, and what speaks against it beforehand. */
type Candidate = { place: number; penalty: number };

/** Reads on behind a break and finds where in the picture what comes out belongs. */
export class Resync {
  readonly #canvas: Canvas;
  readonly #plan: ScanPlan;
  readonly #store: EdgeStore;
  readonly #bits: Uint32Array;
  readonly #before: Int16Array;
  readonly #capacity: number;
  #reader: McuReader;

  constructor(canvas: Canvas, plan: ScanPlan, data: Uint8Array) {
    this.#canvas = canvas;
    this.#plan = plan;
    const { across } = canvas.layout;
    this.#capacity = Math.min(Math.max(across * 6, 400), 12_000);
    this.#store = new EdgeStore(canvas.layout, canvas.edges.tables, this.#capacity);
    this.#bits = new Uint32Array(this.#capacity + 1);
    this.#before = new Int16Array((this.#capacity + 1) * canvas.layout.components);
    this.#reader = new McuReader(data, plan);
  }

  /** Finds the continuation behind a break; null when nothing up to the end of the data fits anywhere. */
  find(data: Uint8Array, at: Break, chain: Chain): Continuation | null {
    this.#reader = new McuReader(data, this.#plan);
    let bit = at.bit;
    const sky = new Skyline(this.#canvas, at.place);
    for (let round = 0; round < mostRounds && bit < data.length * 8; round++) {
      const pieces = this.#read(bit, Math.min(this.#capacity, at.to - at.place + this.#canvas.layout.across));
      for (const piece of pieces) {
        const found = this.#place(piece, at, chain, sky);
        if (found) return steppedBack(this.#canvas, this.#plan, data, at, chain, sky, found);
      }
      const next = this.#reader.position;
      if (next <= bit) break;
      bit = next;
    }
    return null;
  }

  /** Reads MCUs into the store; returns those runs between errors that are long enough to say something. */
  #read(bit: number, most: number): Piece[] {
    const reader = this.#reader;
    const { components } = this.#canvas.layout;
    const pieces: Piece[] = [];
    reader.seek(bit, []);
    let from = 0;
    let count = 0;
    let errors = 0;
    const close = () => {
      if (count - from >= 6) pieces.push({ from, to: count });
      from = count;
    };
    while (count < most && !reader.finished() && errors < mostErrors) {
      const start = reader.position;
      this.#bits[count] = start;
      for (let index = 0; index < components; index++)
        this.#before[count * components + index] = reader.predictors[index] ?? 0;
      if (reader.mcu()) {
        this.#store.set(count++, reader.coefficients, reader.last);
        continue;
      }
      close();
      errors++;
      if (reader.position >= reader.end) break;
      reader.seek(Math.max(reader.position, start + 1), []);
    }
    close();
    return pieces;
  }

  #place(piece: Piece, at: Break, chain: Chain, sky: Skyline): Continuation | null {
    const { across } = this.#canvas.layout;
    const luma = (this.#canvas.layout.horizontal[0] ?? 1) * 8;
    const length = Math.min(piece.to - piece.from, across + 48);
    const candidates: Candidate[] = [];
    // Counted from the end the place is certain, if no more breaks follow.
    const last = piece.to - 1;
    const rest = at.anchored ? countFrom(chain, this.#bits[last] ?? 0) : null;
    const fromEnd = rest === null ? null : at.to - rest - (last - piece.from);
    if (fromEnd !== null && fromEnd >= at.place - at.backwards - piece.to + piece.from && fromEnd < at.to)
      candidates.push({ place: fromEnd, penalty: 0 });
    if (sky.known > across / 4 && at.to - at.place > across / 2) {
      const width = this.#store.width;
      const numbers = Array.from({ length }, (_, index) => piece.from + index);
      const costs = phaseCosts(
        slopes(this.#canvas.edges.bottom, width, luma, sky.places),
        slopes(this.#store.top, width, luma, numbers),
        luma / 4,
        across,
      );
      const order = [...costs.keys()].sort((left, right) => (costs[left] ?? 0) - (costs[right] ?? 0)).slice(0, 6);
      const back = Math.min(at.backwards, across >> 1);
      for (const phase of [...order, ...this.#borders(piece), at.place % across]) {
        if (!Number.isFinite(costs[phase] ?? 0)) continue;
        const ahead = (((phase - at.place + back) % across) + across) % across;
        const place = at.place - back + ahead;
        candidates.push({
          place,
          penalty: placeCost.guessed + Math.min(placeCost.most, Math.abs(place - at.place) / placeCost.mcus),
        });
      }
    } else if (fromEnd === null) candidates.push({ place: at.place, penalty: 1 });
    let best: Continuation | null = null;
    for (const { place, penalty } of candidates) {
      const found = this.#measure(piece, length, place, at, sky);
      if (found && (!best || found.cost + penalty < best.cost)) best = { ...found, cost: found.cost + penalty };
    }
    return best;
  }

  /** Lays a piece at a place: finds its drift of brightness, drops what does not fit at its beginning, and says how well the rest does. */
  #measure(piece: Piece, length: number, place: number, at: Break, sky: Skyline): Continuation | null {
    const canvas = this.#canvas;
    const { components } = canvas.layout;
    const first = Math.max(0, at.place - place);
    if (first >= length) return null;
    const drift = this.#drift(piece, length, place, first, sky);
    const misfits = this.#misfits(piece, { first, length, place, to: at.to }, drift, sky);
    const start = firstFitting(misfits, first, at.usual * usually.times + usually.levels);
    if (length - start < Math.min(leastPiece, length) || place + start >= at.to) return null;
    // A piece without anything above can only be believed when it is counted from the end.
    const mean = meanOf(misfits, start) ?? at.usual * 2;
    if (mean > at.usual * atMost.times + atMost.levels) return null;
    const from = piece.from + start;
    const quantum = canvas.edges.tables.map((table) => table[0] ?? 1);
    const predictors = Array.from(
      { length: components },
      (_, index) =>
        (this.#before[from * components + index] ?? 0) +
        Math.round(((drift[index] ?? 0) * 8) / quarter / (quantum[index] ?? 1)),
    );
    const cost = mean - this.#wrapGain(piece, start, place) + (start - first) * droppedCost;
    return { place: place + start, bit: this.#bits[from] ?? 0, predictors, cost, misfit: mean };
  }

  /** By how much each MCU of a piece differs from what is above it; -1 where nothing is. */
  #misfits(
    piece: Piece,
    { first, length, place, to }: { first: number; length: number; place: number; to: number },
    drift: readonly number[],
    sky: Skyline,
  ): Float32Array {
    const { across } = this.#canvas.layout;
    const misfits = new Float32Array(length);
    for (let index = first; index < length; index++) {
      const above = sky.places[(place + index) % across] ?? -1;
      misfits[index] = above < 0 || place + index >= to ? -1 : this.#misfit(above, piece.from + index, drift);
      // A row further down the piece lies under its own first one, if that is any good.
      if (index - across >= first && (misfits[index] ?? 0) > 0)
        misfits[index] = Math.min(
          misfits[index] ?? 0,
          seam(this.#store, piece.from + index - across, this.#store, piece.from + index),
        );
    }
    return misfits;
  }

  /** Median difference, by component, between the skyline and a piece's upper edge, in quarters of a sample value. */
  #drift(piece: Piece, length: number, place: number, first: number, sky: Skyline): number[] {
    const skip = length - first > longEdge ? Math.floor((length - first) / 3) : 0;
    return driftBelow(this.#canvas, sky, this.#store, {
      from: piece.from + first + skip,
      to: piece.from + length,
      place: place - piece.from,
    });
  }

  #misfit(above: number, number: number, drift: readonly number[]): number {
    const { edges, layout } = this.#canvas;
    let mean = 0;
    for (const [component, columns] of layout.horizontal.entries()) {
      const offset = edges.offsets[component] ?? 0;
      const [a, b] = [above * edges.width + offset, number * edges.width + offset];
      let sum = 0;
      for (let at = 0; at < columns * 8; at++)
        sum += Math.min(
          256,
          Math.abs((edges.bottom[a + at] ?? 0) - (this.#store.top[b + at] ?? 0) - (drift[component] ?? 0)),
        );
      mean += (sum / (columns * 8)) * (component === 0 ? 1 : colourWeight);
    }
    return mean / quarter;
  }

  /** At the right border the picture jumps back to the left one: where neighbours in the data do not fit there is likely a border. */
  #wrapGain(piece: Piece, start: number, place: number): number {
    const { across } = this.#canvas.layout;
    let [atBorder, borders, inside, others] = [0, 0, 0, 0];
    // Only a few rows, as the next break may follow.
    const until = Math.min(piece.to - piece.from, start + across * wrapRows);
    for (let index = start + 1; index < until; index++) {
      const misfit = this.#sideOf(piece, index);
      if ((place + index) % across === 0) {
        atBorder += misfit;
        borders++;
      } else {
        inside += misfit;
        others++;
      }
    }
    return borders === 0 || others === 0
      ? 0
      : (atBorder / borders - inside / others) * borderGain.share * Math.min(borderGain.borders, borders);
  }

  /** The columns at which a piece most likely begins, by where neighbours do not fit row after row. */
  #borders(piece: Piece): number[] {
    const { across } = this.#canvas.layout;
    const length = Math.min(piece.to - piece.from, across * wrapRows);
    if (length < across * 2) return [];
    const sums = new Float32Array(across);
    for (let index = 1; index < length; index++)
      sums[index % across] = (sums[index % across] ?? 0) + this.#sideOf(piece, index);
    const order = [...sums.keys()].sort((left, right) => (sums[right] ?? 0) - (sums[left] ?? 0));
    return order.slice(0, 3).map((border) => (across - border) % across);
  }

  #sideOf(piece: Piece, index: number): number {
    return Math.min(40, side(this.#store, piece.from + index - 1, this.#store, piece.from + index));
  }
}

/** MCUs that must fit, and what each one that is dropped before them costs. */
const leastPiece = 6;
const droppedCost = 0.05;

/** The mean misfit from an MCU on; null where nothing is above any of them. */
function meanOf(misfits: Float32Array, from: number): number | null {
  let [total, compared] = [0, 0];
  for (let index = from; index < misfits.length; index++) {
    if ((misfits[index] ?? -1) < 0) continue;
    total += Math.min(mostMisfit, misfits[index] ?? 0);
    compared++;
  }
  return compared > 0 ? total / compared : null;
}
