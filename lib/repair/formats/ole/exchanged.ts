import { type Exchange, exchange, isPlain } from '../../core/exchange';
import { Buffer } from '../../host/bytes';
import type { Deadline, Effort } from '../../report';
import { beginning, type Reach, type Reading, type Start } from './reach';

/** Sizes of pieces that change places, in bytes: clusters of usual file systems, and sectors. */
export const exchangedSizes = [4096, 512, 1024, 2048, 8192, 16_384, 32_768, 65_536] as const;
/** What all of these are made of: short sectors of a compound file ([MS-CFB] 2.4). */
export const unit = 64;
/** Exchanges that one file is taken to have, and pieces that are tried as the first of one at a place. */
const mostExchanges = 16;
const mostFirsts = 20;
/** Exchanges of one size with which reading goes on furthest, each of which is judged by the whole file. */
const mostKept = 40;

/** A stream, and which units of the file it lies in, in its order. */
export type Lying = { data: Buffer; units: readonly number[] };

/**
 * Undoes exchanges of pieces of a file that the records of a stream show: behind each of them the records stop to follow each other, and
 * with another piece in its place they go on, up to the end of the stream at last. Null where that end is not reached, something is wrong
 * with the file all the same, or more than one exchange does as well: then nothing is proven.
 */
export function undoExchanged(
  bytes: Buffer,
  { data, units }: Lying,
  read: Reading,
  faultsOf: (bytes: Buffer) => number,
  { deadline, effort }: { deadline: Deadline; effort: Effort },
): { bytes: Buffer; exchanges: Exchange[] } | null {
  const search = new RecordSearch(bytes, { data, units }, read, faultsOf, effort);
  const exchanges: Exchange[] = [];
  for (let turn = 0; turn < mostExchanges && !search.isWhole; turn++) {
    deadline.check();
    const found = search.next(exchanges[0]?.size ?? null);
    if (!found) return null;
    exchanges.push(found);
  }
  const isProven = search.isWhole && exchanges.length > 0 && faultsOf(search.bytes) === 0;
  return isProven ? { bytes: search.bytes, exchanges } : null;
}

class RecordSearch {
  readonly bytes: Buffer;
  readonly #data: Buffer;
  readonly #units: readonly number[];
  /** Where in the stream each unit of the file lies; -1 for others. */
  readonly #places: Int32Array;
  readonly #read: Reading;
  readonly #faultsOf: (bytes: Buffer) => number;
  readonly #effort: Effort;
  #stop: Reach;

  constructor(
    bytes: Buffer,
    { data, units }: Lying,
    read: Reading,
    faultsOf: (bytes: Buffer) => number,
    effort: Effort,
  ) {
    this.bytes = Buffer.from(bytes);
    this.#data = Buffer.from(data);
    this.#units = units;
    this.#places = new Int32Array(Math.ceil(bytes.length / unit)).fill(-1);
    for (const [place, one] of units.entries()) this.#places[one] = place;
    this.#read = read;
    this.#faultsOf = faultsOf;
    this.#effort = effort;
    this.#stop = read(this.#data, beginning);
  }

  get isWhole(): boolean {
    return this.#stop.at >= this.#data.length;
  }

  /** The one exchange with which reading goes on furthest and least is wrong with the file, done; null where there is none, or another one does as well. */
  next(size: number | null): Exchange | null {
    const start = this.#stop;
    const found = (size === null ? exchangedSizes : [size]).flatMap((one) => this.#ofSize(one, start));
    const furthest = Math.max(...found.map(({ reach }) => reach));
    const judged = found
      .filter(({ reach }) => reach === furthest)
      .map((one) => ({ ...one, ...this.#judge(one) }))
      .sort((one, other) => one.faults - other.faults);
    const [best, ...others] = judged;
    if (!best || others.some(({ faults, made }) => faults === best.faults && !made.equals(best.made))) return null;
    this.#swap(best);
    this.#stop = this.#read(this.#data, beginning);
    return { first: best.first, second: best.second, size: best.size };
  }

  /** The file with an exchange undone, and how much is wrong with it then. */
  #judge(one: Exchange): { made: Buffer; faults: number } {
    const made = Buffer.from(this.bytes);
    exchange(made, one);
    if (this.#effort.isSpent) return { made, faults: 0 };
    this.#effort.spend('recordReading');
    this.#effort.spend('recordByte', made.length);
    return { made, faults: this.#faultsOf(made) };
  }

  #ofSize(size: number, stop: Reach): (Exchange & { reach: number })[] {
    const { at, start } = stop;
    const found: (Exchange & { reach: number })[] = [];
    for (const first of this.#firsts(size, stop)) {
      const end = Math.min(this.#data.length, this.#endOf(first, size));
      for (let second = 0; second + size <= this.bytes.length && !this.#effort.isSpent; second += size) {
        if (second === first || first + size > this.bytes.length || isPlain(this.bytes, second, size)) continue;
        const reach = this.#tryOut({ first, second, size }, start).at;
        if (reach > at && reach >= end) found.push({ first, second, size, reach });
      }
    }
    return found.sort((one, other) => other.reach - one.reach).slice(0, mostKept);
  }

  /** Pieces of a size that hold what may make no sense; the nearest ones first. */
  #firsts(size: number, { at, from, to }: Reach): ReadonlySet<number> {
    const firsts = new Set<number>();
    const add = (place: number) => {
      const own = this.#units[Math.floor(place / unit)];
      const isInside = place >= from - unit && place < to + unit;
      if (own !== undefined && isInside && firsts.size < mostFirsts) firsts.add(Math.floor((own * unit) / size) * size);
    };
    for (let apart = 0; apart <= Math.max(at - from, to - at) + unit; apart += unit) {
      add(at + apart);
      add(at - apart);
    }
    return firsts;
  }

  /** Where in the stream the last unit of a piece ends that the stream has of it. */
  #endOf(first: number, size: number): number {
    let end = 0;
    for (let one = first / unit; one < (first + size) / unit; one++) end = Math.max(end, (this.#places[one] ?? -1) + 1);
    return end * unit;
  }

  #tryOut(one: Exchange, start: Start): Reach {
    this.#swap(one);
    const reach = this.#read(this.#data, start);
    this.#effort.spend('copiedByte', one.size * 8);
    this.#effort.spend('recordByte', Math.max(0, reach.at - start.record));
    this.#swap(one);
    return reach;
  }

  /** Puts two pieces in each other's place, in the file and in the stream. */
  #swap(one: Exchange): void {
    exchange(this.bytes, one);
    for (const start of [one.first, one.second]) {
      for (let at = start; at < start + one.size; at += unit) {
        const place = this.#places[at / unit] ?? -1;
        if (place >= 0) this.bytes.copy(this.#data, place * unit, at, at + unit);
      }
    }
  }
}
