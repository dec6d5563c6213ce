import type { Mended } from '../flate/mend';
import type { Samples } from '../rows';
import { Field, unknownFilter } from './field';
import type { PngRows } from './rows';
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
  late: () => boolean;
};

/** Bytes of a band that is solved at once, and the rows it has at most. */
const bandBytes = 200_000;
const mostBand = 64;
/** Share of lost bytes from which a band tells too little about them. */
const mostOpen = 0.75;
/** Lost lines in a row over which a band reaches. */
const mostBridged = 12;
/** How strongly lost residuals are held near zero, and near what other places told of them, against one difference of neighbouring samples. */
const hold = 0.3;
const holdFound = 4;

/**
 * Undoes the filters of the lines from `from` on, where residuals are lost: those are chosen so that the picture is smoothest, in bands
 * that overlap by half. Returns for each line of the pass whether it builds on lost bytes.
 */
export function restoreRows(job: Restoring, from: number): Uint8Array {
  const { model, row, height, data, samples } = job;
  const tainted = new Uint8Array(height);
  const most = Math.max(8, Math.min(mostBand, Math.floor(bandBytes / row)));
  let carried = new Map<number, number>();
  let line = from;
  while (line < height) {
    line = behindLost(job.lost, line);
    const rows = Math.min(most, height - line);
    const field = new Field(rows, row, samples.pixel, samples.wide !== null);
    // Above all that is known there is nothing but the middle of all values.
    const above = lastKnown(job.lost, line);
    for (let at = 0; at < row && line > 0; at++) field.image[at] = above < 0 ? 128 : (data[above * row + at] ?? 0);
    field.usual = model.usualFilters;
    const { origins, ...puzzle } = lay(job, field, line, carried);
    const isOpen = origins.length > 0 && puzzle.share < mostOpen;
    if (isOpen && !job.late()) solve(puzzle);
    else field.undo();
    const last = line + rows >= height;
    const kept = last || origins.length === 0 ? rows : Math.max(1, rows >> 1);
    commit(job, field, line, kept, tainted);
    carried = new Map();
    origins.forEach((origin, index) => {
      const value = puzzle.values[index] ?? 0;
      if (origin >= 0) job.ties.learn(origin, value);
      else carried.set(-1 - origin, value);
    });
    line += kept;
  }
  return tainted;
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

type Laid = Puzzle & {
  /** Of each value the place of the byte it stands for; below zero (less one) for bytes that stand for themselves alone. */
  origins: number[];
  /** The share of the bytes that is lost. */
  share: number;
};

/** Lays filters and residuals of a band out, with a value for each lost byte, the same one for those that are copies of each other. */
function lay(job: Restoring, field: Field, line: number, carried: ReadonlyMap<number, number>): Laid {
  const { model, mended, ties, row, lost, samples } = job;
  const variables = new Int32Array(field.image.length).fill(-1);
  const numbers = new Map<number, number>();
  const origins: number[] = [];
  let open = 0;
  for (let index = 1; index <= field.rows; index++) {
    const start = model.starts[job.first + line + index - 1] ?? 0;
    const whole = lost[line + index - 1] === 1;
    const told = mended.known[start] === 0 ? unknownFilter : Math.min(4, mended.data[start] ?? 0);
    field.filters[index] = whole ? 2 : told;
    for (let at = 0; at < row; at++) {
      const place = index * row + at;
      const byte = start + 1 + at;
      if (!whole && mended.known[byte] !== 0) {
        const residual = mended.data[byte] ?? 0;
        field.residual[place] = residual > 127 ? residual - 256 : residual;
        continue;
      }
      // Where another forecast stands in for the row's own, the residual is no copy of anything.
      const alone = whole || told > 4 || told === 0 || at < samples.pixel;
      const key = alone ? -1 - byte : ties.origin(byte);
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
    late: job.late,
  };
}

function commit(job: Restoring, field: Field, line: number, rows: number, tainted: Uint8Array): void {
  const { data, row } = job;
  for (let index = 1; index <= rows; index++) {
    let doubtful = 0;
    for (let at = 0; at < row; at++) {
      const place = index * row + at;
      doubtful |= field.doubtful[place] ?? 0;
      data[(line + index - 1) * row + at] = Math.max(0, Math.min(255, Math.round(field.image[place] ?? 0)));
    }
    tainted[line + index - 1] = doubtful;
  }
}
