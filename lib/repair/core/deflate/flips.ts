import type { Effort } from '../../report';
import type { Codes } from './codes';
import type { RowModel } from './model';
import type { Place } from './reader';
import type { RowReader } from './rowreader';
import { sizesAt } from './symbols';

/** Where to look for a wrong bit, and what setting it right must do. */
export type FlipSearch = {
  reader: RowReader;
  model: RowModel;
  /** The last row known to begin right, and the place where it does. */
  row: number;
  place: Place;
  /** The row that is wrong. */
  trouble: number;
  /** By how many bytes what follows stands too far behind; null when it could not be read at all, 'open' when that could not be told. */
  shift: number | null | 'open';
  /** Whether a bit may be wrong by the check sums. */
  suspect: (bit: number) => boolean;
  /** Whether copies that were noted while reading show it to be garbage. */
  garbage: (trace: readonly number[]) => boolean;
  effort: Effort;
};

/** Symbols within which reading falls back into step, and the bits of the last one, which has none behind it. */
const mostSymbols = 300;
const longestCode = 15;

const flip = (source: Uint8Array, bit: number) => {
  source[bit >>> 3] = (source[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
};

/** Rows behind the trouble that have to be right, and how rough they may be at most, by what is typical: without a shift to ask for, chance has more room. */
const wanted = { open: { rows: 4, times: 1.5, levels: 1 }, told: { rows: 2, times: 1.7, levels: 2 } };
/** Rows whose roughness is compared, and bits of a block's header that are tried. */
const rowsCompared = 3;
const headerBits = 1200;

/**
 * Looks for the one bit whose change sets the rows right: symbols soon fall back into step behind a wrong bit, so that most bits can be
 * ruled out by the number of bytes they would give; the others are judged by how smooth the rows become. The bit is left changed when
 * one is found; -1 when none is.
 */
export function findFlip(search: FlipSearch): number {
  return new FlipTrials(search).run();
}

/** The symbols as they are read now: the bits where they begin, and the length of the output at each. */
type Walk = { steps: number[]; lengths: Map<number, number>; length: number; beyond: number };

class FlipTrials {
  readonly #search: FlipSearch;
  /** The row up to which rows have to be right. */
  readonly #last: number;
  readonly #best: { bit: number; cost: number };

  constructor(search: FlipSearch) {
    const { model, trouble, shift } = search;
    const { rows, times, levels } = shift === 'open' ? wanted.open : wanted.told;
    this.#search = search;
    this.#last = Math.min(model.starts.length - 1, trouble + rows);
    this.#best = { bit: -1, cost: model.typical * times + levels };
  }

  run(): number {
    const { place, reader } = this.#search;
    if (place.tables) this.#trySymbols(place.tables);
    else if (place.stored > 0) return -1;
    else this.#tryHeader();
    if (this.#best.bit >= 0) flip(reader.source, this.#best.bit);
    return this.#best.bit;
  }

  /** The block's own header is damaged: none of its bits gives symbols to walk along. */
  #tryHeader(): void {
    const { place, reader, effort, suspect } = this.#search;
    const { source, end } = reader;
    for (let bit = place.bit; bit < Math.min(place.bit + headerBits, end) && !effort.isSpent; bit++) {
      if (!suspect(bit)) continue;
      flip(source, bit);
      this.#judge(bit, place);
      flip(source, bit);
    }
  }

  #trySymbols(tables: Codes): void {
    const { place, reader, effort } = this.#search;
    const { steps, lengths, length, beyond } = this.#walk(tables);
    const readTo = Math.max(0, steps.length - 1 - beyond);
    reader.place = place;
    reader.advance(Math.min(length, reader.output.length));
    const kept = reader.output.slice(place.length, reader.place.length);
    const keptKnown = reader.known.slice(place.length, reader.place.length);
    for (let index = 0; index <= readTo; index++) {
      if ((index & 63) === 0 && effort.isSpent) break;
      const from = steps[index] ?? 0;
      const at = lengths.get(from) ?? 0;
      const restore = () => {
        reader.output.set(kept.subarray(0, at - place.length), place.length);
        reader.known.set(keptKnown.subarray(0, at - place.length), place.length);
      };
      this.#tryOne(tables, lengths, { bit: from, to: steps[index + 1] ?? from + longestCode, length: at }, restore);
    }
    reader.output.set(kept, place.length);
    reader.known.set(keptKnown, place.length);
  }

  /** The symbols up to some way behind the trouble. */
  #walk(tables: Codes): Walk {
    const { place, reader, model, trouble, shift } = this.#search;
    const { view, end } = reader;
    const steps: number[] = [];
    const lengths = new Map<number, number>();
    const stopAt = (model.starts[trouble] ?? 0) + model.ahead + (typeof shift === 'number' ? Math.max(0, shift) : 0);
    let [bit, length] = [place.bit, place.length];
    let beyond = 0;
    for (;;) {
      steps.push(bit);
      lengths.set(bit, length);
      const symbol = bit < end ? sizesAt(view, tables, bit) : 0;
      if (symbol === 0 || (length > stopAt && ++beyond > mostSymbols)) break;
      bit += symbol & 63;
      length += symbol >> 6;
    }
    return { steps, lengths, length, beyond };
  }

  /** Tries every bit of a symbol; `restore` puts back what was read before it. */
  #tryOne(
    tables: Codes,
    lengths: ReadonlyMap<number, number>,
    { bit, to, length }: { bit: number; to: number; length: number },
    restore: () => void,
  ): void {
    const { place, reader, suspect } = this.#search;
    const { source, end } = reader;
    for (let candidate = bit; candidate < to && candidate < end; candidate++) {
      if (!suspect(candidate)) continue;
      flip(source, candidate);
      if (this.#isPromising(tables, lengths, candidate, bit, length)) {
        restore();
        this.#judge(candidate, { ...place, bit, length });
      }
      flip(source, candidate);
    }
  }

  /** Whether reading falls back into step behind a changed bit, with as many bytes more or less as are wanted. */
  #isPromising(
    tables: Codes,
    lengths: ReadonlyMap<number, number>,
    candidate: number,
    from: number,
    at: number,
  ): boolean {
    const { reader, shift, effort } = this.#search;
    const { view, end } = reader;
    const isUntold = shift === null || shift === 'open';
    let [walk, size, count] = [from, at, 0];
    let isPromising = isUntold;
    for (; count < mostSymbols; count++) {
      const symbol = walk < end ? sizesAt(view, tables, walk) : 0;
      if (symbol === 0) {
        // A block that ends here may be the truth when what followed made no sense.
        isPromising = isUntold && count > 0;
        break;
      }
      walk += symbol & 63;
      size += symbol >> 6;
      const base = walk > candidate ? lengths.get(walk) : undefined;
      if (base === undefined) continue;
      isPromising = shift === 'open' ? base !== size : shift !== null && base - size === shift;
      break;
    }
    effort.spend('symbol', count + 1);
    return isPromising;
  }

  /** Takes a bit, which is changed now, for the best one if the rows become right and smoother than with any other. */
  #judge(bit: number, from: Place): void {
    const { reader, model, row, trouble, garbage } = this.#search;
    const last = this.#last;
    reader.place = from;
    const trace: number[] = [];
    reader.trace = trace;
    const stop = reader.advance((model.starts[last] ?? 0) + model.ahead);
    reader.trace = null;
    if (stop !== 'full' && stop !== 'final') return;
    if (stop === 'final' && reader.place.length < reader.output.length) return;
    for (let line = row + 1; line <= Math.min(last, model.starts.length - 2); line++)
      if (!model.sound(reader.output, reader.known, line)) return;
    if (garbage(trace)) return;
    const to = Math.max(row + 1, Math.min(last - 1, trouble + rowsCompared));
    const cost = model.roughness(reader.output, row, to, this.#best.cost);
    if (cost < this.#best.cost) Object.assign(this.#best, { bit, cost });
  }
}
