import type { Mended } from './mended';
import type { RowReader } from './rowreader';

/** Copies that must have ended before it counts how many end too early, and the share of these that may be chance or small damage. */
const endsForMaximal = 64;
const mostChance = 0.01;
const areGarbage = (ends: number, breaks: number) => breaks >= 2 && breaks > ends * 0.05;

/** Copies that must end one after the other without one too early, to tell that the program made each as long as it goes. */
const cleanEnds = 64;
/** How many runs as long as the longest without a copy that ends too early may be expected by chance, by how many do elsewhere. */
const mostByChance = 0.01;
/** Share of all copies that must end in rows without one that ends too early: programs that look for the fewest bits cut copies short in nearly every row. */
const leastClean = 0.1;
/** Copies that are judged together, and the share and number of them that may end too early. */
const judgedTogether = 24;
const mostBroken = 0.04;
const leastBroken = 2;
/** Bytes of garbage that may lie beside the outermost sign of it, and copies cut short before it that are no sign. */
const garbageMargin = 96;
const mostCutShort = 2;

/**
 * The first row of data that was read wrongly without that being noticed: programs make copies as long as they go, so that the byte behind
 * one differs from the one behind its source, and in garbage it often does not. The number of rows where there is no such row.
 */
export function firstGarbage({ ends, breaks, gaps }: Mended, rows: number): number {
  if (!isMaximal(ends, breaks)) return rows;
  const isInGap = (row: number) => gaps.some(({ from, to }) => row >= from - 1 && row <= to);
  let [from, ended, broken] = [-1, 0, 0];
  const before = { ended: 0, broken: 0 };
  // What leads up to a hole needs no other reason to end there.
  for (let row = gaps[0]?.isHole ? gaps[0].from : 0; row < rows; row++) {
    if (isInGap(row)) continue;
    if ((breaks[row] ?? 0) > 0 && broken === 0) from = row;
    ended += ends[row] ?? 0;
    broken += breaks[row] ?? 0;
    if (broken >= leastBroken && broken > ended * mostBroken)
      // Where copies were cut short all along before, or from the first ones on, the program does that.
      return before.ended === 0 || before.broken > Math.max(mostCutShort, before.ended * mostChance) ? rows : from;
    if (ended < judgedTogether) continue;
    before.ended += ended;
    before.broken += broken;
    [ended, broken] = [0, 0];
  }
  return rows;
}

/** Whether the program that wrote the data made every copy as long as it goes: some rows show it, and more of them than chance brings together. */
function isMaximal(ends: Uint16Array, breaks: Uint16Array): boolean {
  const sum = (rows: Uint16Array) => rows.reduce((total, count) => total + count, 0);
  const longest = longestClean(ends, breaks);
  const [ended, broken, clean] = [sum(ends), sum(breaks), sum(ends.filter((_, row) => breaks[row] === 0))];
  if (longest < cleanEnds || clean < ended * leastClean) return false;
  return broken * Math.exp((-longest * broken) / Math.max(1, ended - longest)) < mostByChance;
}

function longestClean(ends: Uint16Array, breaks: Uint16Array): number {
  let [longest, run] = [0, 0];
  for (let row = 0; row < ends.length; row++) {
    run = (breaks[row] ?? 0) > 0 ? 0 : run + (ends[row] ?? 0);
    longest = Math.max(longest, run);
  }
  return longest;
}

/**
 * Watches where copies end while rows are read. Programs make every copy as long as it goes, so that the byte behind a copy differs from
 * the one behind its source; in garbage it now and then does not.
 */
export class CopyEnds {
  readonly ends: Uint16Array;
  readonly breaks: Uint16Array;
  /** Copies whose ends were not looked at yet, as the reader notes them: where each ends, and where its source does. */
  trace: number[] = [];
  readonly #reader: RowReader;
  /** Copies that ended in rows so far, and how many of them ended too early. */
  #ended = 0;
  #broke = 0;

  constructor(reader: RowReader, rows: number) {
    this.#reader = reader;
    this.ends = new Uint16Array(rows + 1);
    this.breaks = new Uint16Array(rows + 1);
  }

  /** Counts the copies that end in a row that was just read; whether they show it to be garbage. Of rows that are known to be sound they show what the program does. */
  take(row: number, isSound = false): boolean {
    const { ends, broken, late } = this.judge(this.trace);
    this.trace = late;
    if (row < 0) return false;
    this.ends[row] = ends;
    this.breaks[row] = broken.length;
    if (!isSound && this.#isMaximal && areGarbage(ends, broken.length)) return true;
    this.#ended += ends;
    this.#broke += broken.length;
    return false;
  }

  /** Whether copies that were noted show what was read to be garbage. */
  isGarbage(trace: readonly number[]): boolean {
    if (!this.#isMaximal) return false;
    const { ends, broken } = this.judge(trace);
    return areGarbage(ends, broken.length);
  }

  /** Copies among those noted that end in what was read, where those end that do so too early, and those that end behind it. */
  judge(trace: readonly number[]): { ends: number; broken: number[]; late: number[] } {
    const { output, known, place } = this.#reader;
    const judged = { ends: 0, broken: [] as number[], late: [] as number[] };
    for (let index = 0; index < trace.length; index += 2) {
      const [at, source] = [trace[index] ?? 0, trace[index + 1] ?? 0];
      if (at >= place.length) judged.late.push(at, source);
      else if (source >= 0 && known[at] === 1 && known[source] === 1) {
        judged.ends++;
        if (output[at] === output[source]) judged.broken.push(at);
      }
    }
    return judged;
  }

  /** From where on what was read up to `to` is garbage, by copies that were noted since some rows before `from`; `from` where they say nothing. */
  spoiltFrom(trace: readonly number[], from: number, to: number): number {
    const { broken } = this.judge(trace);
    // A program that cuts copies short shows nothing this way.
    if (broken.filter((at) => at < from).length > mostCutShort) return from;
    return Math.max(from, (broken.find((at) => at >= from) ?? to) - garbageMargin);
  }

  /** Up to where what was read before `to` is garbage; `to` where copies say nothing. */
  spoiltTo(trace: readonly number[], to: number): number {
    const last = this.judge(trace).broken.at(-1);
    return last === undefined ? to : Math.min(to, last + garbageMargin);
  }

  /** Whether the program that wrote the stream made every copy as long as it goes, as far as can be told. */
  get #isMaximal(): boolean {
    return this.#ended >= endsForMaximal && this.#broke <= this.#ended * mostChance;
  }
}
