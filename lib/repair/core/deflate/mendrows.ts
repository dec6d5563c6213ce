import { CopyEnds } from './garbage';
import { type MendJudge, mend } from './mend';
import type { Mended, MendOptions } from './mended';
import type { Alignment, RowModel } from './model';
import type { Place, Stop } from './reader';
import { findResume, lengthToEnd, type Resumed } from './resume';
import { RowBits, rowsLookedAt } from './rowbits';
import { Holes, RowReader } from './rowreader';
import { padded } from './symbols';

const mostTroubles = 400;
/** Units of effort after which no more damage is dealt with: what comes behind it counts as lost. */
const mostEffort = 3000;
/** How often the stream is read to its end to see where rows belong. */
const mostAnchors = 24;
/** Numbers that are kept about copies of lost bytes. */
const mostCopies = 3_000_000;
/** Rows before the trouble from which on copies are looked at for garbage. */
const rowsBefore = 8;
/** How far rows are looked for around the place where they should be: in rows, and in bytes at least. */
const reachOfRows = { rows: 1.2, bytes: 2048 };
/** Rows by which the end of the stream may show another shift than the rows do. */
const mostRowsOff = 40;
/** Holes in a row behind which reading is tried to go on. */
const mostHoles = 8;
/** Bits that must be left for reading to go on. */
const leastInput = 400;

/**
 * Reads a damaged DEFLATE stream (RFC 1951) row by row. Where a row cannot be right, a single wrong bit is looked for; otherwise reading
 * goes on with the same codes or at a later block, and the rows behind are put where they belong. Throws only LimitError.
 */
export function mendPackedRows(bytes: Uint8Array, bit: number, model: RowModel, options: MendOptions): Mended {
  const rows = new Rows(bytes, bit, model, options);
  const effort = options.deadline.effort.share(options.longest ?? mostEffort);
  mend(rows, (troubles) => troubles > mostTroubles || effort.isSpent);
  return rows.result();
}

/** A row that cannot be right, where reading stood and why it stopped, and where the rows behind stand. */
type RowTrouble = { row: number; stop: Stop; failed: Place; found: Alignment | null; isBlind: boolean };

/** Rows as they are read through damage: what the mender asks of them. */
export class Rows implements MendJudge<RowTrouble> {
  readonly reader: RowReader;
  readonly model: RowModel;
  readonly options: MendOptions;
  readonly rows: number;
  readonly size: number;
  readonly marks: (Place | undefined)[] = [];
  readonly flips: number[] = [];
  readonly gaps: Mended['gaps'] = [];
  readonly copies: number[] = [];
  readonly first: number;
  readonly copyEnds: CopyEnds;
  /** The row up to which there is nothing to be done about garbage. */
  #blindTo = 0;
  readonly #wrongBits: RowBits;
  #anchors = mostAnchors;
  /** The row that is read next. */
  #row = 0;

  constructor(bytes: Uint8Array, bit: number, model: RowModel, options: MendOptions) {
    this.model = model;
    this.options = options;
    this.rows = model.starts.length - 1;
    this.size = model.starts[this.rows] ?? 0;
    this.reader = new RowReader(padded(bytes), this.size, bit, options.deadline.effort, new Holes(options.holes ?? []));
    this.first = bit;
    this.copyEnds = new CopyEnds(this.reader, this.rows);
    this.#wrongBits = new RowBits(this);
    if (options.behind) this.#row = this.#startBehind(options.behind);
  }

  start(row: number): number {
    return this.model.starts[Math.min(row, this.rows)] ?? this.size;
  }

  /** Reads on, row by row; null at the end of the rows or of the input. */
  read(): RowTrouble | null {
    const { reader, model } = this;
    for (; this.#row <= this.rows; this.#row++) {
      const row = this.#row;
      if ((row & 31) === 0) this.options.deadline.check();
      reader.trace = this.copyEnds.trace;
      const stop = this.#readTo(row);
      reader.trace = null;
      if (!this.#isRight(row, stop)) {
        this.copyEnds.trace = [];
        return stop === 'input' && !this.#inputLeft()
          ? null
          : { row, stop, failed: reader.place, found: null, isBlind: false };
      }
      this.marks[row] = reader.place;
      if (row > 0) model.settle(reader.output, reader.known, row - 1);
    }
    return null;
  }

  /** Reads up to a row, over holes in stored blocks. */
  #readTo(row: number): Stop {
    const { reader } = this;
    const until = Math.min(this.size, this.start(row) + this.model.ahead);
    let stop = reader.advance(until);
    while (stop === 'bad') {
      const { bit, length } = reader.place;
      if (!reader.passHole()) break;
      const last = this.gaps.at(-1);
      if (last?.isHole && last.to >= row - 1) last.to = row;
      else this.gaps.push({ bit, from: Math.max(0, row - 1), to: row, isHole: true });
      this.#lose(length, reader.place.length);
      stop = reader.advance(until);
    }
    return stop;
  }

  #isRight(row: number, stop: Stop): boolean {
    const { reader, model } = this;
    const isLast = row === this.rows;
    const isReached = isLast ? reader.place.length >= this.size : stop === 'full';
    if (isReached && this.#isSound()) {
      this.copyEnds.take(row - 1, true);
      return true;
    }
    return isReached && (isLast || model.sound(reader.output, reader.known, row)) && !this.#breaksIn(row - 1);
  }

  /** Whether check sums say of all that was read that it is as it was written, whatever its rows look like. */
  #isSound(): boolean {
    return this.reader.place.bit <= (this.options.soundTo ?? 0) && this.gaps.length === 0 && this.flips.length === 0;
  }

  /** What was read, and what stands for the rest. */
  result(): Mended {
    const { reader } = this;
    reader.known.fill(0, Math.min(reader.place.length, this.size));
    return {
      data: reader.output,
      known: reader.known,
      flips: this.flips,
      gaps: this.gaps,
      copies: this.copies,
      length: Math.min(this.size, reader.place.length),
      bit: reader.place.bit,
      finished: this.#row > this.rows,
      ends: this.copyEnds.ends,
      breaks: this.copyEnds.breaks,
    };
  }

  /** Counts the copies that end in row `row`, which was just read; whether too many of them end too early for something to be done about it. */
  #breaksIn(row: number): boolean {
    const isGarbage = this.copyEnds.take(row);
    if (!isGarbage || row >= this.#blindTo) return isGarbage;
    this.reader.known.fill(0, this.start(row), this.start(row + 1));
    return false;
  }

  /** Begins where the lost beginning ends; the first row that is whole. */
  #startBehind({ bit, length }: { bit: number; length: number }): number {
    const { reader } = this;
    let row = 0;
    while (row < this.rows - 1 && this.start(row) < length) row++;
    reader.strict = false;
    reader.place = { bit, length, tables: null, stored: 0, final: false };
    this.gaps.push({ bit: 0, from: 0, to: row });
    this.#lose(0, length);
    reader.advance(this.start(row));
    this.marks[row - 1] = reader.place;
    return row;
  }

  #inputLeft(): boolean {
    return this.reader.place.bit + leastInput < this.reader.end;
  }

  /** Sets one or two wrong bits right, or sees that nothing is wrong. */
  correct(trouble: RowTrouble): boolean {
    const { reader } = this;
    const { row, stop, failed } = trouble;
    if (this.#isAtHole(trouble)) return false;
    Object.assign(trouble, this.#lookAhead(row, stop, failed));
    const { found } = trouble;
    if (found?.shift === 0 && this.#isUnusual(row, found.row)) return this.#to(this.#takeAsIs(row, failed));
    reader.copies = null;
    const next =
      this.#wrongBits.pair(row, failed) ??
      this.#wrongBits.single(row, stop !== 'full' ? null : found ? found.shift : 'open');
    if (this.gaps.length > 0) reader.copies = this.copies;
    return this.#to(next);
  }

  /** Goes on where the rows are right again; what lies in between counts as lost. */
  goOn(trouble: RowTrouble): boolean {
    const { row, failed, found, isBlind } = trouble;
    const { reader } = this;
    const before = this.marks[row - 1];
    const atHole = this.#isAtHole(trouble);
    const lost = atHole ? Math.max(0, row - 1) : this.#firstLost(row);
    if (found && before && this.excess(failed) !== found.shift) {
      const next = this.#shifted(before, lost, Math.min(found.row + 1, this.rows - 1), found.shift);
      if (next !== null) return this.#to(next);
    }
    const resumed = atHole ? this.#behindHoles(lost, before, failed) : this.#whereToResume(lost, before, failed);
    if (resumed) return this.#to(this.#goOnAt(resumed, lost, failed, atHole));
    if (isBlind) return this.#to(this.#goOn(lost, row, failed));
    // Without any place to go on, what was read so far is all there is.
    reader.known.fill(0, this.start(lost));
    reader.place = { ...failed, length: Math.min(failed.length, this.start(lost)) };
    return false;
  }

  /** Whether reading stopped where nothing is left of the stream. */
  #isAtHole({ stop, failed: { bit } }: RowTrouble): boolean {
    return stop === 'bad' && this.reader.holes.behind(bit) > bit;
  }

  /** Takes a row as the next one to be read; false where there is none. */
  #to(row: number | null): boolean {
    if (row !== null) this.#row = row;
    return row !== null;
  }

  /** Where the rows behind the trouble stand; `isBlind` where they only seem to stand right, as copies go on ending too early. */
  #lookAhead(row: number, stop: Stop, failed: Place): { found: Alignment | null; isBlind: boolean } {
    if (stop !== 'full') return { found: null, isBlind: false };
    const { reader } = this;
    const trace: number[] = [];
    reader.trace = trace;
    const ahead = reader.advance(Math.min(this.size, this.start(row + rowsLookedAt)));
    reader.trace = null;
    const { length } = reader.place;
    let found = this.aligned(row);
    const isBlind = found?.shift === 0 && this.copyEnds.isGarbage(trace);
    if (isBlind) found = null;
    // Near the end too few rows are left to show the shift, but the end itself does.
    if (!found && ahead === 'final') found = { shift: length - this.size, row };
    return { found: found && this.#anchored(failed, found, row), isBlind };
  }

  /** Whether rows that stand right from `first` on show that nothing is wrong with `row` but that it is unusual. */
  #isUnusual(row: number, first: number): boolean {
    if (first === row) return true;
    if (first !== row + 1 || this.gaps.length === 0) return false;
    // Behind a gap a row's first byte may be a copy of lost ones, while everything else stands right.
    this.reader.known[this.start(row)] = 0;
    return true;
  }

  /** Goes on behind a row as it was read. */
  #takeAsIs(row: number, place: Place): number {
    const { reader, model } = this;
    reader.place = place;
    this.marks[row] = place;
    if (row > 0) model.settle(reader.output, reader.known, row - 1);
    return row + 1;
  }

  /** Where the stream can be read again. */
  #whereToResume(lost: number, before: Place | undefined, failed: Place): Resumed | null {
    const start: Place = { bit: this.first, length: 0, tables: null, stored: 0, final: false };
    const { reader, model } = this;
    return findResume({ reader, model, lost, before: before ?? start, failed, deadline: this.options.deadline });
  }

  /** Where it can be read again behind a hole, or behind one of those that follow: not where what is read shows that its place is wrong. */
  #behindHoles(lost: number, before: Place | undefined, failed: Place): Resumed | null {
    const { reader } = this;
    let first: Resumed | null = null;
    for (let { bit } = failed, tries = 0; bit < reader.end && tries < mostHoles; tries++) {
      const resumed = this.#whereToResume(lost, before, { ...failed, bit });
      if (resumed && (resumed.anchored || !this.#isGarbageAt(resumed, failed.length))) return resumed;
      first ??= resumed;
      bit = reader.holes.from(Math.max(reader.holes.behind(bit), resumed?.place.bit ?? 0));
    }
    return first;
  }

  /** Whether copies show that what is read from there on is garbage. */
  #isGarbageAt({ place, row }: Resumed, from: number): boolean {
    const { reader } = this;
    const trace: number[] = [];
    reader.strict = false;
    reader.known.fill(0, from, place.length);
    reader.place = place;
    reader.trace = trace;
    reader.advance(Math.min(this.size, this.start(row + rowsLookedAt)));
    reader.trace = null;
    return this.copyEnds.isGarbage(trace);
  }

  /** Goes on there; what lies in between counts as lost. */
  #goOnAt(resumed: Resumed, lost: number, failed: Place, atHole: boolean): number {
    const { reader, model } = this;
    const { place, row: next, anchored } = resumed;
    const begin = atHole ? failed.length : anchored ? this.#spoiltFrom(lost, failed) : this.start(lost);
    reader.strict = false;
    reader.known.fill(0, begin, place.length);
    reader.place = place;
    const trace: number[] = [];
    reader.trace = trace;
    reader.advance(Math.min(this.size, this.start(next) + model.ahead));
    reader.trace = null;
    const end = anchored && place.tables ? this.copyEnds.spoiltTo(trace, this.start(next)) : this.start(next);
    reader.known.fill(0, begin, anchored && !place.tables ? place.length : end);
    this.gaps.push({ bit: failed.bit, from: lost, to: next, ...(atHole ? { isHole: true } : {}) });
    this.#lose(begin, Math.max(end, place.length));
    for (let line = lost; line < next - 1; line++) model.settle(reader.output, reader.known, line);
    // A mark to come back to, should the very next row fail too.
    this.marks[next - 1] = reader.place;
    return next;
  }

  /** Reads on where nothing better is found; rows that are plainly garbage count as lost. */
  #goOn(lost: number, row: number, failed: Place): number {
    const { reader, model } = this;
    this.#blindTo = row + rowsLookedAt;
    reader.place = failed;
    reader.known.fill(0, this.start(lost), this.start(row));
    this.gaps.push({ bit: failed.bit, from: lost, to: row });
    this.#lose(this.start(lost), this.start(row));
    for (let line = lost; line < row; line++) model.settle(reader.output, reader.known, line);
    this.marks[row] = failed;
    return row + 1;
  }

  /** What was read between two places is garbage, and no copy of anything. */
  #lose(from: number, to: number): void {
    this.copies.push(from, -1, to - from);
    this.reader.copies = this.copies.length < mostCopies ? this.copies : null;
  }

  /** The first row that damage showing at `row` spoilt: garbage may look like the beginning of a row or two, but not as smooth as one. */
  #firstLost(row: number): number {
    let lost = Math.max(0, row - 1);
    const limit = this.model.typical * 1.7 + 2;
    const last = this.gaps.at(-1)?.to ?? 0;
    // What is copied from garbage is smooth again, so that rows behind a spoilt one do not clear it.
    for (let line = lost - 1; line > Math.max(last, row - 6); line--)
      if (this.model.settledRoughness(line) > limit + (line < lost - 1 ? limit : 0)) lost = line;
    return lost;
  }

  /** Where spoilt bytes begin behind the start of row `lost`, by where copies end (see `garbage.ts`). */
  #spoiltFrom(lost: number, failed: Place): number {
    const { reader } = this;
    const mark = this.marks[lost];
    if (!mark || !this.marks[lost - rowsBefore]) return this.start(lost);
    const trace: number[] = [];
    reader.place = this.marks[lost - rowsBefore] ?? mark;
    reader.trace = trace;
    reader.advance(failed.length);
    reader.trace = null;
    return this.copyEnds.spoiltFrom(trace, this.start(lost), failed.length);
  }

  /** The shift as the end of the stream shows it, where that can be reached and differs by whole rows from what the rows show. */
  #anchored(failed: Place, found: Alignment, row: number): Alignment {
    if (this.#anchors-- <= 0) return found;
    const shift = this.excess(failed);
    if (shift === null) return found;
    const step = this.start(row + 1) - this.start(row);
    return step > 0 && (shift - found.shift) % step === 0 && Math.abs(shift) < step * mostRowsOff
      ? { ...found, shift }
      : found;
  }

  /** Bytes that the stream would give too many if it were read from here to its end, later damage included; null where that cannot be reached. */
  excess(place: Place): number | null {
    const rest = lengthToEnd(this.reader, place);
    return rest === null ? null : place.length + rest - this.size;
  }

  /** Where the rows from `row` on begin in what was read. */
  aligned(row: number): Alignment | null {
    const { output: bytes, known, place } = this.reader;
    const reach = Math.max(reachOfRows.bytes, (this.start(row + 1) - this.start(row)) * reachOfRows.rows);
    return this.model.align({ bytes, known, offset: 0, length: place.length }, row, 0, reach);
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
    this.#lose(this.start(lost), this.start(row));
    for (let line = lost; line < row - 1; line++) model.settle(reader.output, reader.known, line);
    reader.place = { ...place, length: place.length - shift };
    return row;
  }
}
