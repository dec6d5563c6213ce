import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { planScan, type ScanPlan } from '../../codecs/jpeg/reader';
import { type Exchange, exchange, isPlain, pieceSizes } from '../../core/exchange';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { Canvas, mostMisfit } from './canvas';
import { EdgeStore, seam, side } from './edgestore';
import { enoughAtError, suspicion } from './filling';
import { isDataSound } from './health';
import { hasScansApart, type JpegParts, readJpegParts } from './markers';
import { keenSteps, StepWatch } from './steps';
import { type Begin, Walk } from './walk';

/** Exchanges that one file is taken to have, effort for finding them and the first of them, in units. */
const mostExchanges = 200;
const searchEffort = 1500;
const firstEffort = 400;
/** Breaks at which no piece belongs after which no more is looked for. */
const mostFailures = 3;
/** Bytes behind the beginning of a piece after which its break may show. */
const late = 1536;
/** Bytes behind where data makes no sense in which the code that does not may end. */
const early = 64;
/** MCUs by which pieces are tried, and the share of them that goes on to the next round, and how many at least. */
const rounds = [
  { mcus: 8, kept: 6 },
  { mcus: 40, kept: 6 },
];
const leastKept = 8;
/** MCUs behind a piece that have to fit, at most and at least. */
const mostTail = 60;
const leastTail = 8;
/** How many times the usual bytes of an MCU some have, and bytes that are read at least. */
const unevenness = 3;
const leastReach = 256;
/** How well a piece has to fit: against what is usual in the picture, and against the second best, where the whole picture proves it and where it does not. */
const fitting = { times: 1.6, levels: 8, proven: 0.9, alone: 0.5 };

/** A file in another order of its pieces, and which were exchanged. */
export type InOrder = { bytes: Buffer; exchanges: Exchange[] };

/** The file as it was before pieces of it changed places: one that was put together in a wrong order. Null where there is none. */
export function undoExchanges(job: EngineJob): InOrder | null {
  const parts = readJpegParts(job.bytes);
  const { frame } = parts;
  if (!frame || frame.marker > 0xc1 || frame.precision !== 8 || hasScansApart(parts) || parts.scanStart < 0)
    return null;
  if (!parts.hasEnd || frame.width * frame.height > job.limits.pixels) return null;
  const search = new OrderSearch(job, parts, frame);
  search.run();
  const { bytes, exchanges } = search;
  if (exchanges.length === 0) return null;
  const isProven = isDataSound({ ...job, bytes }) === true;
  return isProven || search.isSure ? { bytes, exchanges } : null;
}

/** How a piece fits: whether it makes sense, whether as much was read as was to be, and the misfit of its MCUs and of those behind it, in sample values. */
type Fit = { second: number; isFault: boolean; isEnough: boolean; misfit: number; tail: number };

/** How badly a piece has to fit for another to be looked for: so many times what is usual and so many sample values more. */
type Level = { times: number; levels: number };
const levels: readonly Level[] = [
  { times: 1.5, levels: 22 },
  { times: 1.8, levels: 4 },
];

/** The picture as it is read, with the misfit summed up since an MCU. */
type Reading = { walk: Walk; steps: StepWatch; sum: number; since: number };

class OrderSearch {
  readonly bytes: Buffer;
  readonly exchanges: Exchange[] = [];
  /** Whether every exchange is beyond doubt by itself. */
  isSure = true;
  readonly #job: EngineJob;
  readonly #parts: JpegParts;
  readonly #plan: ScanPlan;
  readonly #canvas: Canvas;
  readonly #effort: Effort;
  #first: Effort;
  #sizes = pieceSizes;
  /** The byte of the file, and bit of it, in which each MCU begins. */
  readonly #byte: Float64Array;
  readonly #bit: Uint8Array;
  /** The edges of the last row of MCUs that were read in trial. */
  readonly #row: EdgeStore;

  constructor(job: EngineJob, parts: JpegParts, frame: Frame) {
    const layout = layoutFor(frame);
    this.bytes = Buffer.from(job.bytes);
    this.#job = job;
    this.#parts = parts;
    this.#effort = job.deadline.effort.share(searchEffort);
    this.#first = this.#effort.share(firstEffort);
    this.#plan = planScan(layout, parts.huffman, this.#effort);
    const tables = stepsOf(frame, parts.quantisation);
    this.#canvas = new Canvas(layout, tables);
    this.#row = new EdgeStore(layout, tables, layout.across + 1);
    this.#byte = new Float64Array(layout.total + 1);
    this.#bit = new Uint8Array(layout.total + 1);
  }

  /** Looks for breaks that are plain to see first, and then for such as edges of the picture may be as well. */
  run(): void {
    for (const level of levels) {
      const count = this.exchanges.length;
      this.#walk(level);
      if (this.exchanges.length > count) return;
    }
  }

  /** Reads the picture from its beginning, and puts a piece right wherever it stops to fit. */
  #walk(level: Level): void {
    const { across, total, components } = this.#canvas.layout;
    this.#canvas.clear(0, total);
    const predictors = new Int32Array(components);
    let reading = this.#readFrom({ place: 0, byte: this.#parts.scanStart, bit: 0, predictors });
    let failures = 0;
    for (let immune = 0; ; ) {
      const broken = this.#readOn(reading, immune);
      if (!broken) return;
      const { suspect, last } = broken;
      if (this.exchanges.length === mostExchanges || this.#first.isSpent) return;
      const found = this.#find(suspect, last, level);
      if (typeof found === 'object') {
        exchange(this.bytes, found);
        this.exchanges.push(found);
        reading = this.#readFrom(this.#beginAt(this.#placeAt(found.first, last)));
        continue;
      }
      if (found === 'unknown') failures++;
      if (broken.isFault || failures > mostFailures) return;
      immune = last + across;
    }
  }

  #readFrom(begin: Begin): Reading {
    const { scanEnd, restartInterval } = this.#parts;
    const steps = new StepWatch(this.#canvas, keenSteps);
    steps.restart(begin.place);
    return {
      walk: new Walk(this.bytes, begin, scanEnd, this.#plan, restartInterval),
      steps,
      sum: 0,
      since: begin.place,
    };
  }

  /** Reads on to the next MCU from `immune` on at which the picture stops to fit, or to where data makes no sense; null where it is read to its end. */
  #readOn(reading: Reading, immune: number): { suspect: number; last: number; isFault: boolean } | null {
    const canvas = this.#canvas;
    const { walk, steps } = reading;
    for (let { place } = walk; place < canvas.layout.total; place++) {
      if ((place & 0x3ff) === 0) this.#job.deadline.check();
      let state = walk.enter();
      this.#byte[place] = walk.offset();
      this.#bit[place] = walk.reader.position & 7;
      if (state === 'read') {
        canvas.note(place, 0, walk.reader);
        state = walk.next();
      }
      this.#byte[place + 1] = walk.offset() + (state === 'read' ? 0 : early);
      const { since } = reading;
      if (state !== 'read')
        return { suspect: reading.sum > suspicion * enoughAtError ? since : place, last: place, isFault: true };
      if (reading.sum === 0) reading.since = place;
      reading.sum = Math.max(0, reading.sum + canvas.keep(place, walk.reader));
      const step = this.#parts.restartInterval > 0 ? -1 : steps.add(place);
      const isOut = reading.sum > suspicion;
      const suspect = isOut ? reading.since : step;
      if (isOut) reading.sum = 0;
      if (suspect >= immune) return { suspect, last: place, isFault: false };
    }
    return null;
  }

  #beginAt(place: number): Begin {
    const { before, layout } = this.#canvas;
    return {
      place,
      byte: this.#byte[place] ?? 0,
      bit: this.#bit[place] ?? 0,
      predictors: before.slice(place * layout.components, (place + 1) * layout.components),
    };
  }

  /** The last MCU up to `most` that begins before a byte of the file. */
  #placeAt(byte: number, most: number): number {
    let [low, high] = [0, most];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#byte[middle] ?? 0) < byte && (this.#byte[middle] ?? 0) > 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The exchange with which the picture goes on beyond the piece in which it stops to fit, around an MCU; `none` where all fit, `unknown` where no other does. */
  #find(suspect: number, last: number, level: Level): Exchange | 'none' | 'unknown' {
    const [byte, end] = [this.#byte[suspect] ?? 0, (this.#byte[last + 1] ?? 0) - 1];
    let isTried = false;
    for (const size of this.#sizes) {
      const nearest = Math.floor(end / size) * size;
      for (let first = nearest; first >= this.#parts.scanStart && byte - first < size + late; first -= size) {
        if (first + size > this.bytes.length || isPlain(this.bytes, first, size)) continue;
        const second = this.#second(this.#placeAt(first, last), first, size, level);
        if (second !== 'fits') isTried = true;
        if (second === null || second === 'fits') continue;
        // What moved one piece moved others of its size.
        this.#sizes = [size];
        this.#first = this.#effort;
        return { first, second, size };
      }
    }
    return isTried ? 'unknown' : 'none';
  }

  /** The piece of the file that belongs in the place of another one; null where none fits, and `fits` where that one does. */
  #second(place: number, first: number, size: number, level: Level): number | 'fits' | null {
    const { scanStart, scanEnd } = this.#parts;
    const { across, total } = this.#canvas.layout;
    const begin = this.#beginAt(place);
    const average = (scanEnd - scanStart) / total;
    const tail = Math.max(leastTail, Math.min(mostTail, across >> 1));
    // A piece that belongs there may hold more or less of the picture than others.
    const reach = (mcus: number) => Math.ceil(mcus * average * unevenness) + leastReach;
    const tryOut = (second: number, most: number): Fit => {
      const one = { first, second, size };
      if (second !== first) exchange(this.bytes, one);
      let fit: Fit;
      // Where the picture gets plain or full of detail, MCUs have far fewer or more bytes than elsewhere.
      for (let end = first + (most < total ? reach(most) : size + reach(tail)); ; end += end - first) {
        fit = this.#fit(begin, one, most, tail, Math.min(this.#parts.scanEnd, end));
        if (fit.isEnough || most < total || end >= this.#parts.scanEnd) break;
      }
      if (second !== first) exchange(this.bytes, one);
      return fit;
    };
    const isSound = ({ isFault, isEnough }: Fit) => !isFault && isEnough;
    const now = tryOut(first, total);
    const bad = this.#canvas.typical * level.times + level.levels;
    if (isSound(now) && now.misfit < bad && now.tail < bad) return 'fits';
    let left: number[] = [];
    for (let second = 0; second + size <= this.bytes.length; second += size)
      if (second + size <= this.#parts.scanOffset ? second > 0 : second > first) left.push(second);
    for (const { mcus, kept } of rounds) {
      this.#job.deadline.check();
      const fits = left
        .map((second) => (this.#first.isSpent ? null : tryOut(second, mcus)))
        .filter((fit) => fit !== null);
      const sound = fits.filter(({ isFault }) => !isFault).sort((one, other) => one.misfit - other.misfit);
      left = sound.slice(0, Math.max(leastKept, Math.ceil(sound.length / kept))).map(({ second }) => second);
    }
    const fits = left
      .map((second) => tryOut(second, total))
      .filter(isSound)
      .sort((one, other) => one.misfit - other.misfit);
    const [best, other] = fits;
    if (!best) return null;
    if (isSound(now) && now.misfit < best.misfit) return 'fits';
    const rival = Math.min(other?.misfit ?? mostMisfit, isSound(now) ? now.misfit : mostMisfit);
    const usual = this.#canvas.usualBefore(place) * fitting.times + fitting.levels;
    if (best.misfit > usual || best.tail > usual || best.misfit > rival * fitting.proven) return null;
    if (best.misfit > rival * fitting.alone) this.isSure = false;
    return best.second;
  }

  /** How well `most` MCUs fit from one on, and a few behind an exchanged piece. */
  #fit(begin: Begin, { first, second, size }: Exchange, most: number, tail: number, end: number): Fit {
    const { across, total } = this.#canvas.layout;
    const row = this.#row;
    const rows = across + 1;
    const walk = new Walk(this.bytes, begin, end, this.#plan, this.#parts.restartInterval);
    let [sum, rest, behind] = [0, 0, 0];
    const result = (isFault: boolean): Fit => {
      const count = walk.place - begin.place;
      const isEnough = isFault || behind >= tail || walk.place >= total;
      return { second, isFault, isEnough, misfit: sum / Math.max(1, count), tail: rest / Math.max(1, behind) };
    };
    while (walk.place < total && walk.place - begin.place < most && behind < tail) {
      const { place } = walk;
      const entered = walk.enter();
      const isBehind = entered === 'read' && walk.offset() >= first + size;
      const state = entered === 'read' ? walk.next() : entered;
      if (state !== 'read') return result(state === 'fault' || end === this.#parts.scanEnd);
      row.set(place % rows, walk.reader.coefficients, walk.reader.last);
      const misfit = Math.min(mostMisfit, this.#misfit(place, begin.place));
      sum += misfit;
      if (!isBehind) continue;
      rest += misfit;
      behind++;
    }
    return result(false);
  }

  /** How badly an MCU that is read in trial fits under the one above, or in the first row beside the one before; those from `from` on are read in trial, too. */
  #misfit(place: number, from: number): number {
    const { edges, layout } = this.#canvas;
    const { across } = layout;
    const row = this.#row;
    const number = (at: number) => at % (across + 1);
    const above = place - across;
    if (above >= from) return seam(row, number(above), row, number(place));
    if (above >= 0) return seam(edges, above, row, number(place));
    if (place % across === 0) return 0;
    const before = place - 1;
    return before >= from ? side(row, number(before), row, number(place)) : side(edges, before, row, number(place));
  }
}
