import type { Layout } from '../../codecs/jpeg/layout';
import type { McuReader } from '../../codecs/jpeg/reader';
import { EdgeStore, quarter, seam, side } from './edgestore';

/** The misfit of one MCU as it counts at most, in sample values, so that one that is far off does not outweigh a row. */
export const mostMisfit = 60;
/** Misfit of the third quarter of MCUs, in sample values, from which on edges of drawings and screens are all over a picture: photos have 2 to 12. */
export const hardEdged = 13;
/** The share of MCUs that do not join without any misfit at most in pages and screens: they have 27 to 47 %, photos 72 to 98 %. */
export const mostRough = 0.6;
/** What is usual before anything was seen, in sample values. */
const firstUsual = 6;
/** MCUs over which what is usual is averaged. */
const remembered = 48;
/** Excess begins above so many times what is usual and so many levels more: under the MCU above, and beside the one before, which tells less. */
export const excessAbove = { times: 1.8, levels: 5 };
const excessBeside = { times: 2.5, levels: 10 };
/** The share of its neighbours' misfit that an MCU may have as well, up to so many times what is usual. */
const likeNeighbours = { share: 0.8, times: 4 };
/** MCUs of a row that must have a misfit for it to say what is usual there. */
const leastUsual = 4;

/** Change along a border, in sample values from one to the next, at which a misfit counts half. */
const calm = 4;

/** Furthest that the mean of a block's samples lies from the middle of their range. */
const mostLevel = 128;
/** MCUs that no encoder writes from which on brightness has drifted away; programs that sharpen beyond white may write a few. */
const leastAdrift = 12;

/** Mean change from one sample to the next along an edge, in sample values. */
function activity(edge: Int16Array, at: number, length: number): number {
  let sum = 0;
  for (let place = at + 1; place < at + length; place++)
    sum += Math.min(512, Math.abs((edge[place] ?? 0) - (edge[place - 1] ?? 0)));
  return sum / length / quarter;
}

/** What is known of every MCU of the picture: its edges, and where in which stretch it was read from, so that it can be read again. */
export class Canvas {
  readonly layout: Layout;
  readonly edges: EdgeStore;
  readonly filled: Uint8Array;
  /** Stretch, first bit and predictors of each MCU's data. */
  readonly stretch: Int32Array;
  readonly bit: Uint32Array;
  readonly before: Int16Array;
  /** Where each MCU ends, its last DC values, and which version of its stretch it was read from; 0 where that is not known. */
  readonly after: Uint32Array;
  readonly sums: Int16Array;
  readonly version: Uint32Array;
  /** How badly each MCU fits to the one above, in sample values; 0 where there is none. */
  readonly fit: Float32Array;
  /** A running mean of `fit` over MCUs that fit. */
  typical = firstUsual;
  typicalSide = firstUsual;

  constructor(layout: Layout, tables: readonly Uint16Array[]) {
    const { total } = layout;
    this.layout = layout;
    this.edges = new EdgeStore(layout, tables, total);
    this.filled = new Uint8Array(total);
    this.stretch = new Int32Array(total);
    this.bit = new Uint32Array(total);
    this.before = new Int16Array(total * layout.components);
    this.after = new Uint32Array(total);
    this.sums = new Int16Array(total * layout.components);
    this.version = new Uint32Array(total);
    this.fit = new Float32Array(total);
  }

  /** The first MCU that begins at a byte of a stretch or behind it; such as were not read are passed over. The number of MCUs where there is none. */
  firstAt({ stretch, byte }: { stretch: number; byte: number }): number {
    const { total } = this.layout;
    for (let place = 0; place < total; place++) {
      if (this.filled[place] === 0) continue;
      const ahead = (this.stretch[place] ?? 0) - stretch;
      if (ahead > 0 || (ahead === 0 && (this.bit[place] ?? 0) >>> 3 >= byte)) return place;
    }
    return total;
  }

  /** Notes where the MCU that the reader reads next begins. */
  note(place: number, stretch: number, reader: McuReader): void {
    this.stretch[place] = stretch;
    this.bit[place] = reader.position;
    this.version[place] = 0;
    for (let index = 0; index < reader.predictors.length; index++)
      this.before[place * reader.predictors.length + index] = reader.predictors[index] ?? 0;
  }

  /**
   * Keeps the MCU just read, from a version of its stretch, and returns how much worse than usual it fits to its neighbours: below 0 when it
   * fits, in sample values.
   */
  keep(place: number, reader: McuReader, version = 0): number {
    this.edges.set(place, reader.coefficients, reader.last);
    const { predictors } = reader;
    for (let index = 0; index < predictors.length; index++)
      this.sums[place * predictors.length + index] = predictors[index] ?? 0;
    return this.#kept(place, reader.position, version);
  }

  /** Takes the MCU noted at `place` over from another canvas that has the same one there, and lets the reader step over it; null when it has not. */
  recall(place: number, other: Canvas, reader: McuReader, version: number): number | null {
    if (other.version[place] !== version || other.bit[place] !== reader.position) return null;
    if (other.stretch[place] !== this.stretch[place]) return null;
    const { components } = this.layout;
    for (let at = place * components; at < (place + 1) * components; at++)
      if (other.before[at] !== this.before[at]) return null;
    this.edges.copy(place, other.edges, place);
    for (let at = place * components; at < (place + 1) * components; at++) this.sums[at] = other.sums[at] ?? 0;
    reader.seek(other.after[place] ?? 0, this.sums, place * components);
    return this.#kept(place, reader.position, version);
  }

  #kept(place: number, after: number, version: number): number {
    this.after[place] = after;
    this.version[place] = version;
    this.filled[place] = 1;
    return this.excess(place, this.edges, place, true);
  }

  /** The excess of an MCU of any store if it lay at `place`; with `learn` the usual misfit follows what fits. */
  excess(place: number, store: EdgeStore, number: number, learn: boolean): number {
    const { across } = this.layout;
    const upper = place - across;
    const beside = place % across > 0 && this.filled[place - 1] === 1;
    if (upper >= 0 && this.filled[upper]) {
      const misfit = seam(this.edges, upper, store, number);
      const near = Math.max(this.fit[upper] ?? 0, this.fit[upper + 1] ?? 0, upper > 0 ? (this.fit[upper - 1] ?? 0) : 0);
      const usual = Math.max(this.typical, Math.min(near * likeNeighbours.share, this.typical * likeNeighbours.times));
      const excess = Math.min(misfit, mostMisfit) - usual * excessAbove.times - excessAbove.levels;
      if (learn) {
        this.fit[place] = misfit;
        // What fits badly is learned from too, in steps so small that one row of it cannot pass for usual: some parts of a picture are
        // rougher than others.
        this.typical +=
          (Math.min(misfit, this.typical * 2) - this.typical) /
          (misfit > this.typical ? Math.max(remembered, across) : remembered);
      }
      return excess;
    }
    if (learn) this.fit[place] = 0;
    if (!beside) return -1;
    const misfit = side(this.edges, place - 1, store, number);
    if (learn && misfit < this.typicalSide * 3) this.typicalSide += (misfit - this.typicalSide) / remembered;
    return Math.min(misfit, mostMisfit) - this.typicalSide * excessBeside.times - excessBeside.levels;
  }

  /** The misfit that is usual in the row before `place`, and at least in the picture so far. */
  usualBefore(place: number): number {
    let sum = 0;
    let count = 0;
    for (let before = Math.max(0, place - this.layout.across); before < place; before++) {
      if (!this.filled[before] || (this.fit[before] ?? 0) === 0) continue;
      sum += Math.min(mostMisfit, this.fit[before] ?? 0);
      count++;
    }
    return Math.max(this.typical, count > leastUsual ? sum / count : 0);
  }

  /** Mean misfit of MCUs, none above `mostMisfit`. */
  meanFit(from: number, to: number): number {
    let sum = 0;
    for (let place = from; place < to; place++) sum += Math.min(mostMisfit, this.fit[place] ?? 0);
    return to > from ? sum / (to - from) : 0;
  }

  /**
   * How badly MCUs fit together, in sample values, a border counting less the more changes along it: as a mean over all borders, and
   * summed over those that another canvas has too.
   */
  disorder(other: Canvas): { mean: number; common: number } {
    const { edges, layout } = this;
    const { across, total } = layout;
    const width = (layout.horizontal[0] ?? 1) * 8;
    let [sum, weights, common] = [0, 0, 0];
    const add = (misfit: number, activity: number, isCommon: boolean) => {
      const weight = calm / (calm + activity);
      sum += Math.min(mostMisfit, misfit) * weight;
      weights += weight;
      if (isCommon) common += Math.min(mostMisfit, misfit) * weight;
    };
    for (let place = 0; place < total; place++) {
      if (!this.filled[place]) continue;
      const isBoth = other.filled[place] === 1;
      const upper = place - across;
      if (upper >= 0 && this.filled[upper]) {
        const along =
          activity(edges.bottom, upper * edges.width, width) + activity(edges.top, place * edges.width, width);
        add(seam(edges, upper, edges, place), along / 2, isBoth && other.filled[upper] === 1);
      }
      if (place % across > 0 && this.filled[place - 1]) {
        const along =
          activity(edges.right, (place - 1) * edges.tall, edges.tall) +
          activity(edges.left, place * edges.tall, edges.tall);
        add(side(edges, place - 1, edges, place), along / 2, isBoth && other.filled[place - 1] === 1);
      }
    }
    return { mean: weights > 0 ? sum / weights : 0, common };
  }

  /** The misfit that a share of the MCUs before `to` stays below, of those that lie under another one. */
  misfitOf(share: number, to: number): number {
    const misfits = this.fit.filter((misfit, place) => place < to && this.filled[place] === 1 && misfit > 0).sort();
    return misfits[Math.floor(misfits.length * share)] ?? 0;
  }

  /** The share of the MCUs before `to` that do not join the one above without any misfit. */
  roughness(to: number): number {
    return this.fit.subarray(0, to).filter((misfit) => misfit > 0).length / Math.max(1, to);
  }

  /**
   * MCUs, marked with 1, of which a component is, on average, darker or lighter than samples of eight bits can be (ISO/IEC 10918-1, A.3.1),
   * by more than rounding: no encoder writes such, so that brightness or colours have drifted away before them.
   */
  beyond(): Uint8Array {
    const { components, total } = this.layout;
    const most = Array.from({ length: components }, (_, index) => {
      const step = this.edges.tables[index]?.[0] ?? 1;
      return (mostLevel * 8) / step + 1;
    });
    const marks = new Uint8Array(total);
    for (let place = 0; place < total; place++) {
      if (!this.filled[place]) continue;
      if (most.some((limit, index) => Math.abs(this.sums[place * components + index] ?? 0) > limit)) marks[place] = 1;
    }
    return marks;
  }

  /** How many MCUs are darker or lighter than samples can be. */
  impossible(): number {
    return this.beyond().reduce((sum, mark) => sum + mark, 0);
  }

  /** Whether so many MCUs are impossible that brightness has drifted away: 19 sound photos have none. */
  get isAdrift(): boolean {
    return this.impossible() >= leastAdrift;
  }

  /** Makes the picture, from an MCU on, or up to another one, brighter and of another colour, by so many steps of DC values by component. */
  raise(steps: readonly number[], from = 0, to = this.layout.total): void {
    const { components } = this.layout;
    for (let at = from * components; at < to * components; at++) {
      const step = steps[at % components] ?? 0;
      this.before[at] = (this.before[at] ?? 0) + step;
      this.sums[at] = (this.sums[at] ?? 0) + step;
    }
    this.edges.raise(
      steps.map((step, index) => (step * (this.edges.tables[index]?.[0] ?? 1)) / 8),
      from,
      to,
    );
  }

  /** Takes back MCUs. */
  clear(from: number, to: number): void {
    this.filled.fill(0, Math.max(0, from), Math.max(0, to));
  }

  /** MCUs that are there. */
  count(from = 0, to = this.layout.total): number {
    let count = 0;
    for (let place = from; place < to; place++) count += this.filled[place] ?? 0;
    return count;
  }
}
