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
  let index = 0;
  let number = 7;
  for (const [order, { restart }] of stretches.entries()) {
    const step = restart === null ? 1 : (restart - number + 8) % 8 || 8;
    if (order > 0) index += step;
    const chain = chains[order - 1];
    if (order > 0 && (step > 1 || chain?.count !== interval || chain.errors.length > 0)) joints.push(order);
    if (restart !== null) number = restart;
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

/** MCUs the picture has by the numbers of its restart markers, which damage inside a stretch does not change. */
export function countByMarkers(stretches: readonly Stretch[], chains: readonly Chain[], interval: number): number {
  let [intervals, number] = [0, 7];
  for (const { restart } of stretches.slice(1)) {
    intervals += restart === null ? 1 : (restart - number + 8) % 8 || 8;
    number = restart ?? number;
  }
  return intervals * interval + Math.min(interval, chains.at(-1)?.count ?? interval);
}

/** Every stretch read to its end; `most` bounds the MCUs of all. */
export function chainsOf(stretches: readonly Stretch[], plan: ScanPlan, most: number, deadline: Deadline): Chain[] {
  let left = most;
  return stretches.map(({ data }) => {
    // No MCU has fewer bits than its blocks have codes, of two bits each at least.
    const bound = Math.ceil((data.length * 8) / (plan.blocks.length * 2)) + 1;
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
