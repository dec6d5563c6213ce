import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { gainsBeside, isTelling } from './borders';
import { type Canvas, excessAbove, mostMisfit } from './canvas';
import { quarter, seam, slopeSeam } from './edgestore';
import type { Damage, Work } from './filling';
import type { Span } from './spans';

/** Smallest step of brightness, in sample values, that is taken for one that lost data made. */
const leastDrift = 3;

/** The end of a span that is known: whether what was read fills it exactly, and what to do if not. */
export class Ending {
  readonly #canvas: Canvas;
  readonly #plan: ScanPlan;
  readonly #damages: Damage[];
  readonly #span: Span;
  readonly #version: number | undefined;

  constructor({ canvas, facts, damages }: Work, span: Span, version: number | undefined) {
    this.#canvas = canvas;
    this.#plan = facts.plan;
    this.#damages = damages;
    this.#span = span;
    this.#version = version;
  }

  /** When data is left over or missing at the very end, the last piece was laid at a wrong place, where that did not show: moves it. */
  settle(place: number, from: number, reader: McuReader): void {
    const canvas = this.#canvas;
    const span = this.#span;
    let left = 0;
    if (place >= span.to) {
      const ahead = new McuReader(reader.data, this.#plan);
      ahead.seek(reader.position, reader.predictors);
      while (left < canvas.layout.across && !ahead.finished() && ahead.mcu()) left++;
    }
    const shift = place < span.to ? span.to - place : -left;
    if (shift === 0 || Math.abs(shift) >= canvas.layout.across || (shift > 0 && !reader.finished())) return;
    const cut = this.#bestCut(from, Math.min(place, span.to), shift);
    if (cut < 0) return;
    const { components } = canvas.layout;
    const again = new McuReader(reader.data, this.#plan);
    const drift = this.#driftAt(cut, Math.min(place, span.to), shift);
    const predictors = Array.from(
      { length: components },
      (_, index) => (canvas.before[cut * components + index] ?? 0) + (drift[index] ?? 0),
    );
    again.seek(canvas.bit[cut] ?? 0, predictors);
    this.#damages.push({ stretch: span.stretch, byte: (canvas.bit[cut] ?? 0) >> 3, kind: 'moved' });
    canvas.clear(Math.min(cut, cut + shift), span.to);
    for (let target = cut + shift; target < span.to && !again.finished(); target++) {
      canvas.note(target, span.stretch, again);
      if (!again.mcu()) break;
      canvas.keep(target, again, this.#version);
    }
  }

  /**
   * How far brightness and colours, in steps of their DC values, are off behind a cut, by the median of what the first row there differs
   * from the one above it. Small differences are the picture's own.
   */
  #driftAt(cut: number, to: number, shift: number): number[] {
    const canvas = this.#canvas;
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

  /**
   * The MCU from which on moving everything by `shift` costs least where the pieces meet; -1 when moving nothing is best. Where brightness has
   * drifted away, slopes are asked as well, which it leaves alone, and of the two the one at which the next row fits better once levelled is right.
   */
  #bestCut(from: number, to: number, shift: number): number {
    const cut = this.#cutBy(this.#aboveGains(from, to, shift), from, to, shift);
    if (!this.#canvas.isAdrift) return cut;
    const other = this.#cutBy(this.#slopeGains(from, to, shift), from, to, shift);
    return other >= 0 && this.#levelledGain(other, to, shift) < this.#levelledGain(cut, to, shift) ? other : cut;
  }

  /** How much worse the row behind a cut fits once it is moved by `shift` and levelled; 0 for no cut. */
  #levelledGain(cut: number, to: number, shift: number): number {
    if (cut < 0) return 0;
    const { layout, edges, filled } = this.#canvas;
    const drift = this.#driftAt(cut, to, shift).map((steps, index) => (steps * (edges.tables[index]?.[0] ?? 1)) / 8);
    let gain = 0;
    for (let place = Math.max(cut, layout.across); place < Math.min(to, cut + layout.across - shift); place++) {
      const above = place + shift - layout.across;
      if (above < 0 || above >= place || !filled[above] || !filled[place]) continue;
      const moved = Math.min(mostMisfit, seam(edges, above, edges, place, drift));
      gain += moved - Math.min(mostMisfit, this.#canvas.fit[place] ?? 0);
    }
    return gain;
  }

  /** By MCU, how much worse its slopes follow those above it once it is moved by `shift`. */
  #slopeGains(from: number, to: number, shift: number): Float64Array {
    const { layout, edges, filled } = this.#canvas;
    const { across } = layout;
    const gain = new Float64Array(to + 1);
    for (let place = Math.max(from, across); place < to; place++) {
      const above = place + shift - across;
      if (above < 0 || above >= place || !filled[above] || !filled[place]) continue;
      gain[place] = slopeSeam(edges, above, place) - slopeSeam(edges, place - across, place);
    }
    return gain;
  }

  /** The cut that gains by what is above each MCU say most, and by the borders of rows where they tell anything. */
  #cutBy(above: Float64Array, from: number, to: number, shift: number): number {
    const canvas = this.#canvas;
    const cut = this.#leastAt(from, to, shift, above, null);
    // What lies before both cuts is where it belongs, whichever is right, and so tells what borders of rows are like.
    const beside = cut < 0 ? null : gainsBeside(canvas, from, to, shift, cut);
    if (!beside) return cut;
    const other = this.#leastAt(from, to, shift, above, beside);
    const sound = other < 0 ? cut : Math.min(cut, other);
    const again = isTelling(canvas, sound) ? gainsBeside(canvas, from, to, shift, sound) : null;
    return again ? this.#leastAt(from, to, shift, above, again) : cut;
  }

  /** By MCU, how much worse it fits under what is above it once it is moved by `shift`. */
  #aboveGains(from: number, to: number, shift: number): Float64Array {
    const canvas = this.#canvas;
    const { across } = canvas.layout;
    const gain = new Float64Array(to + 1);
    for (let place = Math.max(from, across); place < to; place++) {
      const above = place + shift - across;
      if (above < 0 || above >= place || !canvas.filled[above] || !canvas.filled[place]) continue;
      const now = canvas.fit[place] ?? 0;
      const usual = canvas.typical * excessAbove.times + excessAbove.levels;
      const excess = canvas.excess(
        place + shift < canvas.layout.total ? place + shift : place,
        canvas.edges,
        place,
        false,
      );
      gain[place] = Math.min(mostMisfit, Math.max(0, excess + usual)) - Math.min(mostMisfit, now);
    }
    return gain;
  }

  /** The MCU behind which all together gains most, going by `above` for one row and by `beside` to the end; -1 without any gain. */
  #leastAt(from: number, to: number, shift: number, above: Float64Array, beside: Float64Array | null): number {
    const span = this.#canvas.layout.across - shift;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (let cut = to - 1; cut > Math.max(from, 0); cut--) {
      sum += (above[cut] ?? 0) + (beside?.[cut] ?? 0);
      if (cut + span < to) sum -= above[cut + span] ?? 0;
      if (sum < least && cut + shift > 0) {
        least = sum;
        best = cut;
      }
    }
    return best;
  }
}
