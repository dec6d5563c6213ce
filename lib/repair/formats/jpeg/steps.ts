import type { Canvas } from './canvas';
import { variedAlong } from './changes';
import { type EdgeStore, quarter, side } from './edgestore';

/** How large a step of brightness or colour has to be, and how even, in sample values. */
export type StepLimits = { luma: number; chroma: number; evenness: number; anywhere: boolean };

/** For a picture that is damaged for certain, and for one that nothing else speaks against. */
export const keenSteps: StepLimits = { luma: 4, chroma: 2.5, evenness: 0.9, anywhere: true };
/** For a picture of which only the mean of each block is known yet, so that every slope looks like a step. */
export const coarseSteps: StepLimits = { luma: 24, chroma: 12, evenness: 0.6, anywhere: true };
export const surelySteps: StepLimits = { luma: 11, chroma: 7, evenness: 0.27, anywhere: false };

/**
 * The share of MCUs along a step with texture above and below it where nothing else speaks against a picture: at least, and the one from
 * which on it is no window or bar; with less of it a step has to be the more even.
 */
const textured = { least: 0.15, rich: 0.6, evenness: 0.15 };
/** What the mean step in the row in which it begins and in the one below may be of that of both, where nothing else speaks against a picture. */
const alike = { least: 0.8, most: 1.25 };
/** MCUs at both borders from which on a step is most likely one between two rows of the picture. */
const border = { sure: 3, keen: 1 };

/**
 * Watches for what lost differences leave behind: from some MCU on, for exactly one row, everything is brighter or darker, or of another
 * tint, than what is above, by the same amount. No picture has an edge of that shape by itself unless it begins at the left border.
 */
export class StepWatch {
  readonly #canvas: Canvas;
  readonly #limits: StepLimits;
  /** Running sums and squares by component and place, from the place where watching began. */
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #from = 0;

  constructor(canvas: Canvas, limits: StepLimits) {
    this.#canvas = canvas;
    this.#limits = limits;
    const { total, components } = canvas.layout;
    this.#sums = new Float64Array((total + 1) * components);
    this.#squares = new Float64Array((total + 1) * components);
  }

  /** Begins anew, behind a break. */
  restart(place: number): void {
    this.#from = place;
    const { components } = this.#canvas.layout;
    this.#sums.fill(0, place * components, (place + 1) * components);
    this.#squares.fill(0, place * components, (place + 1) * components);
  }

  /** Takes in the MCU at `place` and returns where a step began that has now lasted for a row; -1 when none has. */
  add(place: number): number {
    const { across, components } = this.#canvas.layout;
    for (let component = 0; component < components; component++) {
      const at = place * components + component;
      const step = Math.max(-40, Math.min(40, this.#step(place, component)));
      this.#sums[at + components] = (this.#sums[at] ?? 0) + step;
      this.#squares[at + components] = (this.#squares[at] ?? 0) + step * step;
    }
    // A little delay shows whether the step was at its clearest, and half a row of it whether it has ended.
    const begin = place - across - (this.#limits.anywhere ? 1 : across >> 1);
    if (across < 8 || begin < Math.max(this.#from, across)) return -1;
    const column = begin % across;
    // At the left border a step is most likely the picture's own, unless what comes before it is out of place too.
    const atBorder = this.#limits.anywhere
      ? column < border.keen
      : column < border.sure || column > across - border.sure;
    const wild = !atBorder || this.#isWild(begin - 1) || (column > 0 && this.#isWild(begin));
    if (!wild && !this.#limits.anywhere) return -1;
    for (let component = 0; component < components; component++)
      if (this.#isStep(begin, component, wild ? this.#limits.evenness : this.#limits.evenness / 4)) return begin;
    return -1;
  }

  #isStep(begin: number, component: number, evenness: number): boolean {
    const { across } = this.#canvas.layout;
    const mean = Math.abs(this.#mean(begin, begin + across, component));
    if (mean < (component === 0 ? this.#limits.luma : this.#limits.chroma)) return false;
    if (mean < Math.abs(this.#mean(begin - 1, begin - 1 + across, component))) return false;
    if (mean < Math.abs(this.#mean(begin + 1, begin + 1 + across, component))) return false;
    const { components } = this.#canvas.layout;
    const squares =
      (this.#squares[(begin + across) * components + component] ?? 0) -
      (this.#squares[begin * components + component] ?? 0);
    const deviation = Math.sqrt(Math.max(0, squares / across - mean * mean));
    if (deviation > mean * evenness) return false;
    if (!this.#limits.anywhere) {
      const behind = Math.abs(this.#mean(begin + across, begin + across + (across >> 1), component));
      const earlier = Math.abs(this.#mean(begin - (across >> 1), begin, component));
      if (begin < across * 2 || behind > mean / 4 || earlier > mean / 4) return false;
      if (!this.#isAlike(begin, component)) return false;
      // Windows and icons have plain edges of that shape.
      const texture = variedAlong(this.#canvas.edges, begin, across);
      if (texture < textured.least || (texture < textured.rich && deviation > mean * textured.evenness)) return false;
    }
    const before = Math.max(this.#from, begin - (across >> 1));
    if (begin - before < across >> 2) return this.#limits.anywhere;
    return Math.abs(this.#mean(before, begin, component)) < mean / 3;
  }

  /** Whether a step is as large in the row in which it begins as in the one below it: two edges of a picture that meet by chance are not. */
  #isAlike(begin: number, component: number): boolean {
    const { across } = this.#canvas.layout;
    const below = begin - (begin % across) + across;
    const mean = this.#mean(begin, begin + across, component);
    const shares = [this.#mean(begin, below, component) / mean, this.#mean(below, begin + across, component) / mean];
    return shares.every(
      (share, part) => (part === 1 && below >= begin + across) || (share >= alike.least && share <= alike.most),
    );
  }

  /** Whether an MCU fits neither under the one above nor, for a picture that may be sound, beside the one before it. */
  #isWild(place: number): boolean {
    const { fit, typical, typicalSide, edges } = this.#canvas;
    if ((fit[place] ?? 0) <= typical * 2 + 8) return false;
    return this.#limits.anywhere || side(edges, place - 1, edges, place) > typicalSide * 2 + 8;
  }

  #mean(from: number, to: number, component: number): number {
    const { components } = this.#canvas.layout;
    const sum = (this.#sums[to * components + component] ?? 0) - (this.#sums[from * components + component] ?? 0);
    return to > from ? sum / (to - from) : 0;
  }

  /** Mean step of one component from the row above to an MCU, in sample values; 0 where there is nothing above. */
  #step(place: number, component: number): number {
    const { edges, layout, filled } = this.#canvas;
    const above = place - layout.across;
    return above < 0 || !filled[above] ? 0 : stepBetween(edges, above, edges, place, component);
  }
}

/** Mean difference of one component between the lower edge of an MCU and the upper edge of one below it, with its sign, in sample values. */
export function stepBetween(
  above: EdgeStore,
  upper: number,
  below: EdgeStore,
  lower: number,
  component: number,
): number {
  const from = above.offsets[component] ?? 0;
  const to = above.offsets[component + 1] ?? above.width;
  let sum = 0;
  for (let at = from; at < to; at++)
    sum += (above.bottom[upper * above.width + at] ?? 0) - (below.top[lower * below.width + at] ?? 0);
  return sum / (to - from) / quarter;
}
