import { pieceSizes } from '../core/exchange';
import { highest } from '../core/extent';
import { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import type { Rebuilt } from '../report/facts/video';
import type { Reading } from './session';
import { type Moves, View } from './view';

/** Where in a sample bytes lie that are wrong: behind `from` and before `to`, both in bytes of the sample. */
export type Fault = { from: number; to: number };

/** Tells where bytes of a sample are wrong; null where they can be one. */
export type FaultOf = (bytes: Buffer) => Fault | null;

/** Bytes before the place where it is noticed in which a fault of a coded picture begins: arithmetic decoding goes astray within some hundred. */
const reach = 4096;

/** The same where only the place is told at which it is noticed, in what begins at `from`. */
export const faultBefore = (from: number, noticed: number): Fault => ({
  from: Math.max(from, noticed - reach),
  to: noticed,
});

/**
 * A stretch of a file that holds one sample, and what tells whether its bytes can be that: where they cannot, null where they can.
 * `isSure`: bytes of something else do not pass.
 */
export type Judged = {
  from: number;
  to: number;
  isSound: boolean;
  isSure: boolean;
  faultOf: FaultOf;
};

/** Share of the samples, and their number, above which it is something else that is wrong with the file. */
const most = { share: 0.5, samples: 600 };
/** Pieces that are tried in each other's place, and exchanges that are looked for, as many as make a ring of four. */
const mostPieces = 64;
const mostExchanges = 6;
/** Samples that are gone through for what could be at the first wrong one. */
const mostTried = 4;
/** Pieces in which nothing can be judged that are tried, and those of a sample for which they are. */
const mostUnjudged = 4000;
const mostNoticed = 9;
/** Samples over one piece that are judged at most, so that samples that are listed over each other cost no more. */
const mostOver = 256;

/** The samples of a file by where they lie. */
class Samples {
  readonly #all: readonly Judged[];
  readonly #longest: number;

  constructor(all: readonly Judged[]) {
    this.#all = all;
    this.#longest = highest(
      all.map(({ from, to }) => to - from),
      0,
    );
  }

  /** Those that reach into a piece, as many as are judged. */
  over(place: number, size: number): Judged[] {
    const found: Judged[] = [];
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.from ?? 0) < place - this.#longest) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#all.length && found.length < mostOver; index++) {
      const sample = this.#all[index];
      if (!sample || sample.from >= place + size) break;
      if (sample.to > place) found.push(sample);
    }
    return found;
  }

  /** Whole pieces of a file of `end` bytes into which none reaches; none where there are too many. */
  piecesBeside(size: number, end: number): number[] {
    const pieces: number[] = [];
    let behind = 0;
    for (const { from, to } of [...this.#all, { from: end, to: end }]) {
      for (let place = Math.ceil(behind / size) * size; place + size <= from; place += size) {
        if (pieces.length >= mostUnjudged) return [];
        pieces.push(place);
      }
      behind = Math.max(behind, to);
    }
    return pieces;
  }
}

/** What is wrong with a sample, by its bytes in a view of the file. */
function faultIn(sample: Judged, view: View, effort: Effort): Fault | null {
  const length = sample.to - sample.from;
  effort.spend('comparedByte', length);
  return sample.faultOf(Buffer.from(view.read(sample.from, length)));
}

/** The whole pieces in which a fault of a sample may lie. */
function piecesOf({ from }: Judged, fault: Fault, size: number, end: number): number[] {
  const pieces: number[] = [];
  const [first, last] = [from + fault.from, from + fault.to];
  for (let place = Math.floor(first / size) * size; place <= last && place + size <= end; place += size)
    pieces.push(place);
  return pieces;
}

/** One exchange that was tried: how many samples it makes sound, and how much further the first wrong one can be read. */
type Tried = { view: View; faults: Map<Judged, Fault | null>; gain: number; further: number };

/** Looks for pieces of one size that stand in each other's place. */
class Search {
  readonly #reading: Reading;
  readonly #samples: Samples;
  readonly #size: number;
  readonly #effort: Effort;
  /** What is wrong with the samples that were judged, with the pieces in the order found so far. */
  readonly #faults: Map<Judged, Fault | null>;
  #view: View;

  constructor(reading: Reading, samples: Samples, size: number, effort: Effort, faults: ReadonlyMap<Judged, Fault>) {
    this.#reading = reading;
    this.#samples = samples;
    this.#size = size;
    this.#effort = effort;
    this.#faults = new Map(faults);
    this.#view = new View(reading.source, size);
  }

  /** The order in which all pieces that were moved fit; null where there is none. */
  async run(): Promise<Moves | null> {
    let gained = 0;
    for (let count = 0; count < mostExchanges; count++) {
      const best = await this.#best();
      if (!best) break;
      this.#view = best.view;
      for (const [sample, fault] of best.faults) this.#faults.set(sample, fault);
      gained += best.gain;
    }
    return this.#effort.isSpent ? null : this.#proven(gained);
  }

  #broken(): Judged[] {
    const broken = [...this.#faults].filter(([, fault]) => fault !== null).map(([sample]) => sample);
    return broken.sort((left, right) => left.from - right.from);
  }

  /** The exchange that makes most samples sound, of those in which a piece of one of the first wrong ones takes part. */
  async #best(): Promise<Tried | null> {
    const broken = this.#broken();
    const pieces = [...new Set(broken.flatMap((sample) => this.#piecesFor(sample)))];
    if (pieces.length > mostPieces) return null;
    for (const sample of broken.slice(0, mostTried)) {
      const { best } = await this.#bestFor(sample, pieces);
      if (best) return best;
    }
    // The other piece may lie where nothing can be judged.
    const unjudged = this.#samples.piecesBeside(this.#size, this.#reading.source.size);
    for (const sample of broken.slice(0, mostTried)) {
      if (this.#piecesFor(sample).length > mostNoticed) continue;
      const { best, isOnly } = await this.#bestFor(sample, unjudged);
      if (best && best.gain > 0 && isOnly) return best;
    }
    return null;
  }

  #piecesFor(sample: Judged): number[] {
    const fault = this.#faults.get(sample);
    return fault ? piecesOf(sample, fault, this.#size, this.#reading.source.size) : [];
  }

  async #bestFor(sample: Judged, pieces: readonly number[]): Promise<{ best: Tried | null; isOnly: boolean }> {
    const { source, job } = this.#reading;
    let best: Tried | null = null;
    let isOnly = true;
    for (const one of this.#piecesFor(sample))
      for (const other of pieces) {
        if (this.#effort.isSpent) return { best: null, isOnly };
        if (other === one) continue;
        const tried = this.#try(sample, one, other);
        const [gain, further] = [tried.gain - (best?.gain ?? 0), tried.further - (best?.further ?? 0)];
        if (gain > 0 || (gain === 0 && further > 0)) [best, isOnly] = [tried, true];
        else if (gain === 0 && further === 0 && best) isOnly = false;
        await source.pause(job.deadline);
      }
    return { best, isOnly };
  }

  #try(first: Judged, one: number, other: number): Tried {
    const view = this.#view.with(one, other);
    const faults = new Map<Judged, Fault | null>();
    let gain = 0;
    for (const sample of new Set([one, other].flatMap((place) => this.#samples.over(place, this.#size)))) {
      const fault = faultIn(sample, view, this.#effort);
      gain += (this.#faults.get(sample) ? 1 : 0) - (fault ? 1 : 0);
      faults.set(sample, fault);
    }
    // One of several wrong pieces of the same sample lets it be read up to the next.
    const more = (faults.get(first)?.to ?? 0) - (this.#faults.get(first)?.to ?? 0);
    return { view, faults, gain, further: gain === 0 && more > this.#size ? more : 0 };
  }

  /** What was found, where all samples in the pieces that were moved are sound with it, and these are too many for chance. */
  #proven(gained: number): Moves | null {
    const { moves } = this.#view;
    if (moves.length === 0) return null;
    const samples = [...new Set(moves.flatMap(({ to }) => this.#samples.over(to, this.#size)))];
    if (samples.some((sample) => this.#faults.get(sample))) return null;
    if (gained < 2 && !samples.some(({ isSure }) => isSure)) return null;
    const sounds = samples.filter(({ isSound }) => isSound).length;
    const rebuilt: Rebuilt[] = [
      { unit: 'frames', count: samples.length - sounds, how: 'exchanged' },
      { unit: 'sound packets', count: sounds, how: 'exchanged' },
    ];
    return { size: this.#size, moves, by: 'samples', rebuilt: rebuilt.filter(({ count }) => count > 0) };
  }
}

/**
 * Finds clusters or sectors that stand in each other's place, by the samples that lie in them: with each in its own place all of these can be
 * read to their end. `samples` in the order in which they lie. Null where there are none, or more is wrong than that.
 */
export async function findExchanged(
  reading: Reading,
  samples: readonly Judged[],
  effort: Effort,
): Promise<Moves | null> {
  const faults = new Map<Judged, Fault>();
  const view = new View(reading.source, reading.source.size);
  for (const sample of samples) {
    if (effort.isSpent) return null;
    const fault = faultIn(sample, view, effort);
    if (fault) faults.set(sample, fault);
    if (faults.size > Math.min(most.samples, samples.length * most.share)) return null;
    await reading.source.pause(reading.job.deadline);
  }
  if (faults.size === 0) return null;
  const placed = new Samples(samples);
  for (const size of pieceSizes) {
    const found = await new Search(reading, placed, size, effort, faults).run();
    if (found) return found;
  }
  return null;
}
