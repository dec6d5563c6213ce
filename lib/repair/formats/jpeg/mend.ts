import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { Buffer } from '../../host/bytes';
import type { Canvas } from './canvas';
import { type Chain, countFrom } from './chain';
import { EdgeStore, side } from './edgestore';
import { stepBetween } from './steps';

/** How much rougher than usual the edges of blocks must be, all together, and what one of them may add: no single edge of a picture is a sign. */
const roughness = { sign: 50, one: 60 };

/** Of what a stretch usually costs: the share below which a changed one may go on elsewhere than is counted, and any is believed. */
const believed = { elsewhere: 0.7, any: 0.3 };
/** How far brightness may drift over a stretch, in sample values, with so many standard errors on top. */
const mostDrift = { levels: 1, errors: 2.2 };

/** A small change of the data that lets the picture go on as if nothing had been: the bit that was changed or before which a byte was put, and the MCU to read on from. */
export type Change = { at: number; place: number; kind: 'bit' | 'return' };

/** The data with a change made. */
export function changed(data: Buffer, { at, kind }: Change): Buffer {
  if (kind === 'bit') return flip(Buffer.from(data), at);
  return Buffer.concat([data.subarray(0, at >> 3), Buffer.from([13]), data.subarray(at >> 3)]);
}

/** How far a changed stretch goes on to fit, and how well on average: below 0 when as well as usual. */
type Trial = { reached: number; value: number; bit: number; steady: boolean };

/** MCUs that may be decoded in search of single wrong bits, over the whole picture. */
const effort = 60_000;

/** Finds single flipped bits and lost carriage returns shortly before the place where a picture falls out of step. */
export class Mender {
  readonly #canvas: Canvas;
  readonly #store: EdgeStore;
  readonly #plan: ScanPlan;
  #left = effort;

  constructor(canvas: Canvas, plan: ScanPlan) {
    this.#canvas = canvas;
    this.#store = new EdgeStore(canvas.layout, canvas.edges.tables, 2);
    this.#plan = plan;
  }

  /** Tries changes around MCU `place` of a stretch that covers `from` to `to`; null when none makes everything fit for a row. */
  mend(data: Buffer, place: number, { from, to }: { from: number; to: number }, chain: Chain | null): Change | null {
    if (this.#left <= 0) return null;
    const canvas = this.#canvas;
    const stretch = canvas.stretch[place] ?? 0;
    let first = place;
    while (first > from && place - first < 6 && canvas.filled[first - 1] && canvas.stretch[first - 1] === stretch)
      first--;
    const reader = new McuReader(data, this.#plan);
    const starts: number[] = [];
    for (let mcu = first; mcu <= place; mcu++) starts.push(canvas.bit[mcu] ?? 0);
    const end = Math.min(data.length * 8, (starts.at(-1) ?? 0) + 900);
    const wanted = Math.min(to - place, Math.max(20, Math.min(canvas.layout.across + 4, 90)));
    if (wanted < 4) return null;
    let best: (Change & { trial: Trial }) | null = null;
    const consider = (bit: number, kind: Change['kind'], changed: Buffer) => {
      let mcu = place;
      while (mcu > first && (canvas.bit[mcu] ?? 0) > bit) mcu--;
      reader.data = changed;
      const trial = this.#trial(reader, mcu, place + wanted);
      // The next damage may be near: what holds for a good stretch and longest is believed.
      if (trial.reached < Math.min(wanted, 20) + place) return;
      // Counted from the end, what goes on must be where it is; where that cannot be told, it has to fit as well as the rest does.
      const rest = chain ? countFrom(chain, trial.bit - (kind === 'return' ? 8 : 0)) : null;
      const usual = -(canvas.typical * 0.8 + 5);
      if (
        rest !== null &&
        trial.reached !== to - rest &&
        (trial.reached < place + wanted || trial.value > usual * believed.elsewhere)
      )
        return;
      if (trial.value > usual * believed.any || !trial.steady) return;
      if (
        best &&
        (trial.reached < best.trial.reached ||
          (trial.reached === best.trial.reached && trial.value >= best.trial.value))
      )
        return;
      best = { at: bit, place: mcu, kind, trial };
    };
    for (let byte = (starts[0] ?? 0) >> 3; byte < end >> 3; byte++) {
      if (data[byte] !== 10 || data[byte - 1] === 13) continue;
      const window = Buffer.concat([data.subarray(0, byte), Buffer.from([13]), data.subarray(byte, byte + 40_000)]);
      consider(byte * 8, 'return', window);
    }
    // The wrong bit is most often in the MCU before which nothing is wrong yet, or in one before it where it did little harm.
    for (let mcu = place; mcu >= first && !best && this.#left > 0; mcu--) {
      const stop = mcu === place ? end : (canvas.bit[mcu + 1] ?? 0);
      for (let bit = canvas.bit[mcu] ?? 0; bit < stop && this.#left > 0; bit++) {
        flip(data, bit);
        consider(bit, 'bit', data);
        flip(data, bit);
      }
    }
    const found = best as Change | null;
    return found && { at: found.at, place: found.place, kind: found.kind };
  }

  /** Reads from MCU `place` until it no longer fits, at most up to `to`. */
  #trial(reader: McuReader, place: number, to: number): Trial {
    const canvas = this.#canvas;
    const { across, components } = canvas.layout;
    const steps = new Float64Array(components);
    const squares = new Float64Array(components);
    let stepped = 0;
    // A drift, however small, shows in the mean over many MCUs; with the right change there is none.
    const result = (reached: number, bit: number): Trial => {
      let [drift, steady] = [0, true];
      for (let component = 0; component < components && stepped > 0; component++) {
        const mean = Math.abs((steps[component] ?? 0) / stepped);
        const spread = Math.sqrt(Math.max(0, (squares[component] ?? 0) / stepped - mean * mean));
        if (mean > mostDrift.levels + (mostDrift.errors * spread) / Math.sqrt(stepped)) steady = false;
        drift += mean;
      }
      return { reached, value: total / Math.max(1, reached - place) + drift, bit, steady };
    };
    reader.seek(canvas.bit[place] ?? 0, canvas.before, place * components);
    let sum = 0;
    let total = 0;
    let marked: Trial = { reached: place, value: 0, bit: reader.position, steady: false };
    for (let mcu = place; mcu < to; mcu++) {
      this.#left--;
      const bit = reader.position;
      if (!reader.mcu()) return sum > 0 ? marked : result(mcu, bit);
      const number = mcu & 1;
      const above = mcu - across;
      // Where the row above is there, nothing is laid beside this MCU nor under it.
      const isUnder = above >= 0 && canvas.filled[above] === 1;
      this.#store.set(number, reader.coefficients, reader.last, isUnder && canvas.filled[above + 1] === 1);
      let excess = -1;
      if (isUnder) {
        excess = canvas.excess(mcu, this.#store, number, false);
        stepped++;
        for (let component = 0; component < components; component++) {
          const gap = stepBetween(canvas.edges, above, this.#store, number, component);
          const step = Math.max(-20, Math.min(20, gap));
          steps[component] = (steps[component] ?? 0) + step;
          squares[component] = (squares[component] ?? 0) + step * step;
        }
      } else if (mcu % across > 0 && mcu > place)
        excess =
          Math.min(roughness.one, side(this.#store, 1 - number, this.#store, number)) - canvas.typicalSide * 2 - 8;
      if (sum === 0) marked = result(mcu, bit);
      sum = Math.max(0, sum + excess);
      if (sum > roughness.sign) return marked;
      total += excess;
    }
    return result(to, reader.position);
  }
}

function flip(data: Buffer, bit: number): Buffer {
  const at = bit >> 3;
  data[at] = (data[at] ?? 0) ^ (0x80 >> (bit & 7));
  return data;
}
