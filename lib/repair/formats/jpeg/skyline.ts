import type { Canvas } from './canvas';
import { quarter } from './edgestore';

/** The most that one change of brightness counts, in sample values, and rows above a break in which the skyline is looked for. */
const mostGap = 24;
const skylineRows = 24;
/** MCUs that a row must have to be looked at for a shift, the least cost where it lies, and the share of that which another column must come below. */
const shifting = { across: 12, cost: 2, share: 0.8 };

/** Four samples are taken together, which keeps shapes and drops noise. */
const step = 4;

/** The lowest MCU that is there in each column above a break: what the rest of the picture has to continue. */
export class Skyline {
  /** Place of that MCU by column; -1 where nothing is there. */
  readonly places: Int32Array;
  readonly known: number;

  constructor(canvas: Canvas, from: number) {
    const { across } = canvas.layout;
    this.places = new Int32Array(across).fill(-1);
    let known = 0;
    for (let column = 0; column < across; column++) {
      let place = from - 1 - ((((from - 1 - column) % across) + across) % across);
      for (let row = 0; row < skylineRows && place >= 0; row++, place -= across) {
        if (!canvas.filled[place]) continue;
        this.places[column] = place;
        known++;
        break;
      }
    }
    this.known = known;
  }
}

/** Changes of brightness along an edge, in sample values, `perMcu` for each MCU; a drift of brightness does not show in them. */
export function slopes(edges: Int16Array, width: number, luma: number, numbers: ArrayLike<number>): Float32Array {
  const perMcu = luma / step;
  const means = new Float32Array(numbers.length * perMcu);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? -1;
    for (let group = 0; group < perMcu; group++) {
      if (number < 0) {
        means[index * perMcu + group] = Number.NaN;
        continue;
      }
      const at = number * width + group * step;
      means[index * perMcu + group] =
        ((edges[at] ?? 0) + (edges[at + 1] ?? 0) + (edges[at + 2] ?? 0) + (edges[at + 3] ?? 0)) / (step * quarter);
    }
  }
  for (let index = means.length - 1; index > 0; index--) means[index] = (means[index] ?? 0) - (means[index - 1] ?? 0);
  means[0] = Number.NaN;
  return means;
}

/**
 * How badly the upper edge of a run that begins at column `phase` follows the skyline, in sample values; infinite where too little can be
 * compared, or once it is sure to be more than `most`.
 */
function phaseCost(sky: Float32Array, run: Float32Array, perMcu: number, phase: number, most: number): number {
  const around = sky.length;
  const limit = most * run.length;
  let sum = 0;
  let compared = 0;
  let at = phase * perMcu;
  for (let index = 0; index < run.length && sum <= limit; index++, at = at + 1 === around ? 0 : at + 1) {
    if (at === 0) continue;
    const gap = Math.abs((run[index] ?? 0) - (sky[at] ?? 0));
    if (gap >= 0) {
      sum += Math.min(gap, mostGap);
      compared++;
    }
  }
  return sum <= limit && compared * 4 >= Math.min(run.length, around) ? sum / compared : Number.POSITIVE_INFINITY;
}

/** For every column at which a run could begin: how badly its upper edge follows the skyline, in sample values; infinite where nothing can be compared. */
export function phaseCosts(sky: Float32Array, run: Float32Array, perMcu: number, across: number): Float32Array {
  return Float32Array.from({ length: across }, (_, phase) =>
    phaseCost(sky, run, perMcu, phase, Number.POSITIVE_INFINITY),
  );
}

/** A shift at which a row fits far better under the one above than where it lies, and the MCU from which on it does. */
export type RowShift = { from: number; shift: number };

/**
 * Looks whether the last row of MCUs before `place` belongs to another column: in a picture full of detail that is the only sign of lost
 * data. Null when the row fits where it is as well as anywhere.
 */
export function findRowShift(canvas: Canvas, place: number, since: number): RowShift | null {
  const { across } = canvas.layout;
  const from = place - across;
  if (across < shifting.across || from - across < since) return null;
  const { edges } = canvas;
  const luma = (canvas.layout.horizontal[0] ?? 1) * 8;
  const perMcu = luma / step;
  const above = slopes(edges.bottom, edges.width, luma, range(from - across, across));
  const here = slopes(edges.top, edges.width, luma, range(from, across));
  const stay = phaseCost(above, here, perMcu, 0, Number.POSITIVE_INFINITY);
  if (!(stay >= shifting.cost && stay < Number.POSITIVE_INFINITY)) return null;
  let best = 0;
  let least = stay * shifting.share;
  for (let phase = 1; phase < across; phase++) {
    const cost = phaseCost(above, here, perMcu, phase, least);
    if (cost >= least) continue;
    least = cost;
    best = phase;
  }
  if (best === 0) return null;
  // The row is split where staying stops to be the better explanation.
  let [sum, lowest, split] = [0, 0, 0];
  for (let mcu = 0; mcu < across; mcu++) {
    for (let at = mcu * perMcu; at < (mcu + 1) * perMcu; at++) {
      const other = (at + best * perMcu) % (across * perMcu);
      const gap = Math.min(mostGap, Math.abs((here[at] ?? 0) - (above[at] ?? 0)));
      const shifted = Math.min(mostGap, Math.abs((here[at] ?? 0) - (above[other] ?? 0)));
      if (gap >= 0 && shifted >= 0) sum += gap - shifted;
    }
    if (sum < lowest) {
      lowest = sum;
      split = mcu + 1;
    }
  }
  return { from: from + split, shift: best };
}

const range = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);
