import type { Mended } from '../flate/mend';
import type { Samples } from '../rows';
import { Field, unknownFilter } from './field';
import type { PngRows } from './rows';
import { solve } from './solve';

/** Rows of a pass to restore: from which line on, where the pass begins among all rows, and where the pixels go. */
export type Restoring = {
  model: PngRows;
  mended: Mended;
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

/**
 * Undoes the filters of the lines from `from` on, where residuals are lost: those are chosen so that the picture is smoothest, in bands
 * that overlap by half. Returns for each line of the pass whether it builds on lost bytes.
 */
export function restoreRows(job: Restoring, from: number): Uint8Array {
  const { model, row, height, data, samples } = job;
  const tainted = new Uint8Array(height);
  const most = Math.max(8, Math.min(mostBand, Math.floor(bandBytes / row)));
  const guesses = new Float32Array((most + 1) * row);
  let line = from;
  while (line < height) {
    const rows = Math.min(most, height - line);
    const field = new Field(rows, row, samples.pixel, samples.wide !== null);
    for (let at = 0; at < row && line > 0; at++) field.image[at] = data[(line - 1) * row + at] ?? 0;
    field.usual = model.usualFilters;
    const open = fill(job, field, line, guesses);
    const joined = line > 0;
    if (open && !job.late()) solve({ field, joined, step: samples.wide ? 2 : 1, late: job.late });
    else field.undo();
    const last = line + rows >= height;
    const kept = last || !open ? rows : Math.max(1, rows >> 1);
    commit(job, field, line, kept, tainted);
    guesses.fill(0);
    guesses.set(field.residual.subarray((kept + 1) * row), row);
    line += kept;
  }
  return tainted;
}

/** Lays filters and residuals of a band out; lost ones start from `guesses`. Returns whether any is lost. */
function fill(job: Restoring, field: Field, line: number, guesses: Float32Array): boolean {
  const { model, mended, row, lost } = job;
  let open = false;
  for (let index = 1; index <= field.rows; index++) {
    const start = model.starts[job.first + line + index - 1] ?? 0;
    const whole = lost[line + index - 1] === 1;
    field.filters[index] = whole ? 2 : mended.known[start] === 0 ? unknownFilter : Math.min(4, mended.data[start] ?? 0);
    for (let at = 0; at < row; at++) {
      const place = index * row + at;
      if (whole || mended.known[start + 1 + at] === 0) {
        field.open[place] = 1;
        field.residual[place] = guesses[place] ?? 0;
        open = true;
        continue;
      }
      const byte = mended.data[start + 1 + at] ?? 0;
      field.residual[place] = byte > 127 ? byte - 256 : byte;
    }
  }
  return open;
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
