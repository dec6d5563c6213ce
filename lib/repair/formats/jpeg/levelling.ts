import { type Canvas, mostRough } from './canvas';
import { besideOf, middleOf, runningSums } from './changes';
import type { EdgeStore } from './edgestore';
import { stepBetween } from './steps';

/** Steps that are taken back one after another, and the MCUs that tell of one at least. */
const most = 48;
/** How many times as many MCUs as before may be what samples cannot be. */
const mostLeft = 2;
/** Steps that may turn out to be the picture's own before none is taken back. */
const mostKept = 6;
const leastSeen = 16;
/** The least step that is looked into, by its mean, and that is taken back, in sample values. */
const least = { looked: 0.8, luma: 1, chroma: 0.8 };
/**
 * Share of the MCUs of a step that must have it, by how far they may be from it, as a share of it; the share of it that what is beside may
 * have; and how many standard errors it is at least.
 */
const even = { share: 0.55, within: 0.5, beside: 1 / 3, errors: 8 };
/**
 * A step so large, in sample values, is the same along more of its MCUs, to a quarter of it: the edge of a beam or a sign is as long, and not.
 * Those of drawings are `drawn` at least.
 */
const large = { from: 8, within: 0.25, share: 0.7, drawn: 16 };
/** Columns at the borders of a picture where a step may well be its own: those of bars and edges begin there. */
const border = 1;
/** Rows before and behind a step in which the ground is looked for, and the share of MCUs that have its value: more than a third of a page's. */
const groundOn = { rows: 8, share: 0.2 };
/** MCUs within which a step is at its clearest where it begins. */
const near = 4;

/** A step of brightness or colours from an MCU on: steps of DC values by component that take it back. */
type Step = { place: number; steps: number[] };

/**
 * Takes back steps of brightness and colours that wrong DC differences left in a picture (ISO/IEC 10918-1, F.1.2.1): all that follows is off
 * by the same amount, which shows along exactly one row of MCUs and beside the first of them. No edge of a scene has that shape, but those of
 * drawings may: a step stays where what follows it would be darker or lighter than samples can be. Where it lies in the first row, the MCUs
 * before it show it, with the row below. Returns how many were taken back.
 */
export function takeBackSteps(canvas: Canvas): number {
  if (canvas.layout.across < leastSeen) return 0;
  const kept = new Set<number>();
  const before = canvas.beyond();
  for (let tries = 0; tries <= mostKept; tries++) {
    const steps = takeBack(canvas, kept);
    const wrong = stepBeyond(canvas, before, steps);
    if (wrong === null) return steps.length;
    for (const { place, steps: raised } of steps) {
      const back = raised.map((one) => -one);
      canvas.raise(back, place);
    }
    kept.add(wrong);
  }
  return 0;
}

/** Takes back steps one after another, but for those that begin where `kept` says. */
function takeBack(canvas: Canvas, kept: ReadonlySet<number>): Step[] {
  const { across, total, components } = canvas.layout;
  const isBare = canvas.roughness(total) < mostRough;
  const taken: Step[] = [];
  const rises = Array.from({ length: components }, (_, component) => risesOf(canvas, component));
  for (let from = border; from < total && taken.length < most; ) {
    const found = nextStep(canvas, rises, from);
    if (!found) break;
    from = found.place + 1;
    if (kept.has(found.place)) continue;
    const step = isBare ? byGround(canvas, found) : found;
    if (step.steps.every((one) => one === 0)) continue;
    canvas.raise(step.steps, step.place);
    // Only what lies across the beginning of the step has changed.
    const to = Math.min(total, step.place + across);
    for (const [component, one] of rises.entries())
      for (let place = Math.max(across, step.place); place < to; place++) setRise(canvas, one, place, component);
    taken.push(step);
  }
  return taken;
}

/**
 * The large step after which, up to the next one, MCUs became what samples cannot be, more than half a row of them; null where none did, or where
 * they are not twice as many as before: of a picture whose brightness has drifted away some are left.
 */
function stepBeyond(canvas: Canvas, before: Uint8Array, steps: readonly Step[]): number | null {
  const { across, total } = canvas.layout;
  const now = canvas.beyond();
  const count = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0);
  if (count(now) <= count(before) * mostLeft + across / 2) return null;
  for (const [index, { place, steps: raised }] of steps.entries()) {
    if (raised.every((one, component) => Math.abs(levelOf(canvas, component, one)) < large.drawn)) continue;
    const to = steps[index + 1]?.place ?? total;
    let more = 0;
    for (let at = place; at < to; at++) more += (now[at] ?? 0) - (before[at] ?? 0);
    if (more > across / 2) return place;
  }
  return null;
}

/**
 * The same step by what the ground of a page or screen, the one value that many MCUs have, changes by, where there is one before and behind
 * it: a line of text or a bar looks like a step, and moves nothing that follows.
 */
function byGround(canvas: Canvas, { place, steps }: Step): Step {
  const { total, across } = canvas.layout;
  const window = groundOn.rows * across;
  const told = steps.map((step, component) => {
    const before = groundOf(canvas, component, Math.max(0, place - window), place);
    const behind = groundOf(canvas, component, place, Math.min(total, place + window));
    return before === null || behind === null ? step : before - behind;
  });
  return { place, steps: told };
}

/** The DC value that most MCUs of a stretch have in a component, null where it is no ground: less than `share` of them do. */
export function groundOf(
  { layout, filled, sums }: Canvas,
  component: number,
  from: number,
  to: number,
  share = groundOn.share,
): number | null {
  const counts = new Map<number, number>();
  let all = 0;
  for (let at = from; at < to; at++) {
    if (!filled[at]) continue;
    const value = sums[at * layout.components + component] ?? 0;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    all++;
  }
  let [most, ground] = [0, 0];
  for (const [value, count] of counts) if (count > most) [most, ground] = [count, value];
  return all >= leastSeen && most >= all * share ? ground : null;
}

/** By MCU how much brighter one component is above its upper edge than below it, in sample values; NaN where nothing is above. */
function risesOf(canvas: Canvas, component: number): Float32Array {
  const { across, total } = canvas.layout;
  const rises = new Float32Array(total).fill(Number.NaN);
  for (let place = across; place < total; place++) setRise(canvas, rises, place, component);
  return rises;
}

function setRise({ layout, filled, edges }: Canvas, rises: Float32Array, place: number, component: number): void {
  const above = place - layout.across;
  if (filled[place] && filled[above]) rises[place] = stepBetween(edges, above, edges, place, component);
}

/** Sample values that a component changes by with so many steps of its DC values (ISO/IEC 10918-1, A.3.3). */
const levelOf = ({ edges }: Canvas, component: number, steps: number): number =>
  (steps * (edges.tables[component]?.[0] ?? 1)) / 8;

/** The first step from an MCU on. */
function nextStep(canvas: Canvas, rises: readonly Float32Array[], from: number): Step | null {
  const { across, total } = canvas.layout;
  const sums = rises.map((one) => runningSums(one));
  for (let place = from; place < total - 1; place++) {
    const column = place % across;
    if (column < border || column >= across - border || !canvas.filled[place] || !canvas.filled[place - 1]) continue;
    if (!sums.some((sum) => isLocalPeak(sum, place, across, total))) continue;
    const found = rises.map((one, component) => stepAt(canvas, one, place, component));
    if (found.some(({ steps, sure }) => sure && steps !== 0)) return { place, steps: found.map(({ steps }) => steps) };
  }
  return null;
}

/** The MCUs along which a step that begins at `place` shows: a row, or in the first one those under what comes before it. */
const shownBy = (place: number, across: number, total: number): [number, number] => [
  Math.max(place, across),
  Math.min(total, place + across),
];

/** Whether the mean rise behind `place` is large, and the largest around. */
function isLocalPeak(sums: Float64Array, place: number, across: number, total: number): boolean {
  const meanAt = (begin: number) => {
    const [from, to] = shownBy(begin, across, total);
    return to - from < leastSeen ? 0 : Math.abs((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  };
  const here = meanAt(place);
  if (here < least.looked) return false;
  for (let other = place - near; other <= place + near; other++)
    if (other > 0 && other !== place && meanAt(other) > here) return false;
  return true;
}

/** What one component is off from `place` on: in steps of DC values that take it back, 0 where it is not; and whether that alone is proof. */
function stepAt(
  canvas: Canvas,
  rises: Float32Array,
  place: number,
  component: number,
): { steps: number; sure: boolean } {
  const none = { steps: 0, sure: false };
  const { across, total } = canvas.layout;
  const [from, to] = shownBy(place, across, total);
  const { middle: rise, deviation, count } = middleOf(rises, from, to);
  const size = Math.abs(rise);
  if (count < leastSeen || size < (component === 0 ? least.luma : least.chroma)) return none;
  if (size < (deviation / Math.sqrt(count)) * even.errors) return none;
  const half = across >> 1;
  const before = place < across ? 0 : middleOf(rises, Math.max(across, place - half), place).middle;
  const behind = middleOf(rises, to, Math.min(total, to + half)).middle;
  if (Math.max(Math.abs(before), Math.abs(behind)) > size * even.beside) return none;
  const { within: share, share: needed } = size >= large.from ? large : even;
  const within = size * share;
  let same = 0;
  for (let at = from; at < to; at++) if (Math.abs((rises[at] ?? Number.NaN) - rise) <= within) same++;
  const steps = Math.round((rise * 8) / (canvas.edges.tables[component]?.[0] ?? 1));
  return { steps, sure: same >= count * needed && isBeside(canvas.edges, place, component, rise) };
}

/** Whether a step shows beside the MCU where it began, too. That one may itself be damaged, and textures hide where exactly it was. */
function isBeside(edges: EdgeStore, place: number, component: number, rise: number): boolean {
  return besideOf(edges, place, component).some((gap) => Math.abs(gap - rise) <= Math.abs(rise) * even.within);
}
