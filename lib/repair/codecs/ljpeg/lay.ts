import type { Canvas } from './canvas';
import { sharpest } from './sharpest';

/** Where two halves join: the line from which on the second one stands, how many rows above it the first one ends, and where it begins. */
type Join = { index: number; apart: number; counted: number };

/** Lines whose steps tell what is usual. */
const usualLines = 64;
/** How many times the usual step lines may be off before it is tried whether they go on better elsewhere, and the lines after an edge of the picture for which it is not tried again. */
const timesOff = 1.35;
const untilTried = 24;
/** Lines before the first impossible value in which data may be out of step already. */
const mostLate = 600;
/** How far below the median of all trials the best of them must stay, and what is as good as the best. */
const clearlyLess = 0.85;
const asGood = 0.8;
/** How many times the usual step a line must be off to be out of step for sure. */
const timesBroken = 6;
/** Lines that are skipped behind a break before a place far away is looked for, and how often that is done. */
const behindBreak = 2;
const mostSearches = 2;
/** Samples that are added up before nothing is tried any more but what is counted back from the end. */
const mostWork = 300_000_000;
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
/** Differences for a byte of data that was lost: twice the most that codes of photos come to. Places that are tried at most, and how many of the best are tried again. */
const mostForByte = 2;
const mostPlaces = 40_000;
const triedAgain = 40;

/** Whether it is looked for a place to go on at so many lines behind the last that stands. */
const isTried = (lost: number): boolean => lost < triedEach.first || lost % triedEach.later === 0;

/** Lays stretches of differences into a picture, line by line, each line held against the rows above it. */
export class Layer {
  readonly #canvas: Canvas;
  /** The line behind all that stands, and the steps of the last ones. */
  #next = 0;
  #steps: number[] = [];
  /** The line from which on it is looked again whether lines are in step. */
  #tryAgain = 0;
  /** What was laid last: differences that go on need no new level. */
  #laid: { values: Uint16Array; from: number } | null = null;
  /** The line from which on it was laid so. */
  #since = 0;
  #searches = 0;
  /** Lines that stand, but may be out of step. */
  #doubtful = 0;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /** Samples that nothing was laid at, or that may be out of step. */
  get lost(): number {
    return this.#canvas.missing + this.#doubtful * this.#canvas.rows.line;
  }

  /**
   * Lays differences from the sample `start` on. Where they fall out of step with the rows above they are moved, at last so that they end
   * with the picture, at `counted`, where that is known. `standing` lines hold no impossible value before they are moved.
   */
  lay(values: Uint16Array, start: number, counted: number | null, standing: number): void {
    const { line } = this.#canvas.rows;
    const isOwn = start === 0 && this.#next === 0;
    const isFar = counted !== null && Math.abs(counted) > mostShift;
    const join = isOwn && isFar ? this.#joinOf(values, counted, standing) : null;
    if (join) {
      this.#layHalves(values, join);
      return;
    }
    let from = start;
    let isLevel = isOwn;
    // Data that is out of step comes to impossible values before long.
    if (isOwn) this.#tryAgain = standing - mostLate;
    let lost = 0;
    for (let index = Math.max(this.#next, Math.ceil(from / line)); index < this.#canvas.known.length; index++) {
      if (from + values.length < (index + 1) * line || lost >= mostLost) break;
      if (!isLevel || !this.#isInStep(values, from, index)) {
        const place = isTried(lost) ? this.#placeAt(values, from, index, counted, isLevel) : null;
        // What reads soundly from the beginning on stays where no other place is better.
        isLevel = place !== null || (isLevel && isOwn && from === 0 && index < standing);
        from = place?.from ?? from;
        index = place?.index ?? index;
      }
      lost = isLevel ? 0 : lost + 1;
      if (isLevel) this.#keep(values, from, index);
    }
  }

  /** From which sample on differences go on at a line, or, if they went on up to it, at one a little behind it; null where they do not. */
  #placeAt(
    values: Uint16Array,
    from: number,
    index: number,
    counted: number | null,
    isLevel: boolean,
  ): { from: number; index: number } | null {
    const near = this.#stepFor(values, from, index, counted, isLevel);
    if (near !== null) return { from: near, index };
    const far = isLevel ? this.#widely(values, from, index + behindBreak) : null;
    return far === null ? null : { from: far, index: index + behindBreak };
  }

  /**
   * Lays what stands before the line `join` from the beginning on, and what stands behind it so that it ends with the picture. Behind a line
   * that is far off what is above it, the first half may be out of step by itself, as behind another damage: up to the join it is in doubt.
   */
  #layHalves(values: Uint16Array, { index: join, apart, counted }: Join): void {
    const { line } = this.#canvas.rows;
    let isBroken = false;
    for (let index = 0; index < this.#canvas.known.length; index++) {
      // The lines in which it happened are of both halves, and where in them it was is not known.
      if (index > join - apart && index <= join) continue;
      const from = index < join ? 0 : counted;
      if (from + values.length < (index + 1) * line) break;
      const usual = this.#usual();
      this.#keep(values, from, index);
      if (index > join) continue;
      isBroken ||= usual !== null && (this.#steps.at(-1) ?? 0) > usual * timesBroken + 1;
      if (isBroken) this.#doubtful++;
    }
  }

  /** From which sample on differences go on best at a line, up to a line away from where they were laid; null where no place is clearly best. */
  #widely(values: Uint16Array, from: number, index: number): number | null {
    const { line } = this.#canvas.rows;
    if (++this.#searches > mostSearches || this.#canvas.work > mostWork) return null;
    return this.#bestOf(values, from - line, from + line, index);
  }

  /** The sample of a stretch from which on differences cost least at a line, tried with one line and the best of them with more. */
  #bestOf(values: Uint16Array, from: number, to: number, index: number): number | null {
    const tried: { start: number; cost: number }[] = [];
    for (let start = from; start <= to; start++) {
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

  /** Whether a line goes on from those above it: soon after an edge of the picture only whether its values are possible. */
  #isInStep(values: Uint16Array, from: number, index: number): boolean {
    if (index >= this.#tryAgain) return this.#goesOn(values, from, index);
    this.#canvas.unpackSince(values, from, index, this.#since);
    return this.#canvas.isInside(index);
  }

  /**
   * The line from which on differences that were read in one go lie where they end with the picture, where bytes were lost or added at
   * one place: there lines of both ways go on from each other, and nowhere else. As many lines as are missing there lie between them.
   * Null where no line is clearly it.
   */
  #joinOf(values: Uint16Array, counted: number, standing: number): Join | null {
    const { line, up, slack } = this.#canvas.rows;
    // A line behind the first one with impossible values is out of step already.
    const lines = Math.min(this.#canvas.known.length, standing + mostApart + 2);
    for (let index = 0; index < lines && values.length >= (index + 1) * line; index++)
      this.#canvas.unpackSince(values, 0, index, 0);
    let best: (Join & { share: number }) | null = null;
    for (let apart = 2; apart <= (up > 1 ? mostApart : 2); apart += 2)
      for (let one = counted; one <= counted + slack; one++) {
        const found = this.#sharpest(values, one, apart, lines);
        if (found && found.share < (best?.share ?? 1)) best = found;
      }
    return best;
  }

  /** The line at which both ways go on from each other best, held against what is usual around it. */
  #sharpest(values: Uint16Array, counted: number, apart: number, lines: number): (Join & { share: number }) | null {
    const { line } = this.#canvas.rows;
    const steps: { index: number; step: number }[] = [];
    for (let index = 0; index < lines; index++) {
      const first = index * line - counted;
      if (first < 0 || first + line > values.length) continue;
      const step = this.#canvas.stepBetween(values, first, index, apart);
      if (step !== null) steps.push({ index, step });
    }
    const best = sharpest(steps);
    return best && { ...best, apart, counted };
  }

  /**
   * Lays differences that end with the picture where nothing stands yet, by what stands on the left of it: the last pixel of each line there.
   */
  layBeside(values: Uint16Array, counted: number, edge: Uint16Array): void {
    const { line, components } = this.#canvas.rows;
    const { samples } = this.#canvas;
    const first = Math.ceil(counted / line);
    for (let index = first; index < this.#canvas.known.length; index++)
      this.#canvas.unpack(values, counted, index, index - this.#canvas.rows.up >= first);
    for (let component = 0; component < components; component++) {
      const steps: number[] = [];
      for (let index = first; index < this.#canvas.known.length; index++)
        steps.push(
          (((edge[index * components + component] ?? 0) - (samples[index * line + component] ?? 0)) << 16) >> 16,
        );
      steps.sort((left, right) => left - right);
      const step = steps[steps.length >> 1] ?? 0;
      for (let at = first * line + component; at < samples.length; at += components)
        samples[at] = (samples[at] ?? 0) + step;
    }
    this.#canvas.known.fill(1, first);
  }

  /** Keeps a line that stands. */
  #keep(values: Uint16Array, from: number, index: number): void {
    const isStart = this.#laid?.values !== values || this.#laid.from !== from;
    this.#laid = { values, from };
    if (isStart || this.#canvas.known[index - 1] !== 1) this.#since = index;
    this.#canvas.unpackSince(values, from, index, this.#since);
    const step = this.#canvas.stepOf(index);
    if (step !== null) this.#steps = [...this.#steps.slice(1 - usualLines), step];
    this.#canvas.known[index] = 1;
    this.#next = index + 1;
  }

  /** Whether the next lines go on from those above as lines usually do: single ones may be off, at edges of what the picture shows. */
  #goesOn(values: Uint16Array, from: number, index: number): boolean {
    const usual = this.#usual();
    this.#canvas.unpackSince(values, from, index, this.#since);
    const step = this.#canvas.stepOf(index);
    if (!this.#canvas.isInside(index)) return false;
    if (usual === null || step === null || step <= usual * timesOff + 1) return true;
    const steps = [step];
    for (let next = index + 1; next < Math.min(index + ahead, this.#canvas.known.length); next++) {
      if (from + values.length < (next + 1) * this.#canvas.rows.line) break;
      this.#canvas.unpackSince(values, from, next, this.#since);
      const one = this.#canvas.stepOf(next, index);
      if (!this.#canvas.isInside(next)) return false;
      if (one !== null) steps.push(one);
    }
    steps.sort((left, right) => left - right);
    return (steps[steps.length >> 1] ?? 0) <= usual * timesOff + 1;
  }

  /** From which sample on differences must be laid so that they go on here; null where they cannot. */
  #stepFor(values: Uint16Array, from: number, index: number, counted: number | null, isLevel: boolean): number | null {
    const tried: { start: number; cost: number }[] = [];
    const stays = isLevel ? this.#costOf(values, from, index, ahead) : null;
    for (let shift = -mostShift; shift <= mostShift && this.#canvas.work < mostWork; shift++) {
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
    const { line } = this.#canvas.rows;
    const costs: number[] = [];
    const last = Math.min(index + lines, this.#canvas.known.length);
    if (from > index * line || from + values.length < last * line) return null;
    for (let next = index; next < last; next++) {
      if (!this.#canvas.unpackSince(values, from, next, index) || !this.#canvas.isInside(next)) return null;
      const step = this.#canvas.stepOf(next, index);
      if (step !== null) costs.push(step);
    }
    costs.sort((left, right) => left - right);
    return costs[costs.length >> 1] ?? null;
  }

  #usual(): number | null {
    if (this.#steps.length < ahead) return null;
    return [...this.#steps].sort((left, right) => left - right)[this.#steps.length >> 1] ?? null;
  }

  /** Where a stretch behind a gap of so many bytes goes on best from the rows above; null where no place is clearly better than others. */
  placeFor(values: Uint16Array, gap: number): number | null {
    const { line } = this.#canvas.rows;
    const first = this.#next * line;
    const most = gap * mostForByte + line;
    const index = Math.ceil((first + most) / line);
    if (most > mostPlaces || index >= this.#canvas.known.length) return null;
    return this.#bestOf(values, first, first + most, index);
  }
}
