import { type EdgeStore, quarter } from './edgestore';

/** A step of one MCU as it counts at most in a mean, in sample values. */
const clipped = 40;
/** Change along an edge, in sample values, from which on there is texture. */
const textured = 2;
/** Sample values by which brightness is another one. */
const otherLevel = 8;
/** A normal distribution's standard deviation over its median absolute one. */
const normal = 1.48;

/** Running sums of changes by MCU, in sample values, clipped; what is not known is none. */
export function runningSums(rises: Float32Array): Float64Array {
  const sums = new Float64Array(rises.length + 1);
  for (let place = 0; place < rises.length; place++) {
    const rise = rises[place] ?? 0;
    sums[place + 1] = (sums[place] ?? 0) + (Number.isNaN(rise) ? 0 : Math.max(-clipped, Math.min(clipped, rise)));
  }
  return sums;
}

/** The median of changes, 0 where there are none, how far from it they lie as if they were spread normally, and how many there are. */
export function middleOf(
  rises: Float32Array,
  from: number,
  to: number,
): { middle: number; deviation: number; count: number } {
  const known = rises
    .slice(from, to)
    .filter((rise) => !Number.isNaN(rise))
    .sort();
  const middle = known[known.length >> 1] ?? 0;
  const apart = known.map((rise) => Math.abs(rise - middle)).sort();
  return { middle, deviation: (apart[apart.length >> 1] ?? 0) * normal, count: known.length };
}

/** The share of changes that are not further from a value than so much. */
export function shareNear(rises: Float32Array, from: number, to: number, value: number, most: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (Math.abs((rises[at] ?? Number.NaN) - value) <= most) count++;
  return count / Math.max(1, to - from);
}

/**
 * How much brighter what lies beside an MCU is before than behind it, in sample values, by the ends of upper and lower edges: itself and the next
 * one against the two before it, any of which may itself be damaged.
 */
export const besideOf = (edges: EdgeStore, place: number, component: number): number[] =>
  [1, 2].flatMap((left) => [0, 1].map((right) => gapOf(edges, Math.max(0, place - left), place + right, component)));

/** How much brighter the right end of one MCU's upper and lower edge is than the left end of another one's, in sample values. */
function gapOf(edges: EdgeStore, left: number, right: number, component: number): number {
  const { offsets, width, top, bottom } = edges;
  const first = offsets[component] ?? 0;
  const last = (offsets[component + 1] ?? width) - 1;
  const gap = (edge: Int16Array) => (edge[left * width + last] ?? 0) - (edge[right * width + first] ?? 0);
  return (gap(top) + gap(bottom)) / 2 / quarter;
}

/**
 * The share of the MCUs from `place` on, for a row, that no plain edge of a drawing has: brightness changes along their upper edge as along the
 * one above it, or is another one there than above most of them.
 */
export function variedAlong({ top, bottom, width, offsets }: EdgeStore, place: number, across: number): number {
  const length = offsets[1] ?? width;
  const changes = (edge: Int16Array, at: number) => {
    let sum = 0;
    for (let sample = at * width + 1; sample < at * width + length; sample++)
      sum += Math.abs((edge[sample] ?? 0) - (edge[sample - 1] ?? 0));
    return sum > textured * quarter;
  };
  const levels = Float32Array.from({ length: across }, (_, index) => {
    const at = (place + index - across) * width;
    return ((bottom[at] ?? 0) + (bottom[at + length - 1] ?? 0)) / 2 / quarter;
  });
  const usual = levels.slice().sort()[across >> 1] ?? 0;
  let count = 0;
  for (let index = 0; index < across; index++) {
    const at = place + index;
    const isOther = Math.abs((levels[index] ?? 0) - usual) > otherLevel;
    if (isOther || (changes(top, at) && changes(bottom, at - across))) count++;
  }
  return count / across;
}
