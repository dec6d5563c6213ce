import { type Exchange, exchange, isPlain } from '../../core/exchange';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { fitsSum, type Packed, type Places, placesOf, type Range, readableTo } from './places';

/** Sizes of pieces that change places, in bytes: clusters of usual file systems first, then sectors, which all are made of. */
const sizes = [4096, 8192, 16_384, 32_768, 65_536, 2048, 1024, 512] as const;
const sector = 512;
/** Sizes of pieces that may begin at any sector. */
const loose: ReadonlySet<number> = new Set([4096, 1024]);
/** Exchanges that one file is taken to have, and those that are judged by the whole file at a time. */
const mostExchanges = 64;
const mostJudged = 40;
/** Things that stand elsewhere whose places are tried. */
const mostMoved = 64;
/** Effort for finding exchanges, and for the first of them, as most damage is none, in units. */
const searchEffort = { all: 3000, first: 800 };

/**
 * A file as it was before pieces of it changed places: its tables say where objects stand (ISO 32000-1, 7.5.4), and sums of streams whether
 * their data belongs together. Each exchange makes less wrong with the file; those are proven after which nothing is wrong with it in this
 * respect, or which make the sum of a stream fit. Null where there is none.
 */
export function undoExchanges(job: EngineJob): { bytes: Buffer; exchanges: Exchange[] } | null {
  const search = new ExchangeSearch(job, job.deadline.effort.share(searchEffort.all));
  while (search.exchanges.length < mostExchanges && search.next()) job.deadline.check();
  const { bytes, exchanges, isProven } = search;
  return isProven ? { bytes, exchanges } : null;
}

class ExchangeSearch {
  bytes: Buffer;
  readonly exchanges: Exchange[] = [];
  readonly #job: EngineJob;
  #effort: Effort;
  #places: Places | null;
  #sizes: readonly number[] = sizes;
  /** Sums that fitted before anything was put back. */
  readonly #whole: number;
  readonly #faults: number;

  constructor(job: EngineJob, effort: Effort) {
    this.#job = job;
    this.bytes = job.bytes;
    this.#effort = effort.share(searchEffort.first);
    this.#places = placesOf(job, job.bytes, this.#effort);
    this.#whole = this.#places?.whole.length ?? 0;
    this.#faults = this.#places?.faults ?? 0;
    this.#all = effort;
  }

  readonly #all: Effort;
  /** How far streams can be read. */
  readonly #stops = new WeakMap<Packed, number>();

  get isProven(): boolean {
    const { exchanges } = this;
    if (!this.#places || exchanges.length === 0 || this.#places.faults >= this.#faults) return false;
    return this.#places.faults === 0 || this.#places.whole.length >= this.#whole + exchanges.length;
  }

  /** Puts two more pieces back; whether there are any. */
  next(): boolean {
    const places = this.#places;
    if (!places || places.faults === 0 || this.#effort.isSpent) return false;
    const found = this.#byTables(places) ?? this.#bySums(places);
    if (!found) return false;
    [this.bytes, this.#places] = [found.bytes, found.places];
    this.exchanges.push(found.one);
    // What moved one piece moved others of its size.
    this.#sizes = [found.one.size];
    this.#effort = this.#all;
    return true;
  }

  /** The exchange by which most comes to stand where the tables say, and least is wrong. */
  #byTables(places: Places): Made | null {
    const likely = this.#likely(places).slice(0, mostJudged);
    let best: Made | null = null;
    for (const one of likely) {
      if (this.#effort.isSpent) break;
      const made = this.#make(one, places);
      if (made && made.places.faults < (best?.places ?? places).faults) best = made;
      if (best?.places.faults === 0) break;
    }
    return best;
  }

  /** Exchanges that put back what stands elsewhere and nothing that does not; those that put most back first. */
  #likely({ moved, placed }: Places): Exchange[] {
    const tried = new Map<string, { one: Exchange; count: number }>();
    const isMoved = new Set(moved.map(({ expected, found }) => `${expected} ${found}`));
    for (const { expected, found } of moved.slice(0, mostMoved)) {
      if (this.#effort.isSpent) break;
      const [low, high] = expected < found ? [expected, found] : [found, expected];
      for (const one of this.#around(low, high)) {
        const key = `${one.first} ${one.second} ${one.size}`;
        if (tried.has(key) || !this.#isPossible(one)) continue;
        if (placed.some((at) => isWithin(at, one))) continue;
        const by = one.second - one.first;
        const inFirst = moved.filter(({ expected: at }) => at >= one.first && at < one.first + one.size);
        const inSecond = moved.filter(({ expected: at }) => at >= one.second && at < one.second + one.size);
        const count =
          inFirst.filter(({ expected: at }) => isMoved.has(`${at} ${at + by}`)).length +
          inSecond.filter(({ expected: at }) => isMoved.has(`${at} ${at - by}`)).length;
        this.#effort.spend('comparedByte', moved.length + placed.length);
        tried.set(key, { one, count });
      }
    }
    return [...tried.values()].sort((one, other) => other.count - one.count).map(({ one }) => one);
  }

  /** Pieces in which two places lie, as far behind their beginning. */
  *#around(low: number, high: number): Generator<Exchange> {
    const by = high - low;
    for (const size of this.#sizes) {
      const own = low - (low % size);
      if (by % size === 0 && by > 0) yield { first: own, second: own + by, size };
      if (!loose.has(size) || by % sector !== 0 || by < size) continue;
      const last = low - (low % sector);
      for (let first = Math.max(0, last - size + sector); first <= last; first += sector)
        yield { first, second: first + by, size };
    }
  }

  #isPossible({ first, second, size }: Exchange): boolean {
    return first !== second && first >= 0 && Math.max(first, second) + size <= this.bytes.length;
  }

  /** The exchange by which data of a stream fits its sum. */
  #bySums(places: Places): Made | null {
    for (const size of this.#sizes) {
      for (const step of loose.has(size) ? [size, sector] : [size]) {
        if (this.#effort.isSpent) return null;
        const others = this.#unproven(places, size, step);
        for (const stream of places.broken) {
          const found = this.#inStream(stream, size, step, others, places);
          if (found || this.#effort.isSpent) return found;
        }
      }
    }
    return null;
  }

  #inStream(stream: Packed, size: number, step: number, others: readonly number[], places: Places): Made | null {
    const { start, end } = stream;
    const begin = Math.max(0, Math.floor((start - size) / step) * step + step);
    // What does not belong there is met soon.
    const stop = this.#readableTo(stream);
    for (let first = stop - (stop % step); first >= begin; first -= step) {
      if (first >= end || first + size > this.bytes.length) continue;
      if (isPlain(this.bytes, first, size)) continue;
      for (const second of others) {
        if (this.#effort.isSpent) return null;
        if (Math.abs(second - first) < size) continue;
        if (!this.#fits(stream, { first, second, size })) continue;
        const made = this.#make({ first: Math.min(first, second), second: Math.max(first, second), size }, places);
        if (made && made.places.faults < places.faults && made.places.broken.length < places.broken.length) return made;
      }
    }
    return null;
  }

  /** Where pieces begin that sums do not vouch for as a whole, and that are no gap. */
  #unproven({ whole }: Places, size: number, step: number): number[] {
    const sorted = [...whole].sort((one, other) => one.start - other.start);
    const found: number[] = [];
    let next = 0;
    this.#effort.spend('summedByte', (this.bytes.length * size) / step);
    for (let at = 0; at + size <= this.bytes.length; at += step) {
      while ((sorted[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++;
      const one = sorted[next];
      const isVouched = one && one.start <= at && one.end >= at + size;
      if (!isVouched && !isPlain(this.bytes, at, size)) found.push(at);
    }
    return found;
  }

  #readableTo(stream: Packed): number {
    const known = this.#stops.get(stream);
    if (known !== undefined) return known;
    const { start, end, isBase85 } = stream;
    const stop = start + readableTo(this.bytes.subarray(start, end), isBase85, this.#effort);
    this.#stops.set(stream, stop);
    return stop;
  }

  /** Whether data of a stream fits its sum with two pieces in each other's place. */
  #fits({ start, end, isBase85 }: Packed, { first, second, size }: Exchange): boolean {
    const data = Buffer.from(this.bytes.subarray(start, end));
    this.#effort.spend('copiedByte', data.length);
    for (const [to, from] of [
      [first, second],
      [second, first],
    ] as const) {
      const [low, high] = [Math.max(to, start), Math.min(to + size, end)];
      if (high > low) this.bytes.copy(data, low - start, from + low - to, from + high - to);
    }
    return fitsSum(data, isBase85, this.#effort);
  }

  #make(one: Exchange, places: Places): Made | null {
    const bytes = Buffer.from(this.bytes);
    exchange(bytes, one);
    this.#effort.spend('copiedByte', bytes.length);
    const changed: Range[] = [one.first, one.second].map((start) => ({ start, end: start + one.size }));
    const made = placesOf(this.#job, bytes, this.#effort, { places, changed });
    return made && { one, bytes, places: made };
  }
}

/** A file after an exchange. */
type Made = { one: Exchange; bytes: Buffer; places: Places };

const isWithin = (at: number, { first, second, size }: Exchange): boolean =>
  (at >= first && at < first + size) || (at >= second && at < second + size);
