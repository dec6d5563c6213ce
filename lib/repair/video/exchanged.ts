import { pieceSizes } from '../core/exchange';
import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import type { Rebuilt } from '../report/facts/video';
import type { Reading } from './session';
import type { Source } from './source';

/** Where in a sample bytes lie that are wrong: behind `from` and before `to`, both in bytes of the sample. */
export type Fault = { from: number; to: number };

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
  faultOf(bytes: Buffer): Fault | null;
};

/** Pieces of `size` bytes that stand elsewhere: what lies at `from` belongs to `to`, all in bytes; what tells so, and what comes back with them. */
export type Moves = {
  size: number;
  moves: { from: number; to: number }[];
  by: 'samples' | 'chain';
  rebuilt: Rebuilt[];
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

/** Which piece stands where it should not, by its place: what belongs there. */
type Order = ReadonlyMap<number, number>;

type State = { fault: Fault | null };

/** Judges samples with pieces of the file in another order. */
class Trial {
  readonly #source: Source;
  readonly #samples: readonly Judged[];
  readonly #size: number;
  readonly #longest: number;
  readonly #pieces = new Map<number, Buffer>();

  constructor(source: Source, samples: readonly Judged[], size: number) {
    this.#source = source;
    this.#samples = samples;
    this.#size = size;
    this.#longest = samples.reduce((longest, { from, to }) => Math.max(longest, to - from), 0);
  }

  /** Samples that reach into a piece. */
  over(place: number): Judged[] {
    const found: Judged[] = [];
    let [low, high] = [0, this.#samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.from ?? 0) < place - this.#longest) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#samples.length && found.length < mostOver; index++) {
      const sample = this.#samples[index];
      if (!sample || sample.from >= place + this.#size) break;
      if (sample.to > place) found.push(sample);
    }
    return found;
  }

  judge(sample: Judged, order: Order): Fault | null {
    const bytes = this.#source.copy(sample.from, sample.to - sample.from);
    const first = Math.floor(sample.from / this.#size) * this.#size;
    for (let place = first; place < sample.to; place += this.#size) {
      const other = order.get(place);
      if (other === undefined || other === place) continue;
      const piece = this.#piece(other);
      const skipped = Math.max(0, sample.from - place);
      piece.copy(bytes, Math.max(0, place - sample.from), skipped, Math.min(this.#size, sample.to - place));
    }
    return sample.faultOf(bytes);
  }

  #piece(place: number): Buffer {
    const known = this.#pieces.get(place) ?? this.#source.copy(place, this.#size);
    this.#pieces.set(place, known);
    return known;
  }
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
type Tried = { order: Map<number, number>; states: Map<Judged, State>; gain: number; further: number };

/** Looks for pieces of one size that stand in each other's place. */
class Search {
  readonly #reading: Reading;
  readonly #trial: Trial;
  readonly #size: number;
  readonly #effort: Effort;
  readonly #states: Map<Judged, State>;
  #order = new Map<number, number>();

  constructor(
    reading: Reading,
    samples: readonly Judged[],
    size: number,
    effort: Effort,
    faults: ReadonlyMap<Judged, Fault>,
  ) {
    this.#reading = reading;
    this.#trial = new Trial(reading.source, samples, size);
    this.#size = size;
    this.#effort = effort;
    this.#states = new Map([...faults].map(([sample, fault]) => [sample, { fault }]));
  }

  /** The order in which all pieces that were moved fit; null where there is none. */
  async run(): Promise<Moves | null> {
    let gained = 0;
    for (let count = 0; count < mostExchanges; count++) {
      const best = await this.#best();
      if (!best) break;
      this.#order = best.order;
      for (const [sample, state] of best.states) this.#states.set(sample, state);
      gained += best.gain;
    }
    return this.#proven(gained);
  }

  #broken(): Judged[] {
    const broken = [...this.#states].filter(([, { fault }]) => fault !== null).map(([sample]) => sample);
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
    const unjudged = this.#unjudged();
    for (const sample of broken.slice(0, mostTried)) {
      if (this.#piecesFor(sample).length > mostNoticed) continue;
      const { best, isOnly } = await this.#bestFor(sample, unjudged);
      if (best && best.gain > 0 && isOnly) return best;
    }
    return null;
  }

  #piecesFor(sample: Judged): number[] {
    const fault = this.#states.get(sample)?.fault;
    return fault ? piecesOf(sample, fault, this.#size, this.#reading.source.size) : [];
  }

  /** Pieces in which no sample lies that can be judged; none where there are too many. */
  #unjudged(): number[] {
    const pieces: number[] = [];
    const { size } = this.#reading.source;
    for (let place = 0; place + this.#size <= size && pieces.length <= mostUnjudged; place += this.#size)
      if (this.#trial.over(place).length === 0) pieces.push(place);
    return pieces.length > mostUnjudged ? [] : pieces;
  }

  async #bestFor(sample: Judged, pieces: readonly number[]): Promise<{ best: Tried | null; isOnly: boolean }> {
    const { source, job } = this.#reading;
    let best: Tried | null = null;
    let isOnly = true;
    for (const one of this.#piecesFor(sample))
      for (const other of pieces) {
        if (other === one || this.#effort.isSpent) continue;
        const tried = this.#try(sample, one, other);
        const [gain, further] = [tried.gain - (best?.gain ?? 0), tried.further - (best?.further ?? 0)];
        if (gain > 0 || (gain === 0 && further > 0)) [best, isOnly] = [tried, true];
        else if (gain === 0 && further === 0 && best) isOnly = false;
        await source.pause(job.deadline);
      }
    return { best, isOnly };
  }

  #try(first: Judged, one: number, other: number): Tried {
    const order = new Map(this.#order);
    order.set(one, this.#order.get(other) ?? other);
    order.set(other, this.#order.get(one) ?? one);
    const states = new Map<Judged, State>();
    let gain = 0;
    for (const sample of new Set([...this.#trial.over(one), ...this.#trial.over(other)])) {
      const fault = this.#trial.judge(sample, order);
      const before = this.#states.get(sample)?.fault ?? null;
      gain += (before ? 1 : 0) - (fault ? 1 : 0);
      states.set(sample, { fault });
    }
    // One of several wrong pieces of the same sample lets it be read up to the next.
    const [before, behind] = [this.#states.get(first)?.fault?.to ?? 0, states.get(first)?.fault?.to ?? 0];
    const further = gain === 0 && behind - before > this.#size ? behind - before : 0;
    return { order, states, gain, further };
  }

  /** What was found, where all samples in the pieces that were moved are sound with it, and these are too many for chance. */
  #proven(gained: number): Moves | null {
    const moves = [...this.#order].filter(([to, from]) => to !== from).map(([to, from]) => ({ from, to }));
    if (moves.length === 0) return null;
    const samples = [...new Set(moves.flatMap(({ to }) => this.#trial.over(to)))];
    if (samples.some((sample) => this.#states.get(sample)?.fault)) return null;
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
  for (const sample of samples) {
    if (effort.isSpent) return null;
    const fault = sample.faultOf(reading.source.copy(sample.from, sample.to - sample.from));
    if (fault) faults.set(sample, fault);
    if (faults.size > Math.min(most.samples, samples.length * most.share)) return null;
    await reading.source.pause(reading.job.deadline);
  }
  if (faults.size === 0) return null;
  for (const size of pieceSizes) {
    const found = await new Search(reading, samples, size, effort, faults).run();
    if (found) return found;
  }
  return null;
}

/** Puts pieces into their own places for all reads from here on. */
export function putBack(source: Source, { size, moves }: Moves): void {
  const pieces = moves.map(({ from, to }) => ({ to, bytes: source.copy(from, size), old: source.copy(to, size) }));
  for (const { to, bytes, old } of pieces)
    for (const [index, byte] of bytes.entries()) if (byte !== old[index]) source.mend(to + index, byte);
}
