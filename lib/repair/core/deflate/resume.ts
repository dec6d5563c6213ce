import type { Deadline } from '../../report';
import { nextHeader, nextStoredHeader } from './blocks';
import type { RowModel, Stretch } from './model';
import { FlateReader, headAt, never, type Place, type Sink } from './reader';
import { type Block, RowReader } from './rowreader';

/** Bits that must be left behind a place for the same codes to be tried there, and zeroes that are a wiped stretch. */
const leastLeft = 800;
const wipedRun = 24;

/** A place where reading failed: the last row that began right (`before`), the first lost row, and where the bits made no sense any more. */
export type ResumeSearch = {
  reader: RowReader;
  model: RowModel;
  lost: number;
  before: Place;
  failed: Place;
  deadline: Deadline;
};

/** Where reading goes on, the first row that is right again, and whether the end of the stream shows the place beyond doubt. */
export type Resumed = { place: Place; row: number; anchored: boolean };

/** Bytes that a copy can reach back (RFC 1951, 2). */
const history = 32_768;
/** Rows that are read in trial, those at places that are tried one after another, and the fewest that say anything. */
const rowsAhead = 26;
const rowsTried = 10;
const leastRows = 3;
/** How far rows are looked for around a place, in rows. */
const reachOfRows = 1.2;
/** Bits within which the end of the stream is looked for, and bytes that tell how many a bit gives. */
const mostToEnd = 1 << 27;
const leastForRatio = 4096;
/** Bits that may be left behind the last block: a check sum, and what was appended by damage. */
const mostBehindEnd = 2000;
/** Bytes behind the failure at which the same codes are tried again: codes fall into step by themselves soon after the damage ends. */
const skips = [1, 16, 64, 130, 260, 520, 700, 1100, 2100, 4200];
const mostHeaders = 40;
/** Places tried around the likeliest one, and units of effort for it. */
const mostSteps = 240;
const tryingEffort = 400;

/**
 * Finds where a broken stream can be read again: with the codes of the same block a little further on, or from the next block header on.
 * The place says where in the output that belongs: counted from the end of the stream if that can be reached, otherwise by the rows.
 * Null when there is none.
 */
export function findResume(search: ResumeSearch): Resumed | null {
  const { reader, before, failed } = search;
  const { tables } = failed.tables ? failed : before;
  const heads = new Heads(search);
  const header = heads.next(failed.bit + 1);
  const limit = header < 0 ? reader.end : header;
  if (tables) {
    for (const skip of skips) {
      const behind = reader.holes.behind(failed.bit);
      const bit = ((behind > failed.bit ? behind >>> 3 : behindZeroes(reader.source, failed.bit >>> 3)) + skip) * 8;
      if (bit + leastLeft > limit) break;
      const place = placed(search, { bit, length: 0, tables, stored: 0, final: failed.final });
      if (place) return place;
    }
  }
  let from = Math.min(failed.bit, before.bit) + 1;
  for (let tries = 0; tries < mostHeaders; tries++) {
    const bit = heads.next(from);
    if (bit < 0) return null;
    const place = placed(search, { bit, length: 0, tables: null, stored: 0, final: false });
    if (place) return place;
    from = bit + 1;
  }
  return null;
}

/** Where heads of blocks may stand, with codes or stored. */
class Heads {
  readonly #search: ResumeSearch;
  /** The stored one that was found last; those before it need not be looked for again. */
  #stored = 0;

  constructor(search: ResumeSearch) {
    this.#search = search;
  }

  /** The first bit at or after `from` that may be one; -1 where there is none. */
  next(from: number): number {
    const { reader, deadline } = this.#search;
    const { source, end } = reader;
    if (this.#stored >= 0 && this.#stored < from) this.#stored = nextStoredHeader(source, from, end, reader.effort);
    const to = this.#stored < 0 ? end : this.#stored;
    const own = nextHeader(source, from, to, end, deadline);
    return own < 0 ? this.#stored : own;
  }
}

function behindZeroes(source: Uint8Array, at: number): number {
  for (let look = Math.max(0, at - 64), run = 0; look < Math.min(source.length - 16, at + 4096); look++) {
    if (source[look] === 0) run++;
    else if (run >= wipedRun) return look;
    else run = 0;
  }
  return at;
}

/** Where a place may belong: what it gives is read in trial, and laid where rows become right. */
class Placing {
  readonly #search: ResumeSearch;
  readonly #place: Place;
  /** Rows of the picture, its bytes, and those of one row. */
  readonly #rows: number;
  readonly #size: number;
  readonly #row: number;
  /** The first byte that is lost. */
  readonly #base: number;

  constructor(search: ResumeSearch, place: Place) {
    const { model, lost } = search;
    this.#search = search;
    this.#place = place;
    this.#rows = model.starts.length - 1;
    this.#size = model.starts[this.#rows] ?? 0;
    this.#base = model.starts[lost] ?? 0;
    this.#row = (model.starts[Math.min(this.#rows, lost + 1)] ?? this.#size) - this.#base;
  }

  find(): Resumed | null {
    const { reader } = this.#search;
    const toEnd = reader.end - this.#place.bit < mostToEnd ? lengthToEnd(reader, this.#place) : null;
    if (toEnd !== null && this.#size - toEnd >= this.#base) return this.#fromEnd(this.#size - toEnd);
    return this.#fromRows();
  }

  /** The end of the stream shows the place; only where the rows become right is open. */
  #fromEnd(at: number): Resumed | null {
    const { model } = this.#search;
    const line = this.#rowBehind(at);
    const probe = this.#probeAt(at);
    const found = probe && model.align(probe, line, 0, 0);
    if (found) return this.#resumed(at, found.row, true);
    // With more damage ahead the end shows a place for all of it together: here the rows know better.
    const local = probe && model.align(probe, line, 0, this.#row * reachOfRows);
    if (local && at - local.shift >= this.#base) return this.#resumed(at - local.shift, local.row, false);
    // A block header behind which everything can be read to the end is proof enough.
    return this.#rows - line < leastRows || (probe && !this.#place.tables) ? this.#resumed(at, line, true) : null;
  }

  /** How many bytes the bits in between gave, by what bits gave so far; then the place at which rows become right. */
  #fromRows(): Resumed | null {
    const { reader, model, before } = this.#search;
    const ratio = before.length > leastForRatio ? before.length / Math.max(1, before.bit) : this.#size / reader.end;
    const likely = Math.round(before.length + (this.#place.bit - before.bit) * ratio);
    const guess = Math.max(this.#base, Math.min(this.#size - 1, likely));
    const line = this.#rowBehind(guess);
    const probe = this.#probeAt(guess);
    if (!probe || this.#rows - line < leastRows) return null;
    const found = model.align(probe, line, 0, this.#row * reachOfRows);
    if (found && guess - found.shift >= this.#base) return this.#resumed(guess - found.shift, found.row, false);
    return this.#around(guess);
  }

  /** Where most bytes are copies of earlier ones, they are right only from the right place on. */
  #around(guess: number): Resumed | null {
    const { model, deadline } = this.#search;
    const effort = deadline.effort.share(tryingEffort);
    for (let step = 1; step <= mostSteps && !effort.isSpent; step++) {
      const at = guess + (step % 2 === 0 ? step >> 1 : -(step >> 1) - 1);
      if (at < this.#base || at >= this.#size) continue;
      const tried = this.#probeAt(at, rowsTried);
      const fits = tried && model.align(tried, this.#rowBehind(at), 0, 0);
      if (fits) return this.#resumed(at, fits.row, false);
    }
    return null;
  }

  /** Rows within the damage may look right by chance, which spoils all that build on them; one more lost row hardly shows. */
  #resumed(length: number, first: number, anchored: boolean): Resumed {
    const row = this.#place.tables ? Math.min(first + 1, this.#rows - 1) : first;
    return { place: { ...this.#place, length }, row, anchored };
  }

  #rowBehind(at: number): number {
    const { model, lost } = this.#search;
    let first = lost;
    while (first < this.#rows && (model.starts[first] ?? 0) < at) first++;
    return first;
  }

  /** What the stream gives from the place on if that stands `at` bytes behind the beginning; null when it soon breaks again. */
  #probeAt(at: number, ahead = rowsAhead): Stretch | null {
    const { reader } = this.#search;
    const seen = Math.min(history, at);
    const room = Math.min(this.#size - at, this.#row * ahead + 1024);
    reader.effort.spend('rowProbe');
    const probe = new RowReader(reader.source, seen + room, this.#place.bit, reader.effort, reader.holes);
    probe.strict = false;
    probe.output.set(reader.output.subarray(at - seen, at));
    probe.known.set(reader.known.subarray(at - seen, at));
    probe.known.fill(0, Math.max(0, this.#base - at + seen), seen);
    probe.place = { ...this.#place, length: seen };
    const stop = probe.advance(probe.output.length);
    const read = probe.place.length - seen;
    if (read < Math.min(this.#row * leastRows, this.#size - at) && stop !== 'final') return null;
    return { bytes: probe.output.subarray(seen), known: probe.known.subarray(seen), offset: at, length: at + read };
  }
}

function placed(search: ResumeSearch, place: Place): Resumed | null {
  search.deadline.check();
  return new Placing(search, place).find();
}

/** Bytes from a place to the end of the stream when it can be read up to its final block's end, near the end of the input; null otherwise. */
export function lengthToEnd(reader: RowReader, start: Place): number | null {
  const { end } = reader;
  let { bit, final } = start;
  let length = 0;
  if (start.tables) {
    const rest = wholeBlock(reader, start);
    if (!rest) return null;
    length += rest.bytes;
    bit = rest.end;
  }
  while (!start.tables || !final) {
    // Many places are followed to the same end: each block is read once.
    let block = reader.blocks.get(bit);
    if (block === undefined) {
      block = wholeBlock(reader, headAt(bit));
      reader.blocks.set(bit, block);
    }
    if (!block) return null;
    length += block.bytes;
    bit = block.end;
    final = block.final;
    if (final) break;
  }
  return end - bit < mostBehindEnd ? length : null;
}

/** Takes nothing and counts what it is given: bytes, and symbols that give some. */
class Counter implements Sink {
  length = 0;
  symbols = 0;

  byte(): void {
    this.length++;
    this.symbols++;
  }

  copy(_: number, count: number): boolean {
    this.length += count;
    this.symbols++;
    return true;
  }

  store(bytes: Uint8Array): void {
    this.length += bytes.length;
  }
}

/** What is left of the block of a place, or the one whose header stands there; null when it cannot be read to its end. */
function wholeBlock({ source, effort, holes }: RowReader, place: Place): Block | null {
  const counter = new Counter();
  const reader = new FlateReader(source, counter, null);
  const input = reader.end;
  reader.place = { ...place, length: 0, final: false };
  reader.end = Math.min(input, holes.from(place.bit));
  let stop = reader.block(never);
  // A stored block is as long as it says, whatever stands in it.
  for (let lost = holes.lostOf(reader); stop === 'input' && lost > 0; lost = holes.lostOf(reader)) {
    const { bit, length, stored } = reader.place;
    reader.place = { ...reader.place, bit: bit + lost * 8, length: length + lost, stored: stored - lost };
    reader.end = Math.min(input, holes.from(reader.bit));
    stop = stored > lost ? reader.block(never) : 'block';
  }
  effort.spend('symbol', counter.symbols + 1);
  return stop === 'block' ? { end: reader.bit, bytes: counter.length, final: reader.final } : null;
}
