import { besideOf, middleOf, runningSums, shareNear, variedAlong } from './changes';
import { type Edged, risesOf } from './rastersteps';

/** Edges of MCUs above and below that tell of a step at least, those of either side, and MCUs before and behind it that must be as they were. */
const least = { edges: 14, side: 4, quiet: 3 };
/** MCUs before and behind a step that are looked at. */
const looked = 6;
/** The least step, in sample values, and the share of it that means have at least, textures being in the way. */
const size = { least: 5, mean: 0.6 };
/** MCUs before a step in which data was wrong, so that they may hold anything. */
const skipped = 2;
/**
 * As shares of a step: how far its edges are from it, as a deviation; the share of them that is nearer than half of it; how alike it is above and
 * below; what is left before and behind it at most, and of edges one row further away; and how far the change beside the MCU where it begins may be from it.
 */
const shape = { deviation: 0.3, within: 0.75, ends: [0.75, 1.33], quiet: 0.2, striped: 0.3, beside: 0.4 } as const;
/** The share of the MCUs along a step that have texture above and below it at least. */
const leastTextured = 0.5;

/** A step that may be: its first MCU, the end of its interval, and the places of the edges above and below, as rises have them. */
type Step = { place: number; end: number; above: readonly [number, number]; below: readonly [number, number] };

/**
 * Whether brightness or colours are others by one amount from an MCU on to the end of its restart interval, where prediction begins anew (ISO/IEC
 * 10918-1, F.1.1.5.1), and nowhere else around: what a wrong DC difference leaves, and no picture has by itself, whose edges do not keep to
 * intervals.
 */
export function hasIntervalStep({ layout, edges }: Edged, interval: number): boolean {
  const { across, total } = layout;
  const rises = risesOf({ layout, edges });
  return rises.some((rise, component) => {
    const sums = runningSums(rise);
    for (let place = 0; place < total; place++) {
      if (place % across < least.quiet + skipped) continue;
      const step = stepAt(place, interval, across, total);
      const here = strengthOf(sums, step);
      if (Math.abs(here) < size.least * size.mean || !begins(rise, place, across, here)) continue;
      if (isProven({ layout, edges }, rise, step, component)) return true;
    }
    return false;
  });
}

/** The step that would begin at an MCU. */
function stepAt(place: number, interval: number, across: number, total: number): Step {
  const end = Math.min(total, (Math.floor(place / interval) + 1) * interval);
  return {
    place,
    end,
    above: [Math.max(place, across), Math.max(across, Math.min(end, place + across))],
    below: [Math.max(place, end - across) + across, Math.min(total, end + across)],
  };
}

/** How much brighter all is than above and below, in sample values, below zero where it is darker; 0 where too few edges tell. */
function strengthOf(sums: Float64Array, { above, below }: Step): number {
  const [upper, lower] = [above[1] - above[0], below[1] - below[0]];
  if (upper < least.side || lower < least.side || upper + lower < least.edges) return 0;
  const mean = ([from, to]: readonly [number, number]) => ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  const [top, bottom] = [-mean(above), mean(below)];
  if (top > 0 !== bottom > 0) return 0;
  return Math.abs(top) < Math.abs(bottom) ? top : bottom;
}

/** Whether an MCU has the better half of a step above and below it, and the one before has not. */
function begins(rise: Float32Array, place: number, across: number, step: number): boolean {
  const has = (at: number) =>
    (at < across || -(rise[at] ?? 0) / step > 1 / 2) &&
    (at + across >= rise.length || (rise[at + across] ?? 0) / step > 1 / 2);
  return has(place) && !has(place - 1);
}

function isProven({ layout, edges }: Edged, rise: Float32Array, step: Step, component: number): boolean {
  const { across, total } = layout;
  const { place, end, above, below } = step;
  const all = Float32Array.from([...rise.slice(...above).map((value) => -value), ...rise.slice(...below)]);
  const { middle, deviation } = middleOf(all, 0, all.length);
  const amount = Math.abs(middle);
  if (amount < size.least || deviation > amount * shape.deviation) return false;
  if (shareNear(all, 0, all.length, middle, amount / 2) < shape.within) return false;
  const isAlike = [-middleOf(rise, ...above).middle, middleOf(rise, ...below).middle].every(
    (side) => side / middle >= shape.ends[0] && side / middle <= shape.ends[1],
  );
  if (!isAlike) return false;
  const isQuiet = (from: number, to: number) =>
    [0, across].every(
      (down) =>
        from + down < across ||
        to + down > total ||
        Math.abs(middleOf(rise, from + down, to + down).middle) <= amount * shape.quiet,
    );
  const row = place - (place % across);
  if (!isQuiet(Math.max(row, place - skipped - looked), place - skipped)) return false;
  const rowEnd = Math.ceil(end / across) * across;
  if (end < rowEnd && !isQuiet(end, Math.min(rowEnd, total, end + looked))) return false;
  // Stripes go on above and below.
  const isStriped = [
    [above[0] - across, above[1] - across],
    [below[0] + across, below[1] + across],
  ].some(
    ([from = 0, to = 0]) =>
      from >= across && to <= total && Math.abs(middleOf(rise, from, to).middle) > amount * shape.striped,
  );
  if (isStriped) return false;
  if (!besideOf(edges, place, component).some((gap) => Math.abs(gap + middle) <= amount * shape.beside)) return false;
  return variedAlong(edges, above[0], above[1] - above[0]) >= leastTextured;
}
