import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { Canvas } from './canvas';
import { type Chain, readChain, startOf, withByteAt } from './chain';
import { EdgeStore, quarter, seam } from './edgestore';
import type { Layout } from './layout';
import { changed, Mender } from './mend';
import { McuReader, type ScanPlan } from './reader';
import { Resync } from './resync';
import { Searches, situationOf } from './searches';
import { findRowShift } from './skyline';
import type { Span, Spans } from './spans';
import { coarseSteps, keenSteps, StepWatch, surelySteps } from './steps';
import type { Stretch } from './stretches';

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
 * suggests, as the data can be unpacked there.
 */
export type Damage = { stretch: number; byte: number; kind: 'bit' | 'return' | 'moved' | 'lost'; key?: string };

const breakKey = (stretch: number, bit: number) => `${stretch}:${bit}`;

/** Excess of misfit, summed over MCUs, from which on a break is suspected; about three MCUs that do not fit at all. */
const suspicion = 90;

/** Smallest step of brightness, in sample values, that is taken for one that lost data made. */
const leastDrift = 3;

/** Reads all data and puts every MCU where it belongs, going on behind each break as well as can be. */
export class Salvage {
  readonly canvas: Canvas;
  readonly damages: Damage[] = [];
  readonly stretches: Stretch[];
  readonly #facts: SalvageFacts;
  readonly #mender: Mender;
  readonly #excess: Float32Array;
  readonly #steps: StepWatch;
  readonly #searches: Searches;
  readonly #earlier: Canvas | null;
  readonly #version: Uint32Array;

  /** `earlier` is another reading of the same data: what is read at the same place again is taken from there. */
  constructor(facts: SalvageFacts, stretches: readonly Stretch[], earlier: Canvas | null = null) {
    this.#searches = facts.searches ?? new Searches();
    this.#earlier = earlier;
    this.#version = new Uint32Array(stretches.length).fill(1);
    this.#facts = facts;
    this.stretches = [...stretches];
    this.canvas = new Canvas(facts.layout, facts.tables);
    this.#mender = new Mender(this.canvas, facts.plan);
    this.#steps = new StepWatch(this.canvas, facts.strict ? surelySteps : facts.plan.dcOnly ? coarseSteps : keenSteps);
    this.#excess = new Float32Array(facts.layout.total);
  }

  /** Fills the canvas from spans in the picture's order; `chains` are the stretches as they read from end to end. */
  run({ list, joints, turns }: Spans, chains: readonly Chain[]): void {
    const { interval, hasEnd, layout } = this.#facts;
    let left = turns;
    let shift = 0;
    for (const [index, span] of list.entries()) {
      this.#facts.deadline.check();
      if (left > 0 && joints.includes(index)) {
        const more = index === joints.at(-1) ? left : this.#turnsAt(list.slice(index), shift, left);
        left -= more;
        shift += more * 8 * interval;
      }
      const moved = { ...span, from: span.from + shift, to: Math.min(layout.total, span.to + shift) };
      if (moved.from < moved.to) this.#fill(moved, index + 1 < list.length || hasEnd, chains[span.stretch]);
    }
  }

  /** How many times eight intervals are missing before a span: as many as let the next row fit best under what is there. */
  #turnsAt(spans: readonly Span[], shift: number, most: number): number {
    const { interval, plan } = this.#facts;
    const { canvas } = this;
    const costs = new Float64Array(most + 1);
    const store = new EdgeStore(canvas.layout, canvas.edges.tables, 1);
    let seen = 0;
    for (const span of spans) {
      const reader = new McuReader(this.stretches[span.stretch]?.data ?? Buffer.alloc(0), plan);
      for (let mcu = 0; mcu < interval && seen < canvas.layout.across && reader.mcu(); mcu++, seen++) {
        store.set(0, reader.coefficients, reader.last);
        for (let turn = 0; turn <= most; turn++) {
          const above = span.from + mcu + shift + turn * 8 * interval - canvas.layout.across;
          const fits = above >= 0 && above < canvas.layout.total && canvas.filled[above] === 1;
          costs[turn] = (costs[turn] ?? 0) + (fits ? Math.min(60, seam(canvas.edges, above, store, 0)) : 14);
        }
      }
      if (seen >= canvas.layout.across) break;
    }
    return costs.indexOf(Math.min(...costs));
  }

  #fill(span: Span, anchored: boolean, whole: Chain | undefined): void {
    const { canvas } = this;
    const { plan, interval, deadline } = this.#facts;
    const { across } = canvas.layout;
    const stretch = this.stretches[span.stretch];
    if (!stretch) return;
    // Between two restart markers, data that reads to its end with as many MCUs as belong there is beyond doubt.
    const trusted = interval > 0 && whole?.complete === true && whole.count === span.to - span.from;
    let chain: Chain | null = null;
    let reader = new McuReader(stretch.data, plan);
    let place = span.from;
    let sum = 0;
    let since = place;
    let pending = -1;
    let immune = place;
    let breaks = 0;
    let lastBreak = place;
    this.#steps.restart(place);
    while (place < span.to) {
      if ((place & 0x3ff) === 0) deadline.check();
      if (reader.finished()) break;
      if (interval > 0 && place > span.from && (place - span.from) % interval === 0) this.#cross(reader, place);
      canvas.note(place, span.stretch, reader);
      const version = this.#version[span.stretch] ?? 0;
      const recalled = this.#earlier ? canvas.recall(place, this.#earlier, reader, version) : null;
      const sound = recalled !== null || reader.mcu();
      if (!sound && reader.position >= reader.end && pending < 0 && sum < suspicion / 2 && !anchored) break;
      if (sound) {
        const excess = recalled ?? canvas.keep(place, reader, version);
        this.#excess[place] = excess;
        if (sum === 0) since = place;
        sum = Math.max(0, sum + excess);
        if (this.#facts.trusting) {
          place++;
          continue;
        }
        if (sum > suspicion && pending < 0 && since >= immune && !trusted && !this.#facts.strict) pending = since;
        const step = interval > 0 || (plan.dcOnly && this.#facts.strict) ? -1 : this.#steps.add(place);
        place++;
        // A whole row is looked at before a misfit is called a break: things in a picture end earlier.
        let isStep = step >= immune && (pending < 0 || step <= pending);
        if (isStep) pending = step;
        else if (pending < 0 && interval === 0 && !this.#facts.strict && (place - lastBreak) % (across >> 1) === 0) {
          const shifted = findRowShift(canvas, place, lastBreak);
          isStep = shifted !== null && shifted.from >= immune;
          if (isStep) pending = shifted?.from ?? -1;
        }
        if (isStep) sum = 0;
        else if (pending < 0 || place < Math.min(pending + across, span.to)) continue;
        if (!isStep && !this.#isBreak(pending, place)) {
          immune = Math.max(immune, place);
          pending = -1;
          sum = 0;
          continue;
        }
      }
      let broken = pending >= 0 ? pending : !sound && sum > suspicion / 3 ? since : place;
      pending = -1;
      sum = 0;
      if (this.#facts.strict) {
        this.damages.push({ stretch: span.stretch, byte: (canvas.bit[broken] ?? 0) >> 3, kind: 'lost' });
        return;
      }
      let key = sound || (!anchored && broken < place) ? breakKey(span.stretch, canvas.bit[broken] ?? 0) : undefined;
      if (key !== undefined && this.#facts.refuted?.has(key)) {
        if (sound) {
          immune = place + 1;
          continue;
        }
        if (reader.position >= reader.end && !anchored) break;
        broken = place;
        key = undefined;
      }
      if (++breaks > 400) {
        canvas.clear(broken, place);
        break;
      }
      const byte = (canvas.bit[broken] ?? 0) >> 3;
      const current = this.stretches[span.stretch];
      if (!current) return;
      const most = canvas.layout.total + across * 4;
      chain ??= whole ? startOf(whole, most) : readChain(current.data, plan, most, deadline);
      const counted = anchored ? chain : null;
      const mended = this.#searches.change(situationOf(canvas, broken, span.to, version), () =>
        this.#mender.mend(current.data, broken, span, counted),
      );
      if (mended) {
        const data = changed(current.data, mended);
        this.stretches[span.stretch] = { ...current, data };
        this.#version[span.stretch] = this.#searches.versionAfter(version, mended);
        this.damages.push({ stretch: span.stretch, byte, kind: mended.kind });
        canvas.clear(mended.place, place);
        const { components } = canvas.layout;
        const [bit, from] = [canvas.bit[mended.place] ?? 0, mended.place * components];
        reader = new McuReader(data, plan);
        reader.seek(bit, canvas.before, from);
        place = mended.place;
        immune = broken + 1;
        this.#steps.restart(place);
        if (mended.kind === 'return') chain = withByteAt(chain, mended.at, data, plan, most, deadline);
        continue;
      }
      const start = canvas.bit[broken] ?? 0;
      const stay = canvas.meanFit(broken, place);
      canvas.clear(broken, place);
      const usual = canvas.usualBefore(broken);
      const read = chain;
      const next = this.#searches.continuation(situationOf(canvas, broken, span.to, version), () =>
        new Resync(canvas, plan, current.data).find(
          current.data,
          { place: broken, bit: start, to: span.to, anchored, backwards: Math.max(8, across >> 3), usual },
          read,
        ),
      );
      // What only looked like a break stays, unless something fits clearly better.
      if (sound && (!next || next.misfit > stay * 0.85)) {
        canvas.filled.fill(1, broken, place);
        immune = place + 1;
        continue;
      }
      this.damages.push({ stretch: span.stretch, byte, kind: next ? 'moved' : 'lost', key });
      if (!next) return;
      reader.seek(next.bit, next.predictors);
      place = next.place;
      immune = place + (next.bit <= start ? across : 2);
      lastBreak = place;
      this.#steps.restart(place);
    }
    if (anchored && interval === 0) this.#settleEnd(span, place, lastBreak, reader);
  }

  /** A break shows in nearly every MCU for one row, and not from the left border to the right one, as a horizon would. */
  #isBreak(from: number, to: number): boolean {
    const { across } = this.canvas.layout;
    const column = from % across;
    let misfits = 0;
    for (let place = from; place < to; place++) if ((this.#excess[place] ?? 0) > 0) misfits++;
    if (column === 0) return misfits > (to - from) * 0.9 && (this.#excess[from - 1] ?? 0) > 0;
    return misfits > (to - from) * 0.5;
  }

  /** Steps over the border of an interval whose marker was lost: whole bytes, and no drift (ISO/IEC 10918-1, F.2.1.3.1). */
  #cross(reader: McuReader, place: number): void {
    const aligned = Math.ceil(reader.position / 8) * 8;
    let best = aligned;
    let least = Number.POSITIVE_INFINITY;
    for (let skip = 0; skip <= 3; skip++) {
      reader.seek(aligned + skip * 8, []);
      let cost = 0;
      for (let mcu = 0; mcu < Math.min(this.#facts.interval, 6); mcu++) {
        if (!reader.mcu()) {
          cost += 200;
          break;
        }
        cost += this.canvas.keep(Math.min(place + mcu, this.canvas.layout.total - 1), reader);
      }
      if (cost < least) {
        least = cost;
        best = aligned + skip * 8;
      }
    }
    this.canvas.clear(place, Math.min(place + 6, this.canvas.layout.total));
    reader.seek(best, []);
  }

  /** When data is left over or missing at the very end, the last piece was laid at a wrong place, where that did not show: moves it. */
  #settleEnd(span: Span, place: number, from: number, reader: McuReader): void {
    const { canvas } = this;
    let left = 0;
    if (place >= span.to) {
      const ahead = new McuReader(reader.data, this.#facts.plan);
      ahead.seek(reader.position, reader.predictors);
      while (left < canvas.layout.across && !ahead.finished() && ahead.mcu()) left++;
    }
    const shift = place < span.to ? span.to - place : -left;
    if (shift === 0 || Math.abs(shift) >= canvas.layout.across || (shift > 0 && !reader.finished())) return;
    const cut = this.#bestCut(from, Math.min(place, span.to), shift);
    if (cut < 0) return;
    const { components } = canvas.layout;
    const again = new McuReader(reader.data, this.#facts.plan);
    const drift = this.#driftAt(cut, Math.min(place, span.to), shift);
    const predictors = Array.from(
      { length: components },
      (_, index) => (canvas.before[cut * components + index] ?? 0) + (drift[index] ?? 0),
    );
    again.seek(canvas.bit[cut] ?? 0, predictors);
    this.damages.push({ stretch: span.stretch, byte: (canvas.bit[cut] ?? 0) >> 3, kind: 'moved' });
    canvas.clear(Math.min(cut, cut + shift), span.to);
    for (let target = cut + shift; target < span.to && !again.finished(); target++) {
      canvas.note(target, span.stretch, again);
      if (!again.mcu()) break;
      canvas.keep(target, again, this.#version[span.stretch]);
    }
  }

  /**
   * How far brightness and colours, in steps of their DC values, are off behind a cut, by the median of what the first row there differs
   * from the one above it. Small differences are the picture's own.
   */
  #driftAt(cut: number, to: number, shift: number): number[] {
    const { canvas } = this;
    const { layout, edges } = canvas;
    return layout.horizontal.map((columns, component) => {
      const offset = edges.offsets[component] ?? 0;
      const gaps: number[] = [];
      for (let place = cut; place < Math.min(to, cut + layout.across); place++) {
        const above = place + shift - layout.across;
        if (above < 0 || above >= cut || !canvas.filled[above] || !canvas.filled[place]) continue;
        for (let at = offset; at < offset + columns * 8; at += 2)
          gaps.push((edges.bottom[above * edges.width + at] ?? 0) - (edges.top[place * edges.width + at] ?? 0));
      }
      const middle = Int32Array.from(gaps).sort()[gaps.length >> 1] ?? 0;
      if (Math.abs(middle) < leastDrift * quarter) return 0;
      return Math.round((middle * 8) / quarter / (edges.tables[component]?.[0] ?? 1));
    });
  }

  /** The MCU from which on moving everything by `shift` costs least where the pieces meet; -1 when moving nothing is best. */
  #bestCut(from: number, to: number, shift: number): number {
    const { canvas } = this;
    const { across } = canvas.layout;
    const gain = new Float64Array(to + 1);
    const span = across - shift;
    for (let place = Math.max(from, across); place < to; place++) {
      const above = place + shift - across;
      if (above < 0 || above >= place || !canvas.filled[above] || !canvas.filled[place]) continue;
      const now = canvas.fit[place] ?? 0;
      const excess = canvas.excess(
        place + shift < canvas.layout.total ? place + shift : place,
        canvas.edges,
        place,
        false,
      );
      gain[place] = Math.min(60, Math.max(0, excess + canvas.typical * 1.8 + 5)) - Math.min(60, now);
    }
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (let cut = to - 1; cut > Math.max(from, 0); cut--) {
      sum += gain[cut] ?? 0;
      if (cut + span < to) sum -= gain[cut + span] ?? 0;
      if (sum < least && cut + shift > 0) {
        least = sum;
        best = cut;
      }
    }
    return best;
  }
}
