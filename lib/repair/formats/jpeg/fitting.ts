import { type Canvas, excessAbove, mostMisfit } from './canvas';
import type { EdgeStore } from './edgestore';
import type { Skyline } from './skyline';

/**
 * Where the picture goes on behind a break: from which bit, with which predictors, at which place, and how well it fits; `isCounted` where only the end of the
 * picture tells, `fits` the place from which on it fits what is above, where it goes on before that.
 */
export type Continuation = {
  place: number;
  bit: number;
  predictors: number[];
  cost: number;
  misfit: number;
  isCounted?: boolean;
  fits?: number;
};

/** What a search starts from: the first MCU that is not right, the end of what the stretch may fill, and the misfit that is usual there. */
export type Break = { place: number; bit: number; to: number; anchored: boolean; backwards: number; usual: number };

/** Median difference, by component, between the skyline and the upper edges of MCUs from one number to another, number 0 of which lies at `place`, in quarters of a sample value. */
export function driftBelow(
  { edges, layout }: Canvas,
  sky: Skyline,
  store: EdgeStore,
  { from, to, place }: { from: number; to: number; place: number },
): number[] {
  return layout.horizontal.map((columns, component) => {
    const gaps: number[] = [];
    const offset = edges.offsets[component] ?? 0;
    for (let index = from; index < to; index++) {
      const above = sky.places[(place + index) % layout.across] ?? -1;
      if (above < 0) continue;
      const [a, b] = [above * edges.width + offset, index * edges.width + offset];
      for (let at = 0; at < columns * 8; at += 2) gaps.push((edges.bottom[a + at] ?? 0) - (store.top[b + at] ?? 0));
    }
    if (gaps.length === 0) return 0;
    const sorted = Int32Array.from(gaps).sort();
    return sorted[sorted.length >> 1] ?? 0;
  });
}

/** The excess of misfits, summed up, that no fitting piece has. */
const mostExcess = 60;
/** What is usual for MCUs that fit, and the most that a piece may have on average, by the misfit that is usual at its place. */
export const usually = excessAbove;
export const atMost = { times: 2.2, levels: 8 };

/** The MCU of a piece, counted from its end, from which on it fits. */
export function firstFitting(misfits: Float32Array, first: number, usual: number): number {
  let sum = 0;
  let since = misfits.length;
  for (let index = misfits.length - 1; index >= first; index--) {
    const misfit = misfits[index] ?? -1;
    if (misfit < 0) continue;
    if (sum === 0) since = index;
    sum = Math.max(0, sum + Math.min(mostMisfit, misfit) - usual);
    if (sum > mostExcess) return since + 1;
  }
  return first;
}
