import { findBreaks } from './breaks';
import { componentBlocks, type Edges, edgesOf, median, misfit } from './edges';
import type { Decoded, Layout } from './entropy';

/** A run of decoded MCUs and where in the picture it belongs. */
export type Run = { from: number; to: number; place: number };

/** What realignment made of the data: MCUs in picture order, which of them are real, and how many runs were moved. */
export type Realigned = { coefficients: Int16Array; filled: Uint8Array; missing: number; moved: number };

/** Rows of a picture differ by less than this many sample values on average; data read with wrong tables differs by far more. */
const noiseMisfit = 26;

/** What a missing MCU counts when two ways of putting a picture together are compared. */
const missingMisfit = 30;

export type RealignFacts = {
  layout: Layout;
  interval: number;
  hasEnd: boolean;
  across: number[];
  tables: Uint16Array[];
};

/** Puts decoded MCUs where they belong: by restart numbers where there are some, else by counting from both ends and by what fits. */
export function realign(decoded: Decoded, facts: RealignFacts): Realigned {
  const total = facts.layout.across * facts.layout.down;
  if (facts.interval > 0) return compose(decoded, facts, runsByRestart(decoded, facts, total), total);
  const edges = edgesOf(decoded, facts.layout, 0, facts.across[0] ?? 1, facts.tables[0] ?? new Uint16Array(64).fill(1));
  const moved = compose(decoded, facts, runsByFit(decoded, facts, total, edges), total);
  const plain = compose(decoded, facts, [{ from: 0, to: Math.min(decoded.count, total), place: 0 }], total);
  return seams(plain, facts) < seams(moved, facts) ? plain : moved;
}

/** Whether what is there of a picture fits so badly on itself that it can only be noise. */
export function isNoise(picture: Realigned, facts: RealignFacts): boolean {
  const total = facts.layout.across * facts.layout.down;
  const there = total - picture.missing;
  return there > 0 && (seams(picture, facts) * total - picture.missing * missingMisfit) / there > noiseMisfit;
}

/** How badly the rows of a picture fit on each other, per MCU; what is missing counts as a clear misfit, so that dropping is no gain. */
function seams(picture: Realigned, facts: RealignFacts): number {
  const { layout } = facts;
  const total = layout.across * layout.down;
  const whole: Decoded = { coefficients: picture.coefficients, count: total, errors: [], starts: [] };
  const columns = facts.across[0] ?? 1;
  const edges = edgesOf(whole, layout, 0, columns, facts.tables[0] ?? new Uint16Array(64).fill(1));
  let sum = 0;
  for (let mcu = 0; mcu < total; mcu++) {
    if (!picture.filled[mcu]) sum += missingMisfit;
    else if (mcu >= layout.across && picture.filled[mcu - layout.across]) {
      for (let column = 0; column < columns; column++) {
        const gap =
          (edges.bottom[(mcu - layout.across) * columns + column] ?? 0) - (edges.top[mcu * columns + column] ?? 0);
        sum += Math.min(80, Math.abs(gap)) / columns;
      }
    }
  }
  return sum / total;
}

/** Each stretch between restart markers belongs at its number times the interval; numbers count to eight (B.2.1). */
function runsByRestart(decoded: Decoded, facts: RealignFacts, total: number): Run[] {
  const { interval } = facts;
  const runs: Run[] = [];
  let index = 0;
  let last = 7;
  const stretches = decoded.starts.map((start, number) => ({
    ...start,
    to: decoded.starts[number + 1]?.mcu ?? decoded.count,
  }));
  const lastIndex = Math.ceil(total / interval) - 1;
  const placed: { index: number; from: number; to: number }[] = [];
  for (const [number, stretch] of stretches.entries()) {
    if (number > 0) {
      const step = stretch.restart === null ? 1 : (stretch.restart - last + 8) % 8 || 8;
      index += number === 1 && stretch.restart !== null ? (stretch.restart - 7 + 8) % 8 || 8 : step;
    }
    if (stretch.restart !== null) last = stretch.restart;
    placed.push({ index, from: stretch.mcu, to: stretch.to });
  }
  // Counting to eight cannot see a loss of eight intervals; the end of the picture can.
  const short = lastIndex - index;
  const jump = facts.hasEnd && short > 0 && short % 8 === 0 ? weakest(placed, decoded, interval) : placed.length;
  for (const [number, stretch] of placed.entries()) {
    const place = (stretch.index + (number >= jump ? short : 0)) * interval;
    const errors = decoded.errors.filter((error) => error >= stretch.from && error < stretch.to);
    const wanted = Math.min(interval, total - place);
    if (wanted <= 0) continue;
    const first = errors[0];
    if (first === undefined) {
      runs.push({ from: stretch.from, to: Math.min(stretch.to, stretch.from + wanted), place });
      continue;
    }
    runs.push({ from: stretch.from, to: first, place });
  }
  return runs;
}

/** The stretch before which most is missing. */
function weakest(
  placed: readonly { index: number; from: number; to: number }[],
  decoded: Decoded,
  interval: number,
): number {
  let worst = placed.length - 1;
  let least = interval + 1;
  for (const [number, stretch] of placed.entries()) {
    const broken = decoded.errors.some((error) => error >= stretch.from && error <= stretch.to);
    const size = (stretch.to - stretch.from) / (broken ? 2 : 1);
    if (size < least) {
      least = size;
      worst = number + 1;
    }
  }
  return worst;
}

function runsByFit(decoded: Decoded, facts: RealignFacts, total: number, edges: Edges): Run[] {
  const { count } = decoded;
  const { across } = facts.layout;
  const errors = [...decoded.errors];
  for (const place of findBreaks(edges, count, across))
    if (!errors.some((error) => Math.abs(error - place) < across / 2)) errors.push(place);
  errors.sort((left, right) => left - right);
  if (errors.length === 0) {
    if (count === total || !facts.hasEnd) return [{ from: 0, to: Math.min(count, total), place: 0 }];
    return silentGap(edges, count, total, across);
  }
  const bounds = [0, ...new Set(errors), count];
  const least = Math.max(6, Math.floor(across / 6));
  const runs: Run[] = [];
  for (let index = 0; index + 1 < bounds.length; index++) {
    const from = bounds[index] ?? 0;
    const to = bounds[index + 1] ?? 0;
    if (to - from >= least || (index === 0 && to > 0)) runs.push({ from, to, place: from });
  }
  const typical = typicalMisfit(edges, across, runs);
  for (const [index, run] of runs.entries())
    trim(run, edges, across, typical, index > 0, index + 1 < runs.length || run.to < count);
  const kept = runs.filter((run) => run.to > run.from);
  placeRuns(kept, facts, edges, total, count);
  return kept;
}

/** Nothing failed to decode, but the number of MCUs is wrong: finds the cut at which the rest, counted from the end, fits best. */
function silentGap(edges: Edges, count: number, total: number, across: number): Run[] {
  const shift = total - count;
  const gain = new Float64Array(count + 1);
  const span = across - shift;
  let best = count;
  let bestCost = 0;
  if (Math.abs(shift) < across) {
    for (let mcu = across; mcu < count; mcu++) {
      const moved = mcu + shift - across;
      gain[mcu] = (moved > 0 ? misfit(edges, moved, mcu) : 0) - misfit(edges, mcu - across, mcu);
    }
    let sum = 0;
    for (let cut = count - 1; cut > 0; cut--) {
      sum += gain[cut] ?? 0;
      if (cut + span < count) sum -= gain[cut + span] ?? 0;
      if (sum < bestCost) {
        bestCost = sum;
        best = cut;
      }
    }
  }
  if (best === count && shift > 0) return [{ from: 0, to: count, place: 0 }];
  return [
    { from: 0, to: Math.min(best, best + shift), place: 0 },
    { from: best, to: count, place: best + shift },
  ];
}

function typicalMisfit(edges: Edges, across: number, runs: readonly Run[]): number {
  const values: number[] = [];
  for (const run of runs)
    for (let mcu = run.from + across + 1; mcu < run.to; mcu += 3) values.push(misfit(edges, mcu - across, mcu));
  return Math.max(1.5, median(values));
}

/** Cuts off what was decoded out of step: the end of a run before an error, and the beginning of the one behind it. */
function trim(run: Run, edges: Edges, across: number, typical: number, head: boolean, tail: boolean): void {
  const wild = typical * 4 + 10;
  if (tail) {
    // Walking back from the error: the first five MCUs in a row that fit end the stretch that does not.
    const from = Math.max(run.from + across, run.to - 120);
    let good = 0;
    let mcu = run.to - 1;
    for (; mcu >= from && good < 5; mcu--) good = misfit(edges, mcu - across, mcu) <= wild ? good + 1 : 0;
    run.to = good >= 5 ? mcu + 1 + good : Math.max(run.from, run.to - 1);
  }
  if (head) {
    let good = 0;
    let mcu = run.from + 1;
    for (; mcu < Math.min(run.to - across, run.from + 120) && good < 8; mcu++)
      good = misfit(edges, mcu, mcu + across) <= wild ? good + 1 : 0;
    const start = good >= 8 ? mcu - 8 : Math.min(run.to, run.from + 2);
    run.from = start;
  }
}

/** The first run begins the picture, the last one ends it when its end is there; what is between goes where it fits best. */
function placeRuns(runs: Run[], facts: RealignFacts, edges: Edges, total: number, count: number): void {
  const { across } = facts.layout;
  for (const [index, run] of runs.entries()) {
    if (index === 0) {
      run.place = run.from;
      run.to = Math.min(run.to, run.from + total - run.place);
      continue;
    }
    const before = runs[index - 1];
    const least = before ? before.place + (before.to - before.from) : 0;
    const rest = run.to - run.from;
    if (index === runs.length - 1 && facts.hasEnd && total - (count - run.from) >= least - across) {
      run.place = Math.max(0, total - (count - run.from));
      continue;
    }
    run.place = bestPlace(run, runs.slice(0, index), edges, across, least, Math.max(least, total - rest));
  }
}

/** Tries every place from `least` to `most` and keeps the one where the run fits best under the rows already placed. */
function bestPlace(
  run: Run,
  placed: readonly Run[],
  edges: Edges,
  across: number,
  least: number,
  most: number,
): number {
  const source = (place: number): number => {
    for (const other of placed)
      if (place >= other.place && place < other.place + other.to - other.from) return other.from + place - other.place;
    return -1;
  };
  const last = placed.at(-1);
  const shift = last ? last.place - last.from : 0;
  let best = least;
  let bestCost = Number.POSITIVE_INFINITY;
  const sample = Math.min(run.to - run.from, across);
  for (let place = least; place <= Math.min(most, least + across * 4); place++) {
    let cost = 0;
    let compared = 0;
    for (let step = 1; step < sample; step++) {
      const above = source(place + step - across);
      if (above < 1) continue;
      cost += misfit(edges, above, run.from + step);
      compared++;
    }
    // No shift at all is the likeliest, as most damage leaves the number of blocks alone.
    const same = place - run.from === shift ? 0.85 : 1;
    const mean = compared < Math.min(8, sample / 2) ? Number.POSITIVE_INFINITY : (cost / compared) * same;
    if (mean < bestCost) {
      bestCost = mean;
      best = place;
    }
  }
  return best;
}

/** Copies runs to their places, takes the drift out of their brightness, and fills what is missing from the row above. */
function compose(decoded: Decoded, facts: RealignFacts, runs: readonly Run[], total: number): Realigned {
  const perMcu = facts.layout.blocks.length * 64;
  const coefficients = new Int16Array(total * perMcu);
  const filled = new Uint8Array(total);
  const origin = new Int32Array(total).fill(-1);
  let moved = 0;
  for (const [index, run] of runs.entries()) {
    const length = Math.min(run.to - run.from, total - run.place);
    if (length <= 0) continue;
    if (run.place !== run.from) moved++;
    coefficients.set(
      decoded.coefficients.subarray(run.from * perMcu, (run.from + length) * perMcu),
      run.place * perMcu,
    );
    // With restart markers every stretch starts its brightness anew, so there is no drift.
    if (index > 0 && facts.interval === 0) settle(coefficients, facts, run.place, length, filled);
    filled.fill(1, run.place, run.place + length);
    for (let step = 0; step < length; step++) origin[run.place + step] = run.from + step;
  }
  let missing = 0;
  const { across } = facts.layout;
  for (let mcu = 0; mcu < total; mcu++) {
    if (filled[mcu]) continue;
    missing++;
    const from = mcu >= across ? mcu - across : mcu - 1;
    if (from < 0) continue;
    for (let block = 0; block < facts.layout.blocks.length; block++) {
      coefficients[mcu * perMcu + block * 64] = coefficients[from * perMcu + block * 64] ?? 0;
    }
  }
  return { coefficients, filled, missing, moved };
}

/** Adds to a run's DC values what makes its first row continue the row above it. */
function settle(
  coefficients: Int16Array,
  facts: RealignFacts,
  place: number,
  length: number,
  filled: Uint8Array,
): void {
  const { layout } = facts;
  const perMcu = layout.blocks.length * 64;
  for (let component = 0; component < layout.components; component++) {
    const table = facts.tables[component] ?? new Uint16Array(64).fill(1);
    const total: Decoded = { coefficients, count: layout.across * layout.down, errors: [], starts: [] };
    const first = Math.max(layout.across, place);
    const last = Math.min(place + length, place + layout.across);
    const columns = facts.across[component] ?? 1;
    const deltas: number[] = [];
    for (let mcu = first; mcu < last; mcu++) {
      if (!filled[mcu - layout.across]) continue;
      const above = edgesOf(slice(total, mcu - layout.across, perMcu), layout, component, columns, table);
      const here = edgesOf(slice(total, mcu, perMcu), layout, component, columns, table);
      for (let column = 0; column < columns; column++)
        deltas.push((above.bottom[column] ?? 0) - (here.top[column] ?? 0));
    }
    if (deltas.length < 3) continue;
    const offset = Math.round(median(deltas) / ((table[0] ?? 1) / 8));
    if (offset === 0) continue;
    const blocks = componentBlocks(layout, component);
    for (let mcu = place; mcu < place + length; mcu++) {
      for (const block of blocks) {
        const at = mcu * perMcu + block * 64;
        coefficients[at] = (coefficients[at] ?? 0) + offset;
      }
    }
  }
}

function slice(decoded: Decoded, mcu: number, perMcu: number): Decoded {
  return {
    coefficients: decoded.coefficients.subarray(mcu * perMcu, (mcu + 1) * perMcu),
    count: 1,
    errors: [],
    starts: [],
  };
}
