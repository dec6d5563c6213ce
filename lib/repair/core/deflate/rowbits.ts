import { findFlip } from './flips';
import type { Rows } from './mendrows';
import type { Place } from './reader';

/** Rows behind the trouble that must be right before two bits are taken for the wrong ones. */
const rowsProven = 6;
/** Rows behind a place that show where rows begin. */
export const rowsLookedAt = 26;
/** Rows before the trouble in which a wrong bit is looked for. */
const rowsSearched = 3;

/** The search for bits that are wrong before a row that cannot be right. */
export class RowBits {
  readonly #rows: Rows;
  /** Units of effort that it may still take. */
  #patience: number;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#patience = rows.options.patience;
  }

  /** Looks for one wrong bit before a row that is wrong; the row to read on from, or null. */
  single(row: number, shift: number | null | 'open'): number | null {
    const { reader, model, options } = this.#rows;
    for (let from = row - 1; from >= Math.max(0, row - rowsSearched); from--) {
      const place = this.#rows.marks[from];
      if (!place || this.#patience <= 0) return null;
      const effort = options.deadline.effort.share(this.#patience);
      const before = effort.left;
      const bit = findFlip({
        reader,
        model,
        row: from,
        place,
        trouble: row,
        shift,
        suspect: options.suspect,
        garbage: (trace) => this.#rows.copyEnds.isGarbage(trace),
        effort,
      });
      this.#patience -= before - effort.left;
      if (bit < 0) continue;
      if (shift === 'open' && !this.#staysInStep(place, row)) {
        this.#turn([bit]);
        continue;
      }
      this.#accept(bit);
      reader.place = place;
      return from + 1;
    }
    return null;
  }

  /**
   * Whether the rows behind `row` begin where they should: a wrong guess may leave them smooth, but some bytes off. Where the last row is near,
   * the stream has to end with it.
   */
  #staysInStep(place: Place, row: number): boolean {
    const { reader, size } = this.#rows;
    reader.place = place;
    if (reader.advance(Math.min(size, this.#rows.start(row + rowsLookedAt))) !== 'full') return true;
    if (row + rowsProven > this.#rows.rows) return this.#rows.excess(reader.place) === 0;
    const found = this.#rows.aligned(row);
    return !found || found.shift === 0;
  }

  /** Sets two wrong bits right that a check sum allows and with which all rows up to some way behind `row` are right. */
  pair(row: number, failed: Place): number | null {
    const { reader } = this.#rows;
    const least = this.#rows.gaps.at(-1)?.to ?? 0;
    const last = Math.min(this.#rows.rows, row + rowsProven);
    for (const pair of this.#rows.options.pairs?.(reader.source, failed.bit) ?? []) {
      this.#rows.options.deadline.check();
      let from = row - 1;
      while (from > least && (this.#rows.marks[from]?.bit ?? 0) > pair[0]) from--;
      const mark = this.#rows.marks[from];
      if (!mark || mark.bit > pair[0]) continue;
      this.#turn(pair);
      if (this.#isProven(mark, from, last)) {
        this.#rows.flips.push(...pair);
        for (const bit of pair) reader.forget(bit);
        this.#rows.options.corrected?.(reader.source, pair[0]);
        reader.place = mark;
        return from + 1;
      }
      this.#turn(pair);
      reader.place = mark;
      reader.advance(failed.length);
    }
    return null;
  }

  /**
   * Whether the rows behind `mark`, that of row `from`, are right up to `last`: where a check sum allows it, some pair of bits always is by
   * chance, and rows of drawings, which are mostly zeroes, begin with what may be a filter wherever they are cut. Where too few rows are left
   * to show that, the stream has to end with the last one.
   */
  #isProven(mark: Place, from: number, last: number): boolean {
    const { reader, model, copyEnds } = this.#rows;
    const trace: number[] = [];
    reader.place = mark;
    reader.trace = trace;
    const stop = reader.advance(Math.min(this.#rows.size, this.#rows.start(last) + model.ahead));
    reader.trace = null;
    const isRead = stop === 'full' || (stop === 'final' && reader.place.length >= this.#rows.size);
    if (!isRead || copyEnds.isGarbage(trace)) return false;
    let line = from + 1;
    while (line < last && model.sound(reader.output, reader.known, line)) line++;
    return line === last && (last < this.#rows.rows || this.#rows.excess(reader.place) === 0);
  }

  #turn(bits: readonly number[]): void {
    const { source } = this.#rows.reader;
    for (const bit of bits) source[bit >>> 3] = (source[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
  }

  #accept(bit: number): void {
    this.#rows.flips.push(bit);
    this.#rows.reader.forget(bit);
    const other = this.#rows.options.corrected?.(this.#rows.reader.source, bit) ?? null;
    if (other === null || other === bit) return;
    this.#turn([other]);
    this.#rows.reader.forget(other);
    this.#rows.flips.push(other);
  }
}
