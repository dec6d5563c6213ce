import type { ScanPlan } from '../../codecs/jpeg/reader';
import type { Deadline } from '../../report';
import { type Chain, readChain } from './chain';
import type { Stretch } from './stretches';

/** The part of the picture that one stretch of data fills, in MCUs from `from` to before `to`. */
export type Span = { stretch: number; from: number; to: number };

/** All spans; behind some of `joints` (indices of spans) lie `turns` times eight more intervals than their numbers can tell. */
export type Spans = { list: Span[]; joints: number[]; turns: number };

/** Where every stretch between restart markers belongs: at its number times the interval; numbers count to eight (ISO/IEC 10918-1, B.2.1). */
export function spansOf(
  stretches: readonly Stretch[],
  interval: number,
  total: number,
  hasEnd: boolean,
  chains: readonly Chain[],
): Spans {
  if (interval <= 0) return { list: [{ stretch: 0, from: 0, to: total }], joints: [], turns: 0 };
  const last = Math.ceil(total / interval) - 1;
  const places: number[] = [];
  const joints: number[] = [];
  const steps = stepsOf(stretches);
  const back = hasEnd ? stepsBack(steps, last) : new Set<number>();
  let index = 0;
  for (const [order, step] of steps.entries()) {
    index += back.has(order) ? step - 8 : step;
    const chain = chains[order - 1];
    if (order > 0 && (step > 1 || chain?.count !== interval || chain.errors.length > 0)) joints.push(order);
    places.push(index);
  }
  const short = last - index;
  // Counting to eight cannot see a loss of eight intervals; the end of the picture can.
  const turns = hasEnd && stretches.length > 1 && short > 0 && short % 8 === 0 ? short / 8 : 0;
  const end = turns > 0 ? index + 1 : last + 1;
  const list = places
    .map((place, stretch) => ({
      stretch,
      from: place * interval,
      to: Math.min(total, (places[stretch + 1] ?? Math.max(place + 1, end)) * interval),
    }))
    .filter(({ from, to }) => from < to);
  return { list, joints: joints.length > 0 ? joints : [stretches.length], turns };
}

/** Moves what is left of data without its beginning to where it ends with the picture; of the first stretch the end is left. */
export function moveToEnd(spans: Spans, chains: readonly Chain[], total: number, interval: number): void {
  const { list } = spans;
  const [first, last] = [list[0], list.at(-1)];
  if (!first || !last) return;
  const ahead = interval > 0 ? Math.max(0, (Math.ceil(total / interval) - 1) * interval - last.from) : 0;
  for (const span of list) {
    span.from += ahead;
    span.to = Math.min(total, span.to + ahead);
  }
  first.from = Math.max(0, first.to - (chains[first.stretch]?.count ?? 0));
  spans.turns = 0;
}

/** How many intervals each stretch lies behind the one before, by the numbers of restart markers, of which the first is 0. */
function stepsOf(stretches: readonly Stretch[]): number[] {
  let number = 7;
  return stretches.map(({ restart }, order) => {
    const step = restart === null ? 1 : (restart - number + 8) % 8 || 8;
    number = restart ?? number;
    return order > 0 ? step : 0;
  });
}

/** Steps over more than one interval among which those that lead back are looked for. */
const mostSteps = 12;

/**
 * The steps that lead back, where pieces changed places: counted on as others are, they put all that follows whole turns of eight too far,
 * past the end of the picture. Of all choices that end with its last interval the one that moves the fewest stretches the least.
 */
function stepsBack(steps: readonly number[], last: number): Set<number> {
  const surplus = steps.reduce((sum, step) => sum + step, 0) - last;
  const wide = [...steps.keys()].filter((order) => (steps[order] ?? 0) > 1);
  if (surplus <= 0 || surplus % 8 !== 0 || surplus / 8 > wide.length || wide.length > mostSteps) return new Set();
  let best: { cost: number; back: number[] } = { cost: Infinity, back: [] };
  const choose = (at: number, offset: number, cost: number, back: number[]): void => {
    const order = wide[at];
    if (cost >= best.cost || back.length > surplus / 8) return;
    if (order === undefined) {
      if (back.length === surplus / 8) best = { cost, back };
      return;
    }
    const length = (wide[at + 1] ?? steps.length) - order;
    const on = offset + (steps[order] ?? 1) - 1;
    choose(at + 1, on, cost + Math.abs(on) * length, back);
    choose(at + 1, on - 8, cost + Math.abs(on - 8) * length, [...back, order]);
  };
  choose(0, 0, 0, []);
  return new Set(best.back);
}

/**
 * MCUs the picture has by the numbers of its restart markers, which damage inside a stretch does not change. Numbers that lead past the end
 * of the size that is noted by whole turns, and back where they go back, tell of that size; null for it where the end of the data is lost.
 */
export function countByMarkers(
  stretches: readonly Stretch[],
  chains: readonly Chain[],
  interval: number,
  noted: number | null,
): number {
  const steps = stepsOf(stretches);
  if (noted !== null && stepsBack(steps, Math.ceil(noted / interval) - 1).size > 0) return noted;
  const intervals = steps.reduce((sum, step) => sum + step, 0);
  return intervals * interval + Math.min(interval, chains.at(-1)?.count ?? interval);
}

/** Every stretch read to its end; `most` bounds the MCUs of all. */
export function chainsOf(stretches: readonly Stretch[], plan: ScanPlan, most: number, deadline: Deadline): Chain[] {
  let left = most;
  return stretches.map(({ data }) => {
    // No MCU has fewer bits than its blocks have codes: one for the DC value, and one more at least where AC values follow in the same scan.
    const bound = Math.ceil((data.length * 8) / (plan.blocks.length * (plan.dcOnly ? 1 : 2))) + 1;
    const chain = readChain(data, plan, Math.max(1, Math.min(left, bound)), deadline);
    left = Math.max(0, left - chain.count);
    return chain;
  });
}

/** Stretches that must agree on an interval, and their share. */
const agreeing = { least: 2, share: 0.4 };

/** The interval that most stretches keep to, for a file that lost its DRI segment; 0 when they do not agree. */
export function usualInterval(chains: readonly Chain[]): number {
  const counts = new Map<number, number>();
  for (const { count, errors } of chains.slice(0, -1))
    if (errors.length === 0 && count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
  const [best] = [...counts].sort((left, right) => right[1] - left[1]);
  return best && best[1] >= Math.max(agreeing.least, chains.length * agreeing.share) ? best[0] : 0;
}
