import { type Codes, decodeRun, nextClear, type Run } from '../../codecs/lzw/runs';
import { bitsAt } from '../../codecs/lzw/strings';
import { Buffer } from '../../host/bytes';
import type { Deadline, Effort } from '../../report';
import { type RowKind, StripRows } from './striprows';

/** Bytes of a mended strip, with 0 in `known` for those that are lost, and the bits that were set right. */
export type MendedStrip = { data: Buffer; known: Uint8Array; flips: number };

/** Units of effort that the search for wrong bits may take in one strip. */
const patience = 600;
/** Wrong bits looked for in one run. */
const mostFlips = 4;
/** Pixels around the place where rows begin to differ in which the wrong code is looked for. */
const pixelsBefore = 32;
const pixelsBehind = 40;

/**
 * Reads a damaged LZW strip of `wanted` bytes: from each clear code on reading begins anew, single wrong bits are found by how well rows
 * then fit, and what comes behind lost codes is put where its rows continue the ones above.
 */
export function mendLzw(source: Buffer, wanted: number, kind: RowKind, deadline: Deadline): MendedStrip {
  return new LzwMender(source, wanted, kind, deadline).run();
}

class LzwMender {
  readonly source: Buffer;
  readonly wanted: number;
  readonly output: Buffer;
  readonly known: Uint8Array;
  readonly rows: StripRows;
  readonly deadline: Deadline;
  flips = 0;
  readonly #effort: Effort;
  #pending: { data: Buffer; good: number } | null = null;
  /** Behind this place all stands as it should among itself, but perhaps too far on or back. */
  #unsure = 0;

  constructor(source: Buffer, wanted: number, kind: RowKind, deadline: Deadline) {
    this.source = Buffer.from(source);
    this.wanted = wanted;
    // Strings may run over the end of the strip while codes are wrong.
    this.output = Buffer.alloc(wanted + (1 << 16));
    this.known = new Uint8Array(wanted);
    this.rows = new StripRows(this.output, kind);
    this.deadline = deadline;
    this.#effort = deadline.effort.share(patience);
  }

  run(): MendedStrip {
    const { source, output, wanted, rows } = this;
    let bit = bitsAt(source, 0, 9) === 256 ? 9 : nextClear(source, 0, 0);
    let place = bit === 9 ? 0 : -1;
    while (bit >= 0 && bit < source.length * 8) {
      this.deadline.check();
      if (place < 0) place = this.#placeOf(bit);
      if (place < 0 || place >= wanted) break;
      place = this.#realigned(decodeRun(source, bit, output, place, 1e9), place);
      const { run, broken, good } = this.#read(bit, place);
      if (run.stop === 'end' || run.stop === 'full' || (run.stop === 'input' && !broken)) break;
      this.rows.settle(place, Math.min(wanted, good));
      const step = run.stop === 'clear' && !broken;
      rows.expected = place + run.length;
      place = step ? place + run.length : -1;
      if (!step) this.#unsure = rows.expected;
      bit = step ? run.bit : nextClear(source, bit, bit + 9 * 64);
    }
    if (bit >= 0) this.#backfill(wanted);
    return { data: this.output.subarray(0, wanted), known: this.known, flips: this.flips };
  }

  /** Reads the run at a bit to its place, with its wrong bits set right as far as they are found; whether it stays broken, and up to where it is good. */
  #read(bit: number, place: number): { run: Run; broken: boolean; good: number } {
    const { source, output, wanted } = this;
    const mended = this.flips;
    const run = this.#mended(decodeRun(source, bit, output, place, 1e9), place);
    const end = place + run.length;
    if (this.flips > mended) this.#unsure = end;
    const good = this.rows.goodUntil(place, Math.min(wanted, end));
    const broken = run.bad > 0 || run.stop === 'overrun' || good < Math.min(wanted, end);
    this.known.fill(1, place, Math.min(wanted, good));
    this.#backfill(place);
    if (broken) this.#pending = { data: Buffer.from(output.subarray(place, end)), good };
    if (run.stop === 'end' && !broken) this.#anchor(end);
    return { run, broken, good };
  }

  /** What a broken run gave behind its wrong codes belongs right before the next run, as far back as its rows fit together. */
  #backfill(next: number): void {
    const pending = this.#pending;
    this.#pending = null;
    if (!pending || next <= pending.good) return;
    const { data, good } = pending;
    const length = Math.min(data.length, next - good);
    data.copy(this.output, next - length, data.length - length);
    const from = this.rows.goodFrom(good, next);
    if (from < next) this.known.fill(1, from, next);
  }

  /** A run that is wrong from its first row on stands at the wrong place: the one before was longer or shorter than it seemed. */
  #realigned(run: Run, place: number): number {
    const { output, wanted, rows } = this;
    const end = Math.min(wanted, place + run.length);
    if (place === 0 || run.bad > 0 || rows.goodUntil(place, end) > place + rows.row) return place;
    rows.expected = place;
    this.#unsure = place;
    const fitting = rows.fit(Buffer.from(output.subarray(place, end)), wanted);
    return fitting < 0 ? place : fitting;
  }

  /** The end of the strip shows by how much what was put where its rows seemed to fit is off. */
  #anchor(end: number): void {
    const shift = end - this.wanted;
    const from = this.#unsure;
    if (shift === 0 || from === 0 || Math.abs(shift) > this.rows.row * 4 || from - shift < 0) return;
    this.output.copyWithin(from - shift, from, end);
    this.known.fill(1, Math.min(from, from - shift), this.wanted);
  }

  /** A run with its wrong bit set right, or as it is when none is found. */
  #mended(run: Run, place: number): Run {
    const { source, output, wanted, rows } = this;
    let current = run;
    for (let tries = 0; tries < mostFlips; tries++) {
      const end = Math.min(wanted, place + current.length);
      const good = rows.goodUntil(place, end);
      if ((good >= end && current.bad === 0 && current.stop !== 'overrun') || this.#effort.isSpent) return current;
      const codes: Codes = { places: [], bits: [] };
      decodeRun(source, run.from, output, place, 1e9, codes);
      const found = this.#wrongBit(codes, run.from, place, good);
      if (found < 0) {
        decodeRun(source, run.from, output, place, 1e9);
        return current;
      }
      flip(source, found);
      this.flips++;
      current = decodeRun(source, run.from, output, place, 1e9);
    }
    return current;
  }

  #wrongBit(codes: Codes, from: number, place: number, good: number): number {
    const { output, wanted, rows } = this;
    const before = Math.max(64, pixelsBefore * rows.pixel);
    const behind = Math.max(64, pixelsBehind * rows.pixel);
    // A few rows show soon whether a bit is worth a closer look.
    const glance = output.subarray(0, good + Math.ceil(rows.row * 2.5));
    const tail = this.#tail(codes, from);
    let best = { bit: -1, until: good + rows.row, rough: Number.POSITIVE_INFINITY };
    for (const [index, at] of codes.places.entries()) {
      if (at < good - before || at > good + behind) continue;
      const start = codes.bits[index] ?? 0;
      const stop = codes.bits[index + 1] ?? start + 12;
      for (let bit = start; bit < stop && !this.#effort.isSpent; bit++) {
        const run = this.#withBit(bit, from, place, good, glance);
        if (!run || run.stop === 'overrun') continue;
        tail.copy(output, place + run.length);
        const end = Math.min(wanted, place + run.length + tail.length);
        const until = rows.goodUntil(place, end);
        if (until < best.until) continue;
        // Only the first rows tell whether what follows stands right to the byte: later ones are compared with each other.
        const rough = rows.roughness(good - before, Math.min(end, good + rows.row * 2)) + run.bad * 4;
        if (until > best.until || rough < best.rough) best = { bit, until, rough };
      }
    }
    return best.bit;
  }

  /** The run with a bit turned in trial; null where a glance at its first rows shows that it is no better. */
  #withBit(bit: number, from: number, place: number, good: number, glance: Buffer): Run | null {
    const { source, output, wanted, rows } = this;
    flip(source, bit);
    const seen = decodeRun(source, from, glance, place, 1e9);
    const isWorthIt = rows.goodUntil(place, Math.min(wanted, place + seen.length)) > good + rows.row / 2;
    const run = isWorthIt ? decodeRun(source, from, output, place, 1e9) : null;
    flip(source, bit);
    this.#effort.spend('lzwByte', seen.length * 2 + (run?.length ?? 0) * 2);
    return run;
  }

  /** The first rows behind a run, which show whether it ends at the right place; nothing where it does not end in step. */
  #tail(codes: Codes, from: number): Buffer {
    const { source, rows } = this;
    const scratch = Buffer.alloc(rows.row * 4);
    const last = (codes.bits.at(-1) ?? from) + 12;
    if (bitsAt(source, last, 12) !== 256) return scratch.subarray(0, 0);
    const run = decodeRun(source, last + 12, scratch, 0, 0);
    return run.bad === 0 ? scratch.subarray(0, Math.max(0, run.length)) : scratch.subarray(0, 0);
  }

  /** Where the output of the run at `bit` belongs: counted from the end of the strip if all that follows is sound, otherwise by its rows. */
  #placeOf(bit: number): number {
    const { source, wanted, rows } = this;
    const scratch = Buffer.alloc(wanted + (1 << 16));
    let [at, length] = [bit, 0];
    let run = decodeRun(source, at, scratch, 0, 0);
    const first = run.length;
    for (; run.stop === 'clear' && run.bad === 0; run = decodeRun(source, at, scratch, length, 0)) {
      length += run.length;
      at = run.bit;
    }
    length += run.length;
    if (run.stop === 'end' && run.bad === 0 && length <= wanted) return wanted - length;
    return rows.fit(scratch.subarray(0, Math.min(first, wanted)), wanted);
  }
}

function flip(source: Buffer, bit: number): void {
  source[bit >> 3] = (source[bit >> 3] ?? 0) ^ (128 >> (bit & 7));
}
