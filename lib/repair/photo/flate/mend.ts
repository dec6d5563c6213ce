import type { Deadline } from '../../report';
import { findFlip } from './flips';
import type { RowModel } from './model';
import { FlateReader, type Place, padded, type Stop } from './reader';
import { findResume } from './resume';

/** What is known about a damaged stream beside its bytes. */
export type MendOptions = {
  deadline: Deadline;
  /** Milliseconds that the search for wrong bits may take in all. */
  patience: number;
  /** Whether a bit lies where the check sums allow damage. */
  suspect: (bit: number) => boolean;
  /** Told of a bit that was set right; may answer with another one that a check sum then proves wrong. */
  corrected?: (source: Uint8Array, bit: number) => number | null;
};

/** Rows read through damage. `known` is 0 for bytes that stand for lost ones; gaps are rows that were lost at one place. */
export type Mended = {
  data: Uint8Array;
  known: Uint8Array;
  flips: number[];
  gaps: { bit: number; from: number; to: number }[];
  /** Bytes of the data that were reached before the stream ended. */
  length: number;
  /** Where reading ended, in bits. */
  bit: number;
  finished: boolean;
};

const mostTroubles = 400;

/**
 * Reads a damaged DEFLATE stream (RFC 1951) row by row. Where a row cannot be right, a single wrong bit is looked for; otherwise reading
 * goes on with the same codes or at a later block, and the rows behind are put where they belong. Throws only LimitError.
 */
export function mend(bytes: Uint8Array, bit: number, model: RowModel, options: MendOptions): Mended {
  return new Mender(bytes, bit, model, options).run();
}

class Mender {
  readonly reader: FlateReader;
  readonly model: RowModel;
  readonly options: MendOptions;
  readonly rows: number;
  readonly size: number;
  readonly marks: (Place | undefined)[] = [];
  readonly flips: number[] = [];
  readonly gaps: Mended['gaps'] = [];
  readonly first: number;
  patience: number;

  constructor(bytes: Uint8Array, bit: number, model: RowModel, options: MendOptions) {
    this.model = model;
    this.options = options;
    this.rows = model.starts.length - 1;
    this.size = model.starts[this.rows] ?? 0;
    this.reader = new FlateReader(padded(bytes), this.size, bit);
    this.first = bit;
    this.patience = options.patience;
  }

  start(row: number): number {
    return this.model.starts[Math.min(row, this.rows)] ?? this.size;
  }

  run(): Mended {
    const { reader, model } = this;
    let row = 0;
    let finished = false;
    let troubles = 0;
    while (row <= this.rows) {
      if ((row & 31) === 0) this.options.deadline.check();
      const stop = reader.advance(Math.min(this.size, this.start(row) + model.ahead));
      const reached = row === this.rows ? reader.place.length >= this.size : stop === 'full';
      if (reached && (row === this.rows || model.sound(reader.output, reader.known, row))) {
        this.marks[row] = reader.place;
        if (row > 0) model.settle(reader.output, reader.known, row - 1);
        row++;
        continue;
      }
      if (stop === 'input' && !this.#inputLeft()) break;
      if (++troubles > mostTroubles) break;
      const next = this.#trouble(row, stop);
      if (next === null) break;
      row = next;
    }
    finished = row > this.rows;
    reader.known.fill(0, Math.min(reader.place.length, this.size));
    return {
      data: reader.output,
      known: reader.known,
      flips: this.flips,
      gaps: this.gaps,
      length: Math.min(this.size, reader.place.length),
      bit: reader.place.bit,
      finished,
    };
  }

  #inputLeft(): boolean {
    return this.reader.place.bit + 400 < this.reader.end;
  }

  /** Deals with damage that shows at `row`; the row to go on with, or null when nothing more can be read. */
  #trouble(row: number, stop: Stop): number | null {
    const { reader, model } = this;
    const failed = reader.place;
    const before = this.marks[row - 1];
    const lookTo = this.start(row + 14);
    let ahead: Stop = stop;
    if (stop === 'full') ahead = reader.advance(Math.min(this.size, lookTo));
    const length = reader.place.length;
    const reach = Math.max(2048, (this.start(row + 1) - this.start(row)) * 1.2);
    let found =
      stop === 'full'
        ? model.align({ bytes: reader.output, known: reader.known, offset: 0, length }, row, 0, reach)
        : null;
    // Near the end too few rows are left to show the shift, but the end itself does.
    if (!found && stop === 'full' && ahead === 'final') found = { shift: length - this.size, row };
    // An unusual row whose neighbours stand right is one all the same.
    if (found?.shift === 0 && found.row === row) {
      reader.place = failed;
      this.marks[row] = failed;
      if (row > 0) model.settle(reader.output, reader.known, row - 1);
      return row + 1;
    }
    const flipped = this.#flip(row, stop === 'full' ? (found?.shift ?? 0) : null, found !== null || stop !== 'full');
    if (flipped !== null) return flipped;
    const lost = Math.max(0, row - 1);
    if (found && before) {
      const next = this.#shifted(before, lost, found.row, found.shift);
      if (next !== null) return next;
    }
    const resumed = findResume({
      reader,
      model,
      lost,
      before: before ?? { bit: this.first, length: 0, tables: null, stored: 0, final: false },
      failed,
      deadline: this.options.deadline,
    });
    if (!resumed) {
      reader.place = failed;
      // Without any place to go on, what was read so far is all there is.
      reader.known.fill(0, this.start(lost));
      reader.place = { ...failed, length: Math.min(failed.length, this.start(lost)) };
      return null;
    }
    reader.strict = false;
    reader.known.fill(0, this.start(lost), resumed.length);
    reader.place = resumed;
    let next = lost + 1;
    while (next < this.rows && this.start(next) < resumed.length) next++;
    this.gaps.push({ bit: failed.bit, from: lost, to: next });
    for (let line = lost; line < next - 1; line++) model.settle(reader.output, reader.known, line);
    // A mark to come back to, should the very next row fail too.
    this.marks[next - 1] = resumed;
    return next;
  }

  #flip(row: number, shift: number | null, sure: boolean): number | null {
    const { reader, model, options } = this;
    if (!sure) return null;
    for (let from = row - 1; from >= Math.max(0, row - 3); from--) {
      const place = this.marks[from];
      if (!place || this.patience <= 0) return null;
      const until = options.deadline.left - this.patience;
      const started = options.deadline.left;
      const bit = findFlip({
        reader,
        model,
        row: from,
        place,
        trouble: row,
        shift,
        suspect: options.suspect,
        late: () => options.deadline.left < until,
      });
      this.patience -= Math.max(1, started - options.deadline.left);
      if (bit < 0) continue;
      this.#accept(bit);
      reader.place = place;
      return from + 1;
    }
    return null;
  }

  #accept(bit: number): void {
    this.flips.push(bit);
    const other = this.options.corrected?.(this.reader.source, bit) ?? null;
    if (other === null || other === bit) return;
    const { source } = this.reader;
    source[other >>> 3] = (source[other >>> 3] ?? 0) ^ (1 << (other & 7));
    this.flips.push(other);
  }

  /** Moves what follows by `shift` bytes, so that `row` begins where it should; the rows from `lost` up to it stay unknown. */
  #shifted(before: Place, lost: number, row: number, shift: number): number | null {
    const { reader, model } = this;
    const from = this.start(row) + shift;
    if (from <= before.length || from >= this.size) return null;
    reader.place = before;
    if (reader.advance(Math.min(this.size, from + model.ahead)) !== 'full') return null;
    const { place } = reader;
    if (place.length - shift > this.size) return null;
    reader.output.copyWithin(this.start(row), from, place.length);
    reader.known.copyWithin(this.start(row), from, place.length);
    reader.known.fill(0, this.start(lost), this.start(row));
    reader.strict = false;
    this.gaps.push({ bit: before.bit, from: lost, to: row });
    for (let line = lost; line < row - 1; line++) model.settle(reader.output, reader.known, line);
    reader.place = { ...place, length: place.length - shift };
    return row;
  }
}
