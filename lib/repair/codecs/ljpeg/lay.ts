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

/** Where two halves join: the line from which on the second one stands, how many rows above it the first one ends, and where it begins. */
type Join = { index: number; apart: number; counted: number };

/** Lines whose steps tell what is usual. */
const usualLines = 64;
/** How many times the usual step lines may be off before it is tried whether they go on better elsewhere, and the lines after an edge of the picture for which it is not tried again. */
const timesOff = 1.35;
const untilTried = 24;
/** How far below the median of all trials the best of them must stay, and what is as good as the best. */
const clearlyLess = 0.85;
const asGood = 0.8;
/** Lines on each side that a line is held against where two halves join, and the share of their usual step that it must stay below. */
const beside = 16;
const sharply = 0.6;
/** Rows that may be missing between two halves. */
const mostApart = 8;
/** Lines that are looked at together before data counts as out of step. */
const ahead = 6;
/** Samples by which data is moved in trial: what one wrong bit adds or takes away before codes are in step again. */
const mostShift = 24;
/** Lines in a row without a place to go on at, after which the rest of a stretch is given up. */
const mostLost = 128;
/** Lines that are tried one by one; later only each so many. */
const triedEach = { first: 4, later: 4 };
/** Share of a line that may hold impossible values, where its level is a little off. */
const mostOutside = 1 / 200;
/** Rows above, of the same filters, in which a known neighbour is looked for. */
const rowsAbove = 40;
/** Samples of a line that are compared, about. */
const compared = 500;
/** Differences for a byte of data that was lost: twice the most that codes of photos come to. Places that are tried at most, and how many of the best are tried again. */
const mostForByte = 2;
const mostPlaces = 40_000;
const triedAgain = 40;

/** Whether it is looked for a place to go on at so many lines behind the last that stands. */
const isTried = (lost: number): boolean => lost < triedEach.first || lost % triedEach.later === 0;

/** Lays stretches of differences into a picture, line by line, each line held against the rows above it. */
export class Layer {
  readonly samples: Uint16Array;
  readonly #known: Uint8Array;
  readonly #rows: Rows;
  readonly #places: Places;
  /** Each so many samples one is compared: an odd number, so that all components are. */
  readonly #every: number;
  /** The line behind all that stands, and the steps of the last ones. */
  #next = 0;
  #steps: number[] = [];
  /** The line from which on it is looked again whether lines are in step. */
  #tryAgain = 0;
  /** What was laid last: differences that go on need no new level. */
  #laid: { values: Uint16Array; from: number } | null = null;
  /** The line from which on it was laid so. */
  #since = 0;

  constructor(rows: Rows, samples: Uint16Array, places: Places) {
    this.#rows = rows;
    this.samples = samples;
    this.#known = new Uint8Array(samples.length / rows.line);
    this.#places = places;
    this.#every = Math.floor(rows.line / compared / 2) * 2 + 1;
  }

  /** Samples that nothing was laid at. */
  get missing(): number {
    return this.#known.reduce((sum, one) => sum + 1 - one, 0) * this.#rows.line;
  }

  /**
   * Lays differences from the sample `start` on. Where they fall out of step with the rows above they are moved, at last so that they end
   * with the picture, at `counted`, where that is known. `standing` lines hold no impossible value before they are moved.
   */
  lay(values: Uint16Array, start: number, counted: number | null, standing: number): void {
    const { line } = this.#rows;
    const isOwn = start === 0 && this.#next === 0;
    const isFar = counted !== null && Math.abs(counted) > mostShift;
    const join = isOwn && isFar ? this.#joinOf(values, counted, standing) : null;
    if (join) {
      this.#layHalves(values, join);
      return;
    }
    let from = start;
    let isLevel = isOwn;
    let lost = 0;
    for (let index = Math.max(this.#next, Math.ceil(from / line)); index < this.#known.length; index++) {
      if (from + values.length < (index + 1) * line || lost >= mostLost) break;
      if (!isLevel || !this.#isInStep(values, from, index)) {
        // What reads soundly from the beginning on stays where no other place is better.
        const stays = isLevel && isOwn && from === 0 && index < standing;
        const moved = isTried(lost) ? this.#stepFor(values, from, index, counted, isLevel) : null;
        isLevel = moved !== null || (stays && isTried(lost));
        from = moved ?? from;
      }
      lost = isLevel ? 0 : lost + 1;
      if (isLevel) this.#keep(values, from, index);
    }
  }

  /** Lays what stands before the line `join` from the beginning on, and what stands behind it so that it ends with the picture. */
  #layHalves(values: Uint16Array, { index: join, apart, counted }: Join): void {
    const { line } = this.#rows;
    for (let index = 0; index < this.#known.length; index++) {
      // The lines in which it happened are of both halves, and where in them it was is not known.
      if (index > join - apart && index <= join) continue;
      const from = index < join ? 0 : counted;
      if (from + values.length < (index + 1) * line) break;
      this.#keep(values, from, index);
    }
  }

  /** Whether a line goes on from those above it: soon after an edge of the picture only whether its values are possible. */
  #isInStep(values: Uint16Array, from: number, index: number): boolean {
    if (index >= this.#tryAgain && !this.#goesOn(values, from, index)) return false;
    return this.#fits(values, from, index);
  }

  /** Whether a line that goes on from the one above holds no impossible values. */
  #fits(values: Uint16Array, from: number, index: number): boolean {
    this.#unpackSince(values, from, index, this.#since);
    return this.#isInside(index);
  }

  /**
   * The line from which on differences that were read in one go lie where they end with the picture, where bytes were lost or added at
   * one place: there lines of both ways go on from each other, and nowhere else. As many lines as are missing there lie between them.
   * Null where no line is clearly it.
   */
  #joinOf(values: Uint16Array, counted: number, standing: number): Join | null {
    const { line, up, slack } = this.#rows;
    // A line behind the first one with impossible values is out of step already.
    const lines = Math.min(this.#known.length, standing + mostApart + 2);
    for (let index = 0; index < lines && values.length >= (index + 1) * line; index++)
      this.#unpackSince(values, 0, index, 0);
    let best: (Join & { share: number }) | null = null;
    for (let apart = 2; apart <= (up > 1 ? mostApart : 2); apart += 2)
      for (let one = counted; one <= counted + slack; one++) {
        const found = this.#sharpest(values, one, apart, lines);
        if (found && found.share < (best?.share ?? sharply)) best = found;
      }
    return best;
  }

  /** The line at which both ways go on from each other best, held against what is usual around it. */
  #sharpest(values: Uint16Array, counted: number, apart: number, lines: number): (Join & { share: number }) | null {
    const { line } = this.#rows;
    const steps: { index: number; step: number }[] = [];
    for (let index = 0; index < lines; index++) {
      const first = index * line - counted;
      if (first < 0 || first + line > values.length) continue;
      const step = this.#stepBetween(values, first, index, apart);
      if (step !== null) steps.push({ index, step });
    }
    let best = { index: 0, share: sharply };
    for (const [place, { index, step }] of steps.entries()) {
      const near = steps
        .slice(Math.max(0, place - beside), place + beside + 1)
        .map((one) => one.step)
        .sort((left, right) => left - right);
      const share = step / Math.max(1, near[near.length >> 1] ?? 1);
      if (share < best.share) best = { index, share };
    }
    return best.index > 0 ? { ...best, apart, counted } : null;
  }

  /** How far a line, whatever its level, is from what was laid so many rows above it. */
  #stepBetween(values: Uint16Array, first: number, index: number, apart: number): number | null {
    const { line, components } = this.#rows;
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

  /**
   * Lays differences that end with the picture where nothing stands yet, by what stands on the left of it: the last pixel of each line there.
   */
  layBeside(values: Uint16Array, counted: number, edge: Uint16Array): void {
    const { line, components } = this.#rows;
    const { samples } = this;
    const first = Math.ceil(counted / line);
    for (let index = first; index < this.#known.length; index++)
      this.#unpack(values, counted, index, index - this.#rows.up >= first);
    for (let component = 0; component < components; component++) {
      const steps: number[] = [];
      for (let index = first; index < this.#known.length; index++)
        steps.push(
          (((edge[index * components + component] ?? 0) - (samples[index * line + component] ?? 0)) << 16) >> 16,
        );
      steps.sort((left, right) => left - right);
      const step = steps[steps.length >> 1] ?? 0;
      for (let at = first * line + component; at < samples.length; at += components)
        samples[at] = (samples[at] ?? 0) + step;
    }
    this.#known.fill(1, first);
  }

  /** Keeps a line that stands. */
  #keep(values: Uint16Array, from: number, index: number): void {
    const isStart = this.#laid?.values !== values || this.#laid.from !== from;
    this.#laid = { values, from };
    if (isStart || this.#known[index - 1] !== 1) this.#since = index;
    this.#unpackSince(values, from, index, this.#since);
    const step = this.#stepOf(index);
    if (step !== null) this.#steps = [...this.#steps.slice(1 - usualLines), step];
    this.#known[index] = 1;
    this.#next = index + 1;
  }

  /** Whether the next lines go on from those above as lines usually do: single ones may be off, at edges of what the picture shows. */
  #goesOn(values: Uint16Array, from: number, index: number): boolean {
    const usual = this.#usual();
    this.#unpackSince(values, from, index, this.#since);
    const step = this.#stepOf(index);
    if (!this.#isInside(index)) return false;
    if (usual === null || step === null || step <= usual * timesOff + 1) return true;
    const steps = [step];
    for (let next = index + 1; next < Math.min(index + ahead, this.#known.length); next++) {
      if (from + values.length < (next + 1) * this.#rows.line) break;
      this.#unpackSince(values, from, next, this.#since);
      const one = this.#stepOf(next, index);
      if (!this.#isInside(next)) return false;
      if (one !== null) steps.push(one);
    }
    steps.sort((left, right) => left - right);
    return (steps[steps.length >> 1] ?? 0) <= usual * timesOff + 1;
  }

  /** From which sample on differences must be laid so that they go on here; null where they cannot. */
  #stepFor(values: Uint16Array, from: number, index: number, counted: number | null, isLevel: boolean): number | null {
    const tried: { start: number; cost: number }[] = [];
    const stays = isLevel ? this.#costOf(values, from, index, ahead) : null;
    for (let shift = -mostShift; shift <= mostShift; shift++) {
      const cost = this.#costOf(values, from + shift, index, ahead);
      if (cost !== null) tried.push({ start: from + shift, cost });
    }
    const byCount = counted === null ? null : this.#costOf(values, counted, index, ahead);
    if (counted !== null && byCount !== null) tried.push({ start: counted, cost: byCount });
    tried.sort((left, right) => left.cost - right.cost);
    const [best] = tried;
    if (!best) return null;
    // An edge of the picture is one whatever is moved.
    if (stays !== null && stays * asGood <= best.cost + 1) {
      this.#tryAgain = index + untilTried;
      return from;
    }
    // Where nothing is told apart, as in the dark or in a clear sky, only what is counted back from the end is more than a guess.
    const median = tried[tried.length >> 1]?.cost ?? 0;
    const isClear = best.cost <= median * clearlyLess;
    if (counted !== null && byCount !== null && (isClear ? byCount * asGood <= best.cost + 1 : byCount <= median + 1))
      return counted;
    return isClear ? best.start : null;
  }

  /** The median step of the next lines if differences are laid from a sample on; null where they do not reach, or come to impossible values. */
  #costOf(values: Uint16Array, from: number, index: number, lines: number): number | null {
    const { line } = this.#rows;
    const costs: number[] = [];
    const last = Math.min(index + lines, this.#known.length);
    if (from > index * line || from + values.length < last * line) return null;
    for (let next = index; next < last; next++) {
      if (!this.#unpackSince(values, from, next, index) || !this.#isInside(next)) return null;
      const step = this.#stepOf(next, index);
      if (step !== null) costs.push(step);
    }
    costs.sort((left, right) => left - right);
    return costs[costs.length >> 1] ?? null;
  }

  #usual(): number | null {
    if (this.#steps.length < ahead) return null;
    return [...this.#steps].sort((left, right) => left - right)[this.#steps.length >> 1] ?? null;
  }

  /** Adds the differences of a line up that was laid as those from the line `since` on; false where nothing above tells its level. */
  #unpackSince(values: Uint16Array, from: number, index: number, since: number): boolean {
    const goesOn = index - this.#rows.up >= since;
    this.#unpack(values, from, index, goesOn);
    return goesOn || (since === 0 && from === 0) || this.#level(index);
  }

  /** Adds the differences of a line up, from the first pixel of a line above or from what those of the first lines follow from. */
  #unpack(values: Uint16Array, from: number, index: number, goesOn: boolean): void {
    const { line, components, up, first } = this.#rows;
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
  #isInside(index: number): boolean {
    const { line, most } = this.#rows;
    let outside = 0;
    for (let at = index * line; at < (index + 1) * line; at++) if ((this.samples[at] ?? 0) > most) outside++;
    return outside < line * mostOutside;
  }

  /** Raises or lowers a line so that each of its components goes on from what stands above; false where nothing does. */
  #level(index: number): boolean {
    const { line, components } = this.#rows;
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
  #stepOf(index: number, trial = index): number | null {
    const { line } = this.#rows;
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

  #isKnown = (at: number): boolean => this.#known[Math.floor(at / this.#rows.line)] === 1;

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

  /** Where a stretch behind a gap of so many bytes goes on best from the rows above; null where no place is clearly better than others. */
  placeFor(values: Uint16Array, gap: number): number | null {
    const { line } = this.#rows;
    const first = this.#next * line;
    const most = gap * mostForByte + line;
    const index = Math.ceil((first + most) / line);
    if (most > mostPlaces || index >= this.#known.length) return null;
    const tried: { start: number; cost: number }[] = [];
    for (let start = first; start <= first + most; start++) {
      const cost = this.#costOf(values, start, index, 1);
      if (cost !== null) tried.push({ start, cost });
    }
    tried.sort((left, right) => left.cost - right.cost);
    const median = tried[tried.length >> 1]?.cost ?? 0;
    let best: { start: number; cost: number } | null = null;
    for (const { start } of tried.slice(0, triedAgain)) {
      const cost = this.#costOf(values, start, index, ahead);
      if (cost !== null && cost < (best?.cost ?? median * clearlyLess)) best = { start, cost };
    }
    return best?.start ?? null;
  }

  /** Fills what is missing from the row of the same filters above, or with what is darkest. */
  fill(): void {
    const { samples } = this;
    const { line } = this.#rows;
    let dark = this.#rows.most;
    for (let at = 0; at < samples.length; at += 31) if (this.#isKnown(at)) dark = Math.min(dark, samples[at] ?? 0);
    for (let index = 0; index < this.#known.length; index++) {
      if (this.#known[index] === 1) continue;
      for (let at = index * line; at < (index + 1) * line; at++) {
        const above = this.#knownAbove(at);
        samples[at] = above >= 0 ? (samples[above] ?? 0) : dark;
      }
    }
    const { most } = this.#rows;
    for (let at = 0; at < samples.length; at++)
      if ((samples[at] ?? 0) > most) samples[at] = (samples[at] ?? 0) > 0x7fff && most < 0x7fff ? 0 : most;
  }
}
