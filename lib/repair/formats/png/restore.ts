import type { Mended } from '../../core/deflate/mended';
import type { Samples } from '../../core/rows';
import type { Effort } from '../../report';
import { Field, unknownFilter } from './field';
import { type PngRows, unfilterRow } from './rows';
import { type Puzzle, solve } from './solve';
import type { Ties } from './ties';

/** Rows of a pass to restore: from which line on, where the pass begins among all rows, and where the pixels go. */
export type Restoring = {
  model: PngRows;
  mended: Mended;
  ties: Ties;
  samples: Samples;
  /** Number of the first row of the pass among the rows of the picture, and how many it has. */
  first: number;
  height: number;
  row: number;
  data: Uint8Array;
  /** 1 for lines of which next to nothing is known. */
  lost: Uint8Array;
  effort: Effort;
  /** What is known of pixels whatever they build on; null where nothing is. */
  given: Given | null;
};

/** The last byte of each pixel of a pass, row by row; -1 where it is not known. */
export type Given = (pixel: number) => number;

/** Bytes of a band that is solved at once, and the rows it has at most. */
const bandBytes = 200_000;
const mostBand = 64;
/** Share of lost bytes from which a band tells too little about them. */
const mostOpen = 0.75;
/** Lost lines in a row over which a band reaches. */
const mostBridged = 12;
/** How far beyond the range of a byte a value must be to show that it builds on wrong ones, and the share of such values in a row that makes it one. */
const farBeyond = 8;
const mostBeyond = 0.02;
/** How strongly lost residuals are held near zero, and near what other places told of them, against one difference of neighbouring samples. */
const hold = 0.3;
const holdFound = 4;

/**
 * Undoes the filters of the lines from `from` on, where residuals are lost: those are chosen so that the picture is smoothest, in bands
 * that overlap by half. Returns for each line of the pass 1 where it builds on lost bytes, 2 where
 * that has plainly led to wrong colours.
 */
export function restoreRows(job: Restoring, from: number): Uint8Array {
  const { model, row, height, data, samples } = job;
  const tainted = new Uint8Array(height);
  const most = Math.max(8, Math.min(mostBand, Math.floor(bandBytes / row)));
  let carried = new Map<number, number>();
  const gaps = new NextUnknown(job.mended.known);
  // Of each byte of the last row whether it builds on lost ones.
  const doubt = new Uint8Array(row);
  let line = from;
  while (line < height) {
    line = behindLost(job.lost, line);
    if (isExact(job, gaps, line, line > 0 && tainted[line - 1] !== 0)) {
      const start = model.starts[job.first + line] ?? 0;
      const above = line > 0 ? (line - 1) * row : -1;
      const filter = Math.min(4, job.mended.data[start] ?? 0);
      unfilterRow(filter, job.mended.data, start + 1, data, line * row, above, row, samples.pixel);
      doubt.fill(0);
      line++;
      continue;
    }
    const rows = Math.min(most, height - line);
    const field = bandFrom(job, line, rows, doubt);
    if (job.effort.isSpent) {
      // What is known of lost bytes so far must do.
      layFound(job, field, gaps, line);
      field.undo();
      commit(job, field, line, rows, tainted);
      doubt.set(field.doubtfulIn(rows));
      line += rows;
      continue;
    }
    job.effort.spend('solvedSample', rows * row);
    const { origins, ...puzzle } = lay(job, field, gaps, line, carried);
    if (origins.length > 0 && puzzle.share < mostOpen) solve(puzzle);
    else field.undo();
    const last = line + rows >= height;
    const kept = last || origins.length === 0 ? rows : Math.max(1, rows >> 1);
    commit(job, field, line, kept, tainted);
    doubt.set(field.doubtfulIn(kept));
    carried = new Map();
    origins.forEach((origin, index) => {
      const value = puzzle.values[index] ?? 0;
      if (origin >= 0) job.ties.learn(origin, value);
      else carried.set(-1 - origin, value);
    });
    line += kept;
  }
  // Of samples of two bytes only the first can be found, so that what builds on lost ones stays off.
  if (from === 0 || job.samples.wide) carryDoubt(job, tainted);
  return tainted;
}

/** Rows that build on one in doubt are so, too, down to the next one that needs none above it, whatever band they were solved in. */
function carryDoubt({ model, mended, first }: Restoring, tainted: Uint8Array): void {
  for (let line = 1; line < tainted.length; line++)
    if (tainted[line - 1] !== 0 && toldFilter(mended, model.starts[first + line] ?? 0) > 1) tainted[line] ||= 1;
}

/** A band of rows that is yet to be laid out, with what stands above it. */
function bandFrom(
  { model, row, data, samples, lost }: Restoring,
  line: number,
  rows: number,
  doubt: Uint8Array,
): Field {
  const field = new Field(rows, row, samples.pixel, samples.wide !== null);
  field.usual = model.usualFilters;
  if (line === 0) return field;
  // Above all that is known there is nothing but the middle of all values.
  const above = lastKnown(lost, line);
  for (let at = 0; at < row; at++) field.image[at] = above < 0 ? 128 : (data[above * row + at] ?? 0);
  if (above === line - 1) field.doubtful.set(doubt);
  else field.doubtful.fill(1, 0, row);
  return field;
}

/** Where to go on: at the last one of many lost lines, as between known ones there is nothing to find. */
function behindLost(lost: Uint8Array, line: number): number {
  let end = line;
  while (end < lost.length && lost[end] === 1) end++;
  const isAtTop = lastKnown(lost, line) < 0;
  return end - line > (isAtTop ? 1 : mostBridged) ? Math.min(end, lost.length) - 1 : line;
}

/** The last line before `line` that is not lost; -1 when there is none. */
function lastKnown(lost: Uint8Array, line: number): number {
  let above = line - 1;
  while (above >= 0 && lost[above] === 1) above--;
  return above;
}

/** Tells from front to back which spans have lost bytes, without looking at any byte twice. */
class NextUnknown {
  #at = -1;
  /** From where on there is none before `#at`. */
  #from = 0;
  readonly #known: Uint8Array;

  constructor(known: Uint8Array) {
    this.#known = known;
  }

  within(from: number, to: number): boolean {
    if (this.#at < from || this.#from > from) {
      const found = this.#known.indexOf(0, from);
      this.#at = found < 0 ? this.#known.length : found;
      this.#from = from;
    }
    return this.#at < to;
  }
}

/** Whether nothing in a line is lost, and nothing that it builds on either. */
function isExact(
  { model, mended, first, row, lost }: Restoring,
  gaps: NextUnknown,
  line: number,
  above: boolean,
): boolean {
  const start = model.starts[first + line] ?? 0;
  if (lost[line] === 1 || gaps.within(start, start + 1 + row)) return false;
  return !above || (mended.data[start] ?? 0) < 2;
}

const signed = (byte: number) => (byte > 127 ? byte - 256 : byte);

/** What a line is laid out by: where it begins among the rows, whether it is lost, its filter, and whether none of its residuals is lost. */
type Line = { start: number; whole: boolean; told: number; isKnown: boolean };

/** Lays out of line `index` of a band what is known: its filter, residuals that are known all of them, and samples that are known anyway. */
function layLine(job: Restoring, field: Field, gaps: NextUnknown, line: number, index: number): Line {
  const { model, mended, row, lost } = job;
  const start = model.starts[job.first + line] ?? 0;
  const whole = lost[line] === 1;
  const told = toldFilter(mended, start);
  const isKnown = !whole && !gaps.within(start, start + 1 + row);
  field.filters[index] = whole ? 2 : told;
  for (let at = 0; at < row && isKnown; at++)
    field.residual[index * row + at] = signed(mended.data[start + 1 + at] ?? 0);
  layGiven(job, field, line, index);
  return { start, whole, told, isKnown };
}

/** Lays the samples of a line out that are known whatever they build on. */
function layGiven(
  { given, row, samples: { pixel }, lost }: Restoring,
  field: Field,
  line: number,
  index: number,
): void {
  if (!given || lost[line] === 1) return;
  const pixels = Math.floor(row / pixel);
  for (let x = 0; x < pixels; x++) {
    const value = given(line * pixels + x);
    if (value < 0) continue;
    const at = index * row + (x + 1) * pixel - 1;
    field.given[at] = 1;
    field.residual[at] = value;
  }
}

/** Lays a band out with what other places told of its lost bytes; nothing is left to be found. */
function layFound(job: Restoring, field: Field, gaps: NextUnknown, line: number): void {
  const { mended, ties, row } = job;
  for (let index = 1; index <= field.rows; index++) {
    const { start, whole, isKnown } = layLine(job, field, gaps, line + index - 1, index);
    if (isKnown) continue;
    for (let at = 0; at < row; at++) {
      const [place, byte] = [index * row + at, start + 1 + at];
      if (field.given[place] === 1) continue;
      if (!whole && mended.known[byte] !== 0) {
        field.residual[place] = signed(mended.data[byte] ?? 0);
        continue;
      }
      field.open[place] = 1;
      const found = isAlone(job, field.filters[index] ?? 0, whole, at) ? Number.NaN : ties.value(ties.origin(byte));
      field.residual[place] = Number.isNaN(found) ? 0 : found;
    }
  }
}

function toldFilter({ data, known }: Mended, start: number): number {
  return known[start] === 0 ? unknownFilter : Math.min(4, data[start] ?? 0);
}

/** Whether another forecast stands in for the row's own, so that a lost residual is no copy of anything. */
function isAlone({ samples }: Restoring, filter: number, whole: boolean, at: number): boolean {
  return whole || filter > 4 || filter === 0 || at < samples.pixel;
}

type Laid = Puzzle & {
  /** Of each value the place of the byte it stands for; below zero (less one) for bytes that stand for themselves alone. */
  origins: number[];
  /** The share of the bytes that is lost. */
  share: number;
};

/** Lays filters and residuals of a band out, with a value for each lost byte, the same one for those that are copies of each other. */
function lay(
  job: Restoring,
  field: Field,
  gaps: NextUnknown,
  line: number,
  carried: ReadonlyMap<number, number>,
): Laid {
  const { mended, ties, row, lost, samples } = job;
  const variables = new Int32Array(field.image.length).fill(-1);
  const numbers = new Map<number, number>();
  const origins: number[] = [];
  let open = 0;
  for (let index = 1; index <= field.rows; index++) {
    const { start, whole, told, isKnown } = layLine(job, field, gaps, line + index - 1, index);
    if (isKnown) continue;
    for (let at = 0; at < row; at++) {
      const place = index * row + at;
      const byte = start + 1 + at;
      if (field.given[place] === 1) continue;
      if (!whole && mended.known[byte] !== 0) {
        field.residual[place] = signed(mended.data[byte] ?? 0);
        continue;
      }
      const key = isAlone(job, told, whole, at) ? -1 - byte : ties.origin(byte);
      let number = numbers.get(key);
      if (number === undefined) {
        number = origins.length;
        numbers.set(key, number);
        origins.push(key);
      }
      variables[place] = number;
      field.open[place] = 1;
      open++;
    }
  }
  const found = origins.map((origin) => (origin >= 0 ? ties.value(origin) : Number.NaN));
  const centres = Float32Array.from(found, (value) => (Number.isNaN(value) ? 0 : value));
  return {
    field,
    variables,
    origins,
    share: open / Math.max(1, field.rows * row),
    values: Float32Array.from(origins, (origin, index) => carried.get(-1 - origin) ?? centres[index] ?? 0),
    centres,
    holds: Float32Array.from(found, (value) => (Number.isNaN(value) ? hold : holdFound)),
    joined: lastKnown(lost, line) >= 0,
    step: samples.wide ? 2 : 1,
    effort: job.effort,
  };
}

function commit(job: Restoring, field: Field, line: number, rows: number, tainted: Uint8Array): void {
  const { data, row } = job;
  for (let index = 1; index <= rows; index++) {
    let doubtful = 0;
    let beyond = 0;
    for (let at = 0; at < row; at++) {
      const place = index * row + at;
      doubtful |= field.doubtful[place] ?? 0;
      const value = Math.round(field.image[place] ?? 0);
      if (value < -farBeyond || value > 255 + farBeyond) beyond++;
      data[(line + index - 1) * row + at] = Math.max(0, Math.min(255, value));
    }
    tainted[line + index - 1] = doubtful === 0 ? 0 : beyond > row * mostBeyond ? 2 : 1;
  }
}
