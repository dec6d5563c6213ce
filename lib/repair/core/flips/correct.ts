import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { type MendJudge, mend } from '../deflate/mend';
import type { Place } from '../deflate/reader';
import { type StepEnd, StepInflater, streamStart } from '../deflate/steps';
import { bytesApart } from './apart';
import { lastIndex } from './follow';
import { findLastBit } from './lastbit';
import { Oddness } from './odd';
import { type Corrected, type Judge, metered, type PackedText, type TextKind, type Turned } from './packedtext';
import { silentBits } from './silent';
import { type Candidate, candidate, isWhole, type Trial } from './trial';

/*
 * Where nothing else is said, these were set by trial on the bench of documents, as a balance of bits found and time (README.md); bytes are of
 * text.
 */

/** How far before a fault the wrong bit is looked for, in bytes: at first, and when nothing is found so near. */
const reaches = [700, 5000];
/** A changed bit must take the fault at least so many bytes further. */
const gain = 40;
/** Bytes behind a fault that are read to rank the bits that do. */
const horizon = 1500;
/** Bytes within which a wrong bit mostly shows. */
const soon = 600;
/** And the best of the bits must take it so many bytes further, or to the end. */
const clear = 200;
/** A bit that takes it so many bytes further is not doubted. */
const convincing = 2500;
/** Bits after the place where decoding stops that are looked through: the tables of a block (RFC 1951, 3.2.7) may be what is wrong. */
const headerBits = 1400;
/** Bytes that a copy can reach back (RFC 1951, 2), with room to spare. */
const windowBytes = 32768 + 4096;
/** How many bytes behind is too far away to tell bits apart by what a second one can do there. */
const farLead = 1 << 17;
/** Bits that are set right in one text: more are no single wrong bits. */
const mostRounds = 120;
/** Bits that are read on for after the first look, the best ones. */
const mostSurvivors = 24;
/** Bits that are weighed against each other by what comes after them. */
const mostRivals = 5;
/** Packed bytes up to which that is worth the time. */
const mostForLastBit = 1 << 16;
/** A text of more bytes than this is not read to its end for a bit that leads to a fault within so many bytes of the first one. */
const longText = 1 << 19;
const stages = [1 << 14, 1 << 18];
/** Long texts are read in pieces of so many bytes, up to so many beyond the place where they break. */
const pieceBytes = 1 << 20;
const readBeyond = 1 << 18;

/**
 * Sets single wrong bits in packed text right. A wrong bit makes the text go wrong soon after it; each bit before that place is turned
 * in trial, and the one after which the text goes on making sense is kept. A last one that the text does not show is looked for by the
 * check sum. What cannot be set right within `effort` stays as it is.
 */
export function correctText<P extends { at: number }>(
  part: PackedText,
  kindOf: (output: Uint8Array) => TextKind<P>,
  effort: Effort,
): Corrected {
  return new Correction(part, kindOf, effort).run();
}

/** Where each judge finds that a text first goes wrong. */
type Faults = readonly number[];

/** Text as it is corrected: what the mender asks of it. */
class Correction<P extends { at: number }> implements MendJudge<Faults> {
  readonly #part: PackedText;
  readonly #inflater: StepInflater;
  readonly #kind: TextKind<P>;
  readonly #judges: readonly Judge<P>[];
  readonly #effort: Effort;
  #marks: Place[] = [];
  #places: (readonly P[])[] = [];
  #end: StepEnd = { ...streamStart, end: 'input' };
  /** The text as last read, up to its end: trials write over it. */
  readonly #clean: Uint8Array;
  /** The first bit that was turned since the text was read. */
  #changed = 0;
  #reached: Faults = [];
  /** Bits that were set right, and whether the last of them took the text clearly further. */
  readonly #turned: Turned[] = [];
  #wasClear = true;
  readonly #oddness: Oddness;

  constructor(part: PackedText, kindOf: (output: Uint8Array) => TextKind<P>, effort: Effort) {
    this.#part = part;
    this.#effort = effort;
    this.#inflater = new StepInflater(part.packed, part.most, effort, part.turn);
    this.#clean = new Uint8Array(part.most);
    this.#kind = kindOf(this.#inflater.output);
    this.#oddness = new Oddness(this.#inflater, effort);
    this.#judges = this.#kind.judges.map((judge) => metered(judge, effort));
  }

  run(): Corrected {
    this.#reached = this.#read();
    mend(this, (troubles) => troubles > mostRounds);
    this.#readOn();
    let exact = this.#isExact(this.#end);
    let bits = this.#turned.length;
    const silent = exact ? 0 : this.#turnSilent();
    exact ||= silent > 0;
    bits += silent;
    if (!exact && this.#tryAll(this.#reached)) {
      exact = true;
      bits++;
    }
    const text = Buffer.from(this.#inflater.output.subarray(0, this.#end.length));
    const [doubted = 0, fault] = this.#reached
      .map((one) => Math.min(one, text.length))
      .sort((left, right) => left - right);
    return { packed: this.#inflater.bytes, bits, turned: this.#turned, exact, text, doubted, fault: fault ?? doubted };
  }

  /** Where each judge finds that the text first goes wrong; null where it is right. */
  read(): Faults | null {
    return this.#isExact(this.#end) ? null : this.#reached;
  }

  /** Turns the bit after which the text goes on making sense. */
  correct(reached: Faults): boolean {
    const bit = this.#choose(reached);
    if (bit === null) return false;
    this.#turn(bit);
    const next = this.#read();
    const isClear = Math.max(...next.map((fault, index) => fault - (reached[index] ?? 0))) > convincing;
    // In a block that was overwritten bit after bit leads a little further by chance.
    const isChance = this.#isLong && !isClear && !this.#wasClear;
    this.#wasClear = isClear;
    if (isChance || !this.#isFurther(next, reached)) {
      this.#turn(bit);
      this.#read();
      return false;
    }
    this.#turned.push({ bit, fault: Math.min(...reached) });
    this.#reached = next;
    return true;
  }

  /** Text that is lost is no matter of bits: what comes behind it is put in its place once all bits are right (`gaps.ts`). */
  goOn(): boolean {
    return false;
  }

  /** Whether one of the judges now follows the text clearly further, or to its end. */
  #isFurther(next: readonly number[], before: readonly number[]): boolean {
    return next.some((fault, index) => {
      const gained = fault - (before[index] ?? 0);
      return gained > clear || (gained > 0 && this.#end.end === 'final' && fault >= this.#end.length);
    });
  }

  #isExact(end: StepEnd): boolean {
    return end.end === 'final' && this.#part.isExact(this.#inflater.output, end, this.#inflater.bytes);
  }

  get #isLate(): boolean {
    return this.#effort.isSpent;
  }

  /** Turns a bit for good, or until it is turned back the same way. */
  #turn(bit: number): void {
    this.#inflater.flip(bit);
    this.#changed = Math.min(this.#changed, bit);
  }

  /** Decodes from the first changed bit on, of long texts until they break; where each judge finds that the text first goes wrong. */
  #read(): number[] {
    const kept = this.#last(this.#marks, ({ bit }) => bit <= this.#changed);
    const from = this.#marks[kept] ?? streamStart;
    this.#changed = Number.POSITIVE_INFINITY;
    // Decoding notes the place where it begins itself.
    this.#marks.length = kept;
    this.#end = { ...from, end: 'full' };
    const most = this.#inflater.output.length;
    for (;;) {
      const { length: before } = this.#end;
      this.#decode(this.#isLong ? Math.min(most, before + pieceBytes) : most);
      const { length: out, end } = this.#end;
      const isOpen = end === 'full' && out < most;
      const { faults, places } = this.#kind.judge(out, end === 'final' || isOpen, before);
      this.#effort.spend('judgedByte', (out - before) * faults.length);
      this.#places = places;
      if (!isOpen || Math.max(...faults) < out - readBeyond) return faults;
    }
  }

  /** Decodes what a reading that stopped early left. */
  #readOn(): void {
    if (this.#end.end === 'full') this.#decode(this.#inflater.output.length);
  }

  #decode(limit: number): void {
    const { length: before } = this.#end;
    this.#end = this.#inflater.run(this.#end, limit, this.#marks);
    const { length: out } = this.#end;
    this.#clean.set(this.#inflater.output.subarray(before, out), before);
  }

  /** Whether the text is too long to be read to its end again and again. */
  get #isLong(): boolean {
    return this.#part.size !== null && this.#inflater.output.length > longText;
  }

  /** Puts the text back that trials wrote over, as far as decoding from `out` on needs it. */
  #restore(out: number, all = false): void {
    const from = all ? 0 : Math.max(0, out - windowBytes);
    this.#inflater.output.set(this.#clean.subarray(from, out), from);
    this.#effort.spend('copiedByte', out - from);
  }

  /** The best bit to turn, or null. One that helps only a little is weighed against others by what a second bit can do after each. */
  #choose(faults: readonly number[]): number | null {
    const reading = { clean: this.#clean, end: this.#end, marks: this.#marks };
    this.#oddness.learn(reading, faults);
    const found = this.#oddness.likely(this.#searchAll(faults, reaches), reading);
    const best = found[0];
    if (!best || best.reached === Number.POSITIVE_INFINITY) return best?.bit ?? null;
    const second = found[1] ? found[1].reached - found[1].fault : 0;
    const lead = best.reached - best.fault;
    // Bits that all lead far lead to the same next fault, from which nothing more can be told.
    if (lead > Math.max(convincing, second * 2) || lead > farLead) return best.bit;
    const rivals = found.slice(0, mostRivals);
    let winner: Candidate = best;
    if (rivals.length > 1) {
      const { fault } = best;
      const further = rivals.map((rival) => ({ ...rival, fault, reached: this.#lookAhead(rival) }));
      winner = further.reduce((left, right) => (right.reached > left.reached ? right : left));
      this.#read();
    }
    return winner.reached - winner.fault > clear ? winner.bit : null;
  }

  /** How far the text makes sense with a bit turned, and one more behind it. */
  #lookAhead({ bit, reached }: Candidate): number {
    if (this.#isLate) return reached;
    this.#turn(bit);
    const second = this.#searchAll(this.#read(), reaches.slice(0, 1))[0];
    this.#turn(bit);
    return Math.max(reached, second?.reached ?? 0);
  }

  /**
   * Bits that take the text further, the best first. What is strange only to the strictest judge may be new rather than wrong; what is
   * wrong to the others tells more slowly, but surely.
   */
  #searchAll(faults: readonly number[], within: readonly number[]): Candidate[] {
    const all = new Map<number, Candidate>();
    for (const reach of within) {
      for (const [index, judge] of this.#judges.entries()) {
        for (const found of this.#search(faults[index] ?? 0, judge, index, reach)) {
          const old = all.get(found.bit);
          if (!old || found.reached > old.reached) all.set(found.bit, found);
        }
        const sorted = [...all.values()].sort((left, right) => right.reached - left.reached);
        if (sorted[0] && sorted[0].reached - sorted[0].fault > convincing) return sorted;
      }
    }
    return [...all.values()].sort((left, right) => right.reached - left.reached);
  }

  /** Bits that, turned, take the place where the judge finds a fault further. */
  #search(fault: number, judge: Judge<P>, index: number, reach: number): Candidate[] {
    const { length: out, end, bit: stopped } = this.#end;
    if ((fault >= out && end === 'final') || fault >= (this.#part.size ?? Number.POSITIVE_INFINITY)) return [];
    const inflater = this.#inflater;
    const last = this.#markBefore(fault + 64);
    const from = this.#marks[this.#markBefore(fault - reach)]?.bit ?? 0;
    const behind = (this.#marks[last + 1]?.bit ?? this.#marks[last]?.bit ?? 0) + 64;
    const to = Math.min(inflater.bytes.length * 8, fault >= out - 64 ? Math.max(behind, stopped + headerBits) : behind);
    const survivors: { bit: number; fault: number }[] = [];
    let mark = this.#marks.length - 1;
    // Backwards, as a trial writes over what lies behind its own beginning, which the bits before it do not need.
    for (let bit = to - 1; bit >= from; bit--) {
      while (mark > 0 && (this.#marks[mark]?.bit ?? Number.POSITIVE_INFINITY) > bit) mark--;
      if ((bit & 31) === 0 && this.#isLate) break;
      const start = this.#marks[mark] ?? streamStart;
      const reached = this.#try(bit, start, fault + gain, judge, index);
      if (reached >= fault + gain) survivors.push({ bit, fault: this.#try(bit, start, fault + horizon, judge, index) });
    }
    survivors.sort((left, right) => right.fault - left.fault);
    const bits = survivors.slice(0, mostSurvivors).map(({ bit }) => bit);
    const found = this.#weigh(bits, fault, judge, index);
    this.#restore(out, true);
    return found;
  }

  /**
   * How far the text makes sense with each of the bits turned. Of those that lead far, one is read to the end: in the others, once they
   * read the same codes, as much is to come as came then, so that they are read only where the check sum could agree.
   */
  #weigh(bits: readonly number[], from: number, judge: Judge<P>, index: number): Candidate[] {
    const isLong = this.#inflater.output.length > longText;
    const near = isLong ? stages : [this.#inflater.output.length];
    const trials = bits.map((bit) => this.#worth(bit, from, judge, index, near));
    const open = trials.filter(({ isOpen }) => isOpen);
    const results = trials.filter(({ isOpen }) => !isOpen).map((trial) => candidate(this.#part, trial, from));
    const [first, ...others] = open;
    if (!first) return results;
    const isOnly = others.length === 0 && this.#isLong;
    const whole =
      isOnly || this.#isLate ? first : this.#worth(first.bit, from, judge, index, [this.#inflater.output.length]);
    results.push(candidate(this.#part, whole, from));
    for (const trial of others) {
      const apart = this.#isLate ? 0 : bytesApart(this.#inflater, first.end, trial.end);
      const end = { ...whole.end, length: whole.end.length + (apart ?? 0) };
      const couldBeWhole = end.end === 'final' && (this.#part.size === null || end.length === this.#part.size);
      const far =
        !this.#isLate && (apart === null || couldBeWhole)
          ? this.#worth(trial.bit, from, judge, index, [this.#inflater.output.length])
          : { bit: trial.bit, fault: whole.fault + (apart ?? 0), end, isOpen: false };
      results.push(candidate(this.#part, far, from));
    }
    return results;
  }

  /** Reads the text with a bit turned, as far as it makes sense. */
  #worth(bit: number, from: number, judge: Judge<P>, index: number, within: readonly number[]): Trial {
    const inflater = this.#inflater;
    const start = this.#marks[this.#last(this.#marks, (mark) => mark.bit <= bit)] ?? streamStart;
    const place = this.#placeBefore(start.length, index);
    this.#restore(start.length);
    inflater.flip(bit);
    let end: StepEnd = { ...start, end: 'full' };
    let fault = 0;
    for (const stage of within) {
      end = inflater.run(end, Math.min(inflater.output.length, from + stage));
      fault = judge.fault(place, end.length);
      if (fault < end.length || end.end !== 'full') break;
    }
    const isOpen = end.end === 'full' && end.length < inflater.output.length && fault === end.length;
    if (isWhole(this.#part, end)) {
      this.#restore(start.length, true);
      if (this.#part.isExact(inflater.output, end, inflater.bytes)) fault = Number.POSITIVE_INFINITY;
    }
    inflater.flip(bit);
    return { bit, fault, end, isOpen };
  }

  #try(bit: number, start: Place, limit: number, judge: Judge<P>, index: number): number {
    const inflater = this.#inflater;
    const place = this.#placeBefore(start.length, index);
    if (!inflater.flip(bit)) return 0;
    let reached = inflater.run(start, Math.min(limit, start.length + soon));
    // Most bits garble the text at once.
    const isGarbled =
      reached.end === 'full' && reached.length < limit && judge.fault(place, reached.length) < reached.length;
    if (!isGarbled && reached.end === 'full' && reached.length < limit) reached = inflater.run(reached, limit);
    inflater.flip(bit);
    const { length: out, end } = reached;
    if (out < limit && end !== 'final') return 0;
    const fault = judge.fault(place, out);
    return fault === out && isWhole(this.#part, reached) ? limit : fault;
  }

  /** Turns wrong bits that change letters alone, where the check sum then agrees; how many those were. */
  #turnSilent(): number {
    const bits = silentBits(this.#part, this.#inflater, this.#end, this.#turned, this.#effort);
    for (const bit of bits) this.#turn(bit);
    this.#reached = this.#read();
    if (this.#isExact(this.#end)) return bits.length;
    for (const bit of bits) this.#turn(bit);
    this.#reached = this.#read();
    return 0;
  }

  /** Looks for a last wrong bit that the text does not show. */
  #tryAll(faults: readonly number[]): boolean {
    if (this.#inflater.bytes.length > mostForLastBit) return false;
    const { length } = this.#judges;
    const end = findLastBit(
      { inflater: this.#inflater, part: this.#part, marks: this.#marks, end: this.#end },
      this.#marks[this.#markBefore(Math.max(...faults, 0) + 64) + 1]?.bit ?? Number.POSITIVE_INFINITY,
      this.#effort.share(this.#part.lastBitEffort),
      (start, out) =>
        (this.#judges[length - 1]?.fault(this.#placeBefore(start, length - 1), out) ?? out) <
        Math.min(out, faults.at(-1) ?? 0),
    );
    if (end) this.#end = end;
    else this.#restore(this.#end.length, true);
    return end !== null;
  }

  #markBefore(out: number): number {
    return this.#last(this.#marks, (mark) => mark.length <= out);
  }

  #placeBefore(at: number, judge: number): P {
    const places = this.#places[judge] ?? [];
    const place = places[this.#last(places, (one) => one.at <= at)];
    return place && place.at <= at ? place : this.#kind.start;
  }

  #last<T>(list: readonly T[], holds: (one: T) => boolean): number {
    return Math.max(0, lastIndex(list, holds));
  }
}
