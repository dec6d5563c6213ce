import type { Layout } from '../../codecs/jpeg/layout';
import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Deadline } from '../../report';
import type { Canvas } from './canvas';
import { type Chain, readChain, startOf, withByteAt } from './chain';
import { Ending } from './ending';
import type { Continuation } from './fitting';
import { type Change, changed, type Mender } from './mend';
import { Resync } from './resync';
import { type Searches, situationOf } from './searches';
import type { Span } from './spans';
import type { StepWatch } from './steps';
import type { Stretch } from './stretches';
import { behindHole, type Hole, isLarge, isWipedAt, lastHole } from './tail';

/** What putting a picture together needs to know. `tables` are the quantisation tables by component. */
export type SalvageFacts = {
  layout: Layout;
  plan: ScanPlan;
  tables: readonly Uint16Array[];
  interval: number;
  hasEnd: boolean;
  deadline: Deadline;
  /** For a picture that nothing else speaks against: only a break beyond doubt counts, and the first one ends the search. */
  strict?: boolean;
  /** Takes data that can be unpacked as it comes, however it looks: breaks are only where it makes no sense. */
  trusting?: boolean;
  /** What other readings of the same picture found. */
  searches?: Searches;
  /** Breaks that only the picture suggested and that turned out to be none, as `breakKey` names them. */
  refuted?: ReadonlySet<string>;
};

/**
 * One place where the data was damaged: which stretch and byte of it, and what became of it. `key` names a break that only the picture
 * suggests, as the data can be unpacked there; `stays` where nothing could be done about it, and nothing has moved.
 */
export type Damage = {
  stretch: number;
  byte: number;
  kind: 'bit' | 'return' | 'moved' | 'lost' | 'stays';
  key?: string;
  /** The MCU from which on the picture goes on behind a large hole, counted from its end, and the rows of MCUs that are lost in it. */
  behind?: { place: number; rows: number };
  /** The same name, where a change of the data that sets a break right was suggested by nothing but the picture. */
  mend?: string;
};

const breakKey = (stretch: number, bit: number) => `${stretch}:${bit}`;

/** Excess of misfit, summed over MCUs, from which on a break is suspected; about three MCUs that do not fit at all. */
export const suspicion = 90;
/** The share of it that is enough where data breaks off, and where it ends. */
export const enoughAtError = 1 / 3;
const enoughAtEnd = 1 / 2;
/** Breaks that only the picture suggests from which on it suggests them wherever it has an edge. */
export const mostByPicture = 12;
/** Breaks after which no more is looked for in a span. */
const mostBreaks = 400;
/** Share of the misfit as it is below which another place fits clearly better. */
const clearlyBetter = 0.85;
/** Fewest MCUs by which a piece may have moved back. */
const leastBackwards = 8;
/** MCUs of an interval that are read to find where it begins, bytes that it may begin later, and what one that cannot be read costs. */
const crossing = { mcus: 6, bytes: 3, unreadable: 200 };
/** Share of misfits in a row that make a break: anywhere, and at the left border, where a horizon would show so too. */
const shareOfBreak = { anywhere: 0.5, atBorder: 0.9 };

/** What the reading of all spans of a picture shares. Readings that set bits right change `stretches`, and `versions` with them. */
export type Work = {
  facts: SalvageFacts;
  canvas: Canvas;
  stretches: Stretch[];
  damages: Damage[];
  versions: Uint32Array;
  searches: Searches;
  mender: Mender;
  steps: StepWatch;
  /** By how much each MCU fits worse than is usual. */
  excess: Float32Array;
  /** Another reading of the same data: what is read at the same place again is taken from there. */
  earlier: Canvas | null;
};

/**
 * What becomes of a reading after an MCU: it goes on, a break is believed, the data ends, or nothing more of the span can be told, so that
 * its end is not looked at either.
 */
type State = 'on' | 'break' | 'end' | 'stop';

/** Reads one span of the picture, MCU after MCU, and deals with each break. `anchored` where what follows the span, or the end of all, is known. */
export class Filling {
  readonly #work: Work;
  readonly #span: Span;
  readonly #isAnchored: boolean;
  /** The stretch as it reads from end to end. */
  readonly #whole: Chain | undefined;
  /** Between two restart markers, data that reads to its end with as many MCUs as belong there is beyond doubt. */
  readonly #isTrusted: boolean;
  #chain: Chain | null = null;
  #hole: { chain: Chain; hole: Hole | null } | null = null;
  #reader: McuReader;
  #place: number;
  /** Misfit, summed up since MCU `since`. */
  #sum = 0;
  #since: number;
  /** The MCU from which on a break is suspected; -1 without one. */
  #pending = -1;
  /** The MCU before which no break is believed. */
  #immune: number;
  #breaks = 0;
  #lastBreak: number;
  #isSound = true;

  constructor(work: Work, stretch: Stretch, span: Span, isAnchored: boolean, whole: Chain | undefined) {
    const { interval, plan } = work.facts;
    this.#work = work;
    this.#span = span;
    this.#isAnchored = isAnchored;
    this.#whole = whole;
    this.#isTrusted = interval > 0 && whole?.complete === true && whole.count === span.to - span.from;
    this.#reader = new McuReader(stretch.data, plan);
    this.#place = span.from;
    this.#since = span.from;
    this.#immune = span.from;
    this.#lastBreak = span.from;
  }

  run(): void {
    const { facts, steps } = this.#work;
    const { from, to } = this.#span;
    steps.restart(from);
    let state: State = 'on';
    while (state === 'on' && this.#place < to) {
      if ((this.#place & 0x3ff) === 0) facts.deadline.check();
      state = this.#reader.finished() ? 'end' : this.#read();
      if (state === 'break') state = this.#break();
    }
    if (state === 'stop' || !this.#isAnchored || facts.interval > 0) return;
    const version = this.#work.versions[this.#span.stretch];
    new Ending(this.#work, this.#span, version).settle(this.#place, this.#endsFrom(), this.#reader);
  }

  /** The MCU behind which something may be missing, or too much, where the number of all is another than belongs there: what is wiped tells it. */
  #endsFrom(): number {
    const { canvas, stretches } = this.#work;
    const current = stretches[this.#span.stretch];
    const hole = current ? this.#holeOf(current, this.#chainOf(current)) : null;
    if (!hole?.isWiped) return this.#lastBreak;
    let from = this.#lastBreak;
    while (from < this.#place && (canvas.bit[from] ?? 0) < hole.from) from++;
    return Math.max(this.#lastBreak, from - 1);
  }

  get #version(): number {
    return this.#work.versions[this.#span.stretch] ?? 0;
  }

  /** Reads the next MCU. */
  #read(): State {
    const { canvas, facts, earlier } = this.#work;
    const { from, stretch } = this.#span;
    const place = this.#place;
    const reader = this.#reader;
    if (facts.interval > 0 && place > from && (place - from) % facts.interval === 0) this.#cross(reader, place);
    canvas.note(place, stretch, reader);
    const recalled = earlier ? canvas.recall(place, earlier, reader, this.#version) : null;
    this.#isSound = (recalled !== null || reader.mcu()) && !this.#isWiped(reader.position);
    if (this.#isSound) return this.#weigh(recalled ?? canvas.keep(place, reader, this.#version));
    const isOver = reader.position >= reader.end && this.#pending < 0 && this.#sum < suspicion * enoughAtEnd;
    return isOver && !this.#isAnchored ? 'end' : 'break';
  }

  /** Takes in how well the MCU fits that was just read. */
  #weigh(excess: number): State {
    const { facts, steps } = this.#work;
    this.#work.excess[this.#place] = excess;
    if (facts.trusting) {
      this.#place++;
      return 'on';
    }
    if (this.#sum === 0) this.#since = this.#place;
    this.#sum = Math.max(0, this.#sum + excess);
    const isSuspect = this.#sum > suspicion && this.#pending < 0 && this.#since >= this.#immune;
    if (isSuspect && !this.#isTrusted && !facts.strict) this.#pending = this.#since;
    const isStepless = facts.interval > 0 || (facts.plan.dcOnly && facts.strict);
    const step = isStepless ? -1 : steps.add(this.#place);
    this.#place++;
    if (this.#isStep(step)) {
      this.#sum = 0;
      return 'break';
    }
    // A whole row is looked at before a misfit is called a break: things in a picture end earlier.
    const { across } = facts.layout;
    if (this.#pending < 0 || this.#place < Math.min(this.#pending + across, this.#span.to)) return 'on';
    if (this.#isBreak(this.#pending, this.#place)) return 'break';
    this.#immune = Math.max(this.#immune, this.#place);
    this.#pending = -1;
    this.#sum = 0;
    return 'on';
  }

  /** Whether brightness makes a step, or rows are shifted, from an MCU on; which then is pending. */
  #isStep(step: number): boolean {
    const { canvas, facts } = this.#work;
    if (step >= this.#immune && (this.#pending < 0 || step <= this.#pending)) {
      this.#pending = step;
      return true;
    }
    const isLookedAt = (this.#place - this.#lastBreak) % (facts.layout.across >> 1) === 0;
    if (this.#pending >= 0 || facts.interval > 0 || facts.strict || !isLookedAt) return false;
    const shifted = this.#work.searches.shift(canvas, this.#place, this.#lastBreak);
    if (!shifted || shifted.from < this.#immune) return false;
    this.#pending = shifted.from;
    return true;
  }

  /** Deals with a break. */
  #break(): State {
    const { canvas, facts, damages, stretches } = this.#work;
    const { stretch } = this.#span;
    const suspected = !this.#isSound && this.#sum > suspicion * enoughAtError ? this.#since : this.#place;
    let broken = this.#pending >= 0 ? this.#pending : suspected;
    this.#pending = -1;
    this.#sum = 0;
    const byteAt = () => (canvas.bit[broken] ?? 0) >> 3;
    if (facts.strict) {
      damages.push({ stretch, byte: byteAt(), kind: 'lost' });
      return 'stop';
    }
    const isByPicture = this.#isSound || (!this.#isAnchored && broken < this.#place);
    if (this.#isSound && isByPicture && damages.filter((damage) => damage.key !== undefined).length >= mostByPicture) {
      this.#immune = this.#work.facts.layout.total;
      return 'on';
    }
    let key = isByPicture ? breakKey(stretch, canvas.bit[broken] ?? 0) : undefined;
    if (key !== undefined && facts.refuted?.has(key)) {
      if (this.#isSound) {
        this.#immune = this.#place + 1;
        return 'on';
      }
      if (this.#reader.position >= this.#reader.end && !this.#isAnchored) return 'end';
      broken = this.#place;
      key = undefined;
    }
    if (++this.#breaks > mostBreaks) {
      canvas.clear(broken, this.#place);
      return 'end';
    }
    const current = stretches[stretch];
    if (!current) return 'stop';
    const chain = this.#chainOf(current);
    const mended = this.#search(broken, current, chain);
    if (!mended) return this.#goOn(broken, current, chain, { stretch, byte: byteAt(), key });
    damages.push({ stretch, byte: byteAt(), kind: mended.kind, mend: key });
    this.#apply(mended, broken, current, chain);
    return 'on';
  }

  get #mostMcus(): number {
    const { total, across } = this.#work.facts.layout;
    return total + across * 4;
  }

  /** The stretch read from end to end, as it is now. */
  #chainOf({ data }: Stretch): Chain {
    const { plan, deadline } = this.#work.facts;
    this.#chain ??= this.#whole
      ? startOf(this.#whole, this.#mostMcus)
      : readChain(data, plan, this.#mostMcus, deadline);
    return this.#chain;
  }

  /** A wrong bit or a lost byte before a break. */
  #search(broken: number, { data }: Stretch, chain: Chain): Change | null {
    const { canvas, searches, mender } = this.#work;
    const counted = this.#isAnchored ? chain : null;
    return searches.change(situationOf(canvas, broken, this.#span.to, this.#version), () =>
      mender.mend(data, broken, this.#span, counted),
    );
  }

  /** Sets right what was found, and reads again from there. */
  #apply(mended: Change, broken: number, current: Stretch, chain: Chain): void {
    const { canvas, facts, stretches, versions, searches, steps } = this.#work;
    const { stretch } = this.#span;
    const data = changed(current.data, mended);
    stretches[stretch] = { ...current, data };
    versions[stretch] = searches.versionAfter(this.#version, mended);
    canvas.clear(mended.place, this.#place);
    this.#reader = new McuReader(data, facts.plan);
    this.#reader.seek(canvas.bit[mended.place] ?? 0, canvas.before, mended.place * canvas.layout.components);
    this.#place = mended.place;
    this.#immune = broken + 1;
    steps.restart(this.#place);
    if (mended.kind === 'return')
      this.#chain = withByteAt(chain, mended.at, data, facts.plan, this.#mostMcus, facts.deadline);
  }

  /** Goes on behind a break, where the picture does. */
  #goOn(broken: number, current: Stretch, chain: Chain, damage: Omit<Damage, 'kind'>): State {
    const { canvas, damages, steps } = this.#work;
    const start = canvas.bit[broken] ?? 0;
    const stay = canvas.meanFit(broken, this.#place);
    canvas.clear(broken, this.#place);
    const next = this.#whereOn(broken, start, current, chain);
    // What only looked like a break stays, unless something fits clearly better.
    if (this.#isSound && (!next || next.misfit > stay * clearlyBetter)) {
      canvas.filled.fill(1, broken, this.#place);
      this.#immune = this.#place + 1;
      return 'on';
    }
    const behind = next?.isCounted
      ? { place: next.place, rows: (next.place - broken) / canvas.layout.across }
      : undefined;
    damages.push({ ...damage, kind: next ? 'moved' : 'lost', ...(behind && { behind }) });
    if (!next) return 'stop';
    this.#reader.seek(next.bit, next.predictors);
    this.#place = next.place;
    this.#immune = (next.fits ?? this.#place) + (next.bit <= start ? canvas.layout.across : 2);
    this.#lastBreak = this.#place;
    steps.restart(this.#place);
    return 'on';
  }

  /** Where the picture goes on: of what lies behind a large hole in the data only the end of the picture tells. */
  #whereOn(broken: number, bit: number, current: Stretch, chain: Chain): Continuation | null {
    const hole = this.#isAnchored && this.#work.facts.interval === 0 ? this.#holeOf(current, chain) : null;
    const isBehind = hole !== null && bit < hole.to;
    const counted = () => (isBehind ? this.#behind(hole, broken, current, chain) : null);
    if (isBehind && isLarge(hole, bit)) return counted() ?? this.#continuation(broken, bit, current, chain);
    return this.#continuation(broken, bit, current, chain) ?? counted();
  }

  /** Whether what was read last are zeroes that were written over the data: no break has to be believed for that. */
  #isWiped(bit: number): boolean {
    if (!this.#isAnchored || this.#work.facts.interval > 0 || this.#work.facts.strict) return false;
    const current = this.#work.stretches[this.#span.stretch];
    const hole = current ? this.#holeOf(current, this.#chainOf(current)) : null;
    return hole !== null && isWipedAt(hole, bit);
  }

  #behind(hole: Hole, from: number, { data }: Stretch, chain: Chain): Continuation | null {
    const { canvas, facts } = this.#work;
    return behindHole(canvas, facts.plan, data, { chain, hole, from, to: this.#span.to });
  }

  /** The last hole in the data as it is now. */
  #holeOf({ data }: Stretch, chain: Chain): Hole | null {
    if (this.#hole?.chain !== chain) this.#hole = { chain, hole: lastHole(chain, data, this.#work.facts.plan) };
    return this.#hole.hole;
  }

  #continuation(broken: number, bit: number, { data }: Stretch, chain: Chain): Continuation | null {
    const { canvas, facts, searches } = this.#work;
    const { to } = this.#span;
    const usual = canvas.usualBefore(broken);
    const backwards = Math.max(leastBackwards, canvas.layout.across >> 3);
    const at = { place: broken, bit, to, anchored: this.#isAnchored, backwards, usual };
    return searches.continuation(situationOf(canvas, broken, to, this.#version), () =>
      new Resync(canvas, facts.plan, data).find(data, at, chain),
    );
  }

  /** A break shows in nearly every MCU for one row, and not from the left border to the right one, as a horizon would. */
  #isBreak(from: number, to: number): boolean {
    const { canvas, excess } = this.#work;
    const { across } = canvas.layout;
    const column = from % across;
    let misfits = 0;
    for (let place = from; place < to; place++) if ((excess[place] ?? 0) > 0) misfits++;
    if (column === 0) return misfits > (to - from) * shareOfBreak.atBorder && (excess[from - 1] ?? 0) > 0;
    return misfits > (to - from) * shareOfBreak.anywhere;
  }

  /** Steps over the border of an interval whose marker was lost: whole bytes, and no drift (ISO/IEC 10918-1, F.2.1.3.1). */
  #cross(reader: McuReader, place: number): void {
    const { canvas, facts } = this.#work;
    const aligned = Math.ceil(reader.position / 8) * 8;
    let best = aligned;
    let least = Number.POSITIVE_INFINITY;
    for (let skip = 0; skip <= crossing.bytes; skip++) {
      reader.seek(aligned + skip * 8, []);
      let cost = 0;
      for (let mcu = 0; mcu < Math.min(facts.interval, crossing.mcus); mcu++) {
        if (!reader.mcu()) {
          cost += crossing.unreadable;
          break;
        }
        cost += canvas.keep(Math.min(place + mcu, canvas.layout.total - 1), reader);
      }
      if (cost < least) {
        least = cost;
        best = aligned + skip * 8;
      }
    }
    canvas.clear(place, Math.min(place + crossing.mcus, canvas.layout.total));
    reader.seek(best, []);
  }
}
