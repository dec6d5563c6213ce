import type { Layout } from '../../codecs/jpeg/layout';
import { besideOf, middleOf, runningSums, shareNear, variedAlong } from './changes';
import type { EdgeStore } from './edgestore';
import { stepBetween } from './steps';

/** What steps are looked for in: the edges of MCUs, all of which are there. */
export type Edged = { layout: Layout; edges: EdgeStore };
/** A step of brightness or colours from an MCU on: steps of DC values by component that take it back. */
export type RasterStep = { place: number; steps: number[] };

/** MCUs of a row that tell of a step at least, and those at its borders where it may be the picture's own. */
const least = { across: 12, border: 3 };
/** The least step, in sample values, and the share of it that the mean along it has at least, textures being in the way. */
const size = { least: 5, mean: 0.6 };
/** MCUs within which a step is at its clearest where it begins: those in which data was wrong may hold anything. */
const near = 4;
/** Most steps that are looked for. */
const most = 8;
/**
 * How alike a step is, as shares of it: in the row in which it begins and in the one below it, from the one to the other; what is left beside it in both
 * rows at most; how far its MCUs are from it, as a deviation; and the share of them that is nearer than half of it.
 */
const shape = { ends: [0.8, 1.25], beside: 0.2, deviation: 0.35, within: 0.7 } as const;
/** MCUs on either side of both ends at which a step is there at once, and the share of it that is there before and behind them: the ground that rises over the last rows of a picture does so by and by. */
const sudden = { within: 3, left: 0.25 };
/** The same of pictures that are plain in more places: the step shows beside the MCU where it begins, too, and is the more even. */
const plain = { deviation: 0.15, near: 0.25, share: 0.9, beside: 0.25 };
/** The share of the MCUs along a step that have texture above and below it at least: with none, a picture may be drawn so. */
const textured = { rich: 0.6, some: 0.15 };

/**
 * Steps of brightness or colours that nothing but a wrong DC difference leaves in a picture (ISO/IEC 10918-1, F.1.2.1): from an MCU in the middle of a
 * row to the right border, and in the row below up to that MCU, everything is brighter or darker than above by one amount, through all that lies there; and
 * nothing is just before and just behind. Each is taken back by `raise`, which changes the edges, before the next is looked for. None in 1,019 sound
 * photos, drawings, screens and pages of ten encoders' settings.
 */
export function takeBackRasterSteps(
  { layout, edges }: Edged,
  raise: (steps: readonly number[], place: number) => void,
): RasterStep[] {
  const { across } = layout;
  const found: RasterStep[] = [];
  if (across < least.across) return found;
  const rises = risesOf({ layout, edges });
  for (let from = across; found.length < most; ) {
    const step = nextStep({ layout, edges }, rises, from);
    if (!step) break;
    found.push(step);
    from = step.place + 1;
    raise(step.steps, step.place);
    for (const [component, rise] of rises.entries())
      for (let place = step.place; place < step.place + across; place++)
        rise[place] = stepBetween(edges, place - across, edges, place, component);
  }
  return found;
}

/** How alike a step has to be to the one back at the end of its interval. */
const backAlike = 0.5;

/** Whether a picture has such a step; where prediction begins anew every so many MCUs, one that ends with its interval, by one back of about the same size. */
export function hasRasterStep({ layout, edges }: Edged, interval = 0): boolean {
  const { across } = layout;
  if (across < least.across) return false;
  const rises = risesOf({ layout, edges });
  for (let from = across; ; ) {
    const step = nextStep({ layout, edges }, rises, from);
    if (!step || interval === 0) return step !== null;
    const end = Math.ceil((step.place + 1) / interval) * interval;
    if (step.place + across <= end && isTakenBack({ layout, edges }, rises, step, end)) return true;
    from = step.place + 1;
  }
}

function isTakenBack(
  { layout, edges }: Edged,
  rises: readonly Float32Array[],
  { steps }: RasterStep,
  end: number,
): boolean {
  const { across, total } = layout;
  return steps.every((step, component) => {
    const amount = (step * (edges.tables[component]?.[0] ?? 1)) / 8;
    const back = middleOf(rises[component] ?? new Float32Array(), end, Math.min(total, end + across)).middle;
    return end >= total || Math.abs(amount + back) <= Math.abs(amount) * backAlike;
  });
}

/** By component and MCU how much brighter it is above its upper edge than below it, in sample values. */
export function risesOf({ layout, edges }: Edged): Float32Array[] {
  const { across, total, components } = layout;
  return Array.from({ length: components }, (_, component) => {
    const rise = new Float32Array(total);
    for (let place = across; place < total; place++)
      rise[place] = stepBetween(edges, place - across, edges, place, component);
    return rise;
  });
}

function nextStep({ layout, edges }: Edged, rises: readonly Float32Array[], from: number): RasterStep | null {
  const { across, total } = layout;
  const sums = rises.map((rise) => runningSums(rise));
  for (let place = from; place + across <= total; place++) {
    const column = place % across;
    if (column < least.border || column > across - least.border) continue;
    const isFound = rises.some(
      (rise, component) =>
        isPeak(sums[component] ?? new Float64Array(), place, layout) &&
        isProven({ layout, edges }, rise, place, component),
    );
    if (!isFound) continue;
    const steps = rises.map((rise, component) => {
      const { middle, deviation } = middleOf(rise, place, place + across);
      const isClear = Math.abs(middle) * Math.sqrt(across) > deviation * errors && Math.abs(middle) >= 1;
      return isClear ? Math.round((middle * 8) / (edges.tables[component]?.[0] ?? 1)) : 0;
    });
    if (steps.some((step) => step !== 0)) return { place, steps };
  }
  return null;
}

/** Standard errors that the step of another component is at least. */
const errors = 8;

/** Whether the mean change along a row of MCUs from `place` on is large, and the largest around. */
function isPeak(sums: Float64Array, place: number, { across, total }: Layout): boolean {
  const meanAt = (at: number) => Math.abs((sums[at + across] ?? 0) - (sums[at] ?? 0)) / across;
  const here = meanAt(place);
  if (here < size.least * size.mean) return false;
  for (let other = Math.max(across, place - near); other <= Math.min(total - across, place + near); other++)
    if (other !== place && meanAt(other) > here) return false;
  return true;
}

/** Whether one component has a step from `place` on that no picture has by itself. */
function isProven({ layout, edges }: Edged, rise: Float32Array, place: number, component: number): boolean {
  const { across, total } = layout;
  const end = place + across;
  const below = place - (place % across) + across;
  const { middle, deviation } = middleOf(rise, place, end);
  const amount = Math.abs(middle);
  if (amount < size.least || deviation > amount * shape.deviation) return false;
  const within = shareNear(rise, place, end, middle, amount / 2);
  if (within < shape.within) return false;
  const [lowest, highest] = shape.ends;
  for (const [from, to] of [
    [place, below],
    [below, end],
  ] as const) {
    const share = middleOf(rise, from, to).middle / middle;
    if (share < lowest || share > highest) return false;
  }
  // Just before and just behind, in the same two rows.
  const before = middleOf(rise, Math.max(across, below - across), place).middle;
  const behind = middleOf(rise, end, Math.min(total, below + across)).middle;
  if (Math.max(Math.abs(before), Math.abs(behind)) > amount * shape.beside) return false;
  const outside = middleOf(rise, place - sudden.within, place).middle + middleOf(rise, end, end + sudden.within).middle;
  if (Math.abs(outside / 2) > amount * sudden.left) return false;
  const texture = variedAlong(edges, place, across);
  if (texture >= textured.rich) return true;
  if (texture < textured.some || deviation > amount * plain.deviation) return false;
  return (
    shareNear(rise, place, end, middle, amount * plain.near) >= plain.share &&
    besideOf(edges, place, component).some((gap) => Math.abs(gap - middle) <= amount * plain.beside)
  );
}
