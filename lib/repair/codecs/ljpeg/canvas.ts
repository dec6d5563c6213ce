import type { Places } from './places';

/** How samples follow each other: so many to a line, of so many components in turn, the largest of which is `most`. */
export type Rows = {
  line: number;
  components: number;
  most: number;
  /** From how many lines above the first pixel of a line follows, and what those of the first lines follow from. */
  up: number;
  first: readonly number[];
  /** Differences that may be read behind the last one, from the bits that fill its byte up. */
  slack: number;
};

/** Share of a line that may hold impossible values, where its level is a little off. */
const mostOutside = 1 / 200;
/** Rows above, of the same filters, in which a known neighbour is looked for. */
const rowsAbove = 40;
/** Samples of a line that are compared, about. */
const compared = 500;

/** A picture that differences are added up in, line by line, and which of its lines are known to stand. */
export class Canvas {
  readonly samples: Uint16Array;
  /** A one for each line that stands. */
  readonly known: Uint8Array;
  readonly rows: Rows;
  readonly #places: Places;
  /** Each so many samples one is compared: an odd number, so that all components are. */
  readonly #every: number;
  /** Samples that were added up, in trial or not. */
  work = 0;

  constructor(rows: Rows, samples: Uint16Array, places: Places) {
    this.rows = rows;
    this.samples = samples;
    this.known = new Uint8Array(samples.length / rows.line);
    this.#places = places;
    this.#every = Math.floor(rows.line / compared / 2) * 2 + 1;
  }

  /** Samples that nothing was laid at. */
  get missing(): number {
    return this.known.reduce((sum, one) => sum + 1 - one, 0) * this.rows.line;
  }

  /** How far a line, whatever its level, is from what was laid so many rows above it. */
  stepBetween(values: Uint16Array, first: number, index: number, apart: number): number | null {
    const { line, components } = this.rows;
    const sums = new Float64Array(components);
    const off: number[][] = Array.from({ length: components }, () => []);
    for (let step = 0; step < line; step++) {
      const component = step % components;
      if (step >= components) sums[component] = (sums[component] ?? 0) + (((values[first + step] ?? 0) << 16) >> 16);
      const above = this.#places.above(index * line + step, apart);
      if (step % this.#every >= components || above < 0 || above >= index * line) continue;
      off[component]?.push((sums[component] ?? 0) - (this.samples[above] ?? 0));
    }
    let sum = 0;
    let count = 0;
    for (const each of off) {
      const mean = each.reduce((all, one) => all + one, 0) / Math.max(1, each.length);
      for (const one of each) sum += Math.abs(one - mean);
      count += each.length;
    }
    return count * this.#every > line ? sum / count : null;
  }

  /** Adds the differences of a line up that was laid as those from the line `since` on; false where nothing above tells its level. */
  unpackSince(values: Uint16Array, from: number, index: number, since: number): boolean {
    const goesOn = index - this.rows.up >= since;
    this.unpack(values, from, index, goesOn);
    return goesOn || (since === 0 && from === 0) || this.#level(index);
  }

  /** Adds the differences of a line up, from the first pixel of a line above or from what those of the first lines follow from. */
  unpack(values: Uint16Array, from: number, index: number, goesOn: boolean): void {
    const { line, components, up, first } = this.rows;
    this.work += line;
    const { samples } = this;
    const begin = index * line;
    for (let at = begin; at < begin + line; at++) {
      const isFirst = at < begin + components;
      const before = isFirst
        ? goesOn
          ? (samples[at - up * line] ?? 0)
          : (first[(index % up) * components + at - begin] ?? 0)
        : (samples[at - components] ?? 0);
      samples[at] = before + (values[at - from] ?? 0);
    }
  }

  /** Whether all samples of a line are possible ones; a few may be, next to what was made up, a little off. */
  isInside(index: number): boolean {
    const { line, most } = this.rows;
    let outside = 0;
    for (let at = index * line; at < (index + 1) * line; at++) if ((this.samples[at] ?? 0) > most) outside++;
    return outside < line * mostOutside;
  }

  /** Raises or lowers a line so that each of its components goes on from what stands above; false where nothing does. */
  #level(index: number): boolean {
    const { line, components } = this.rows;
    const { samples } = this;
    for (let component = 0; component < components; component++) {
      const steps: number[] = [];
      for (let at = index * line + component; at < (index + 1) * line; at += components * this.#every) {
        const above = this.#knownAbove(at);
        if (above >= 0) steps.push((((samples[above] ?? 0) - (samples[at] ?? 0)) << 16) >> 16);
      }
      if (steps.length === 0) return false;
      steps.sort((left, right) => left - right);
      const step = steps[steps.length >> 1] ?? 0;
      for (let at = index * line + component; at < (index + 1) * line; at += components)
        samples[at] = (samples[at] ?? 0) + step;
    }
    return true;
  }

  /** The mean step of a line from what is known above it, or was laid in trial from the line `trial` on; null where too little is. */
  stepOf(index: number, trial = index): number | null {
    const { line } = this.rows;
    const { samples } = this;
    const every = this.#every;
    let sum = 0;
    let count = 0;
    for (let at = index * line + (index % every); at < (index + 1) * line; at += every) {
      let above = this.#places.above(at, 2);
      if (above < 0) continue;
      if (above < trial * line && !this.#isKnown(above)) above = this.#knownAbove(at);
      if (above < 0) continue;
      sum += Math.abs((samples[at] ?? 0) - (samples[above] ?? 0));
      count++;
    }
    return count * every * 4 > line ? sum / count : null;
  }

  #isKnown = (at: number): boolean => this.known[Math.floor(at / this.rows.line)] === 1;

  /** The nearest known sample of the same filter above, or on the left; -1 without one. */
  #knownAbove(at: number): number {
    for (let rows = 2; rows <= rowsAbove; rows += 2) {
      const above = this.#places.above(at, rows);
      if (above < 0) break;
      if (this.#isKnown(above)) return above;
    }
    const left = this.#places.left(at, 2);
    return left >= 0 && this.#isKnown(left) ? left : -1;
  }

  /** Fills what is missing from the row of the same filters above, or with what is darkest. */
  fill(): void {
    const { samples } = this;
    const { line } = this.rows;
    let dark = this.rows.most;
    for (let at = 0; at < samples.length; at += 31) if (this.#isKnown(at)) dark = Math.min(dark, samples[at] ?? 0);
    for (let index = 0; index < this.known.length; index++) {
      if (this.known[index] === 1) continue;
      for (let at = index * line; at < (index + 1) * line; at++) {
        const above = this.#knownAbove(at);
        samples[at] = above >= 0 ? (samples[above] ?? 0) : dark;
      }
    }
    const { most } = this.rows;
    for (let at = 0; at < samples.length; at++)
      if ((samples[at] ?? 0) > most) samples[at] = (samples[at] ?? 0) > 0x7fff && most < 0x7fff ? 0 : most;
  }
}
