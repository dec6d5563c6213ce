import { besideOf, middleOf, runningSums, shareNear, variedAlong } from './changes';
import { type Edged, type RasterStep, risesOf } from './rastersteps';

/**
 * What a step has to be like. Edges of MCUs above and below that tell of it at least, those of either side, and MCUs before and behind it that
 * must be as they were; the least step, in sample values, and the share of it that means have at least, textures being in the way. As shares of
 * a step: how far its edges are from it, as a deviation; the share of them that is nearer than half of it; how alike it is above and below; what
 * is left before and behind it at most, and of edges one row further away; and how far the change beside the MCU where it begins may be from it.
 * And the share of the MCUs along it that have texture above and below at least.
 */
type Needs = {
  edges: number;
  side: number;
  quiet: number;
  size: number;
  mean: number;
  deviation: number;
  within: number;
  ends: readonly [number, number];
  left: number;
  striped: number;
  beside: number;
  textured: number;
  /** Whether it may begin where its interval does, beside nothing that it would show by. */
  fromStart: boolean;
};

/** Where nothing else tells that a picture is damaged. */
const alone: Needs = {
  ...{ edges: 14, side: 4, quiet: 3, size: 5, mean: 0.6, deviation: 0.3, within: 0.75, ends: [0.75, 1.33] },
  ...{ left: 0.2, striped: 0.3, beside: 0.4, textured: 0.5, fromStart: false },
};
/** Where it is known to be. */
const damaged: Needs = {
  ...{ edges: 8, side: 3, quiet: 2, size: 4, mean: 0.6, deviation: 0.4, within: 0.7, ends: [0.7, 1.43] },
  ...{ left: 0.3, striped: 0.4, beside: 0.5, textured: 0.2, fromStart: true },
};
/** MCUs before and behind a step that are looked at. */
const looked = 6;
/** MCUs before a step in which data was wrong, so that they may hold anything. */
const skipped = 2;
/** Standard errors that the step of another component is at least. */
const errors = 8;
/** Most steps that are taken back. */
const most = 64;

/** A step that may be: its first MCU, the end of its interval, and the places of the edges above and below, as rises have them. */
type Span = { place: number; end: number; above: readonly [number, number]; below: readonly [number, number] };
/** Brightness and colours that are others from an MCU on to the end of its interval: steps of DC values by component that take it back. */
export type IntervalStep = RasterStep & { end: number };

/**
 * Whether brightness or colours are others by one amount from an MCU on to the end of its restart interval, where prediction begins anew (ISO/IEC
 * 10918-1, F.1.1.5.1), and nowhere else around: what a wrong DC difference leaves, and no picture has by itself, whose edges do not keep to
 * intervals.
 */
export const hasIntervalStep = (edged: Edged, interval: number): boolean =>
  nextStep(edged, risesOf(edged), interval, 0, alone) !== null;

/**
 * Takes such steps back in a picture that is known to be damaged, one after another by `raise`, which changes the edges; nothing is known of MCUs
 * that are not `filled`. Returns them.
 */
export function takeBackIntervalSteps(
  edged: Edged & { filled: Uint8Array },
  interval: number,
  raise: (steps: readonly number[], from: number, to: number) => void,
): IntervalStep[] {
  const { layout, filled } = edged;
  const found: IntervalStep[] = [];
  const rises = () =>
    risesOf(edged).map((rise) =>
      rise.map((value, place) => (filled[place] && filled[place - layout.across] ? value : Number.NaN)),
    );
  for (let from = 0, known = rises(); found.length < most; ) {
    const step = nextStep(edged, known, interval, from, damaged);
    if (!step) break;
    found.push(step);
    from = step.place + 1;
    raise(step.steps, step.place, step.end);
    known = rises();
  }
  return found;
}

function nextStep(
  { layout, edges }: Edged,
  rises: readonly Float32Array[],
  interval: number,
  from: number,
  needs: Needs,
): IntervalStep | null {
  const { across, total } = layout;
  const sums = rises.map(runningSums);
  for (let place = from; place < total; place++) {
    const isStart = needs.fromStart && place % interval === 0;
    if (!isStart && place % across < needs.quiet + skipped) continue;
    const span = spanAt(place, interval, across, total);
    const isFound = rises.some((rise, component) => {
      const here = strengthOf(sums[component] ?? new Float64Array(), span, needs);
      if (Math.abs(here) < needs.size * needs.mean || !begins(rise, span, across, here, isStart)) return false;
      return isProven({ layout, edges }, rise, span, component, needs);
    });
    if (!isFound) continue;
    const steps = rises.map((rise, component) => {
      const all = edgesOf(rise, span);
      const { middle, deviation, count } = middleOf(all, 0, all.length);
      const isClear = Math.abs(middle) * Math.sqrt(count) > deviation * errors && Math.abs(middle) >= 1;
      return isClear ? Math.round((-middle * 8) / (edges.tables[component]?.[0] ?? 1)) : 0;
    });
    if (needs === alone || steps.some((step) => step !== 0)) return { place, end: span.end, steps };
  }
  return null;
}

/** The step that would begin at an MCU. */
function spanAt(place: number, interval: number, across: number, total: number): Span {
  const end = Math.min(total, (Math.floor(place / interval) + 1) * interval);
  return {
    place,
    end,
    above: [Math.max(place, across), Math.max(across, Math.min(end, place + across))],
    below: [Math.max(place, end - across) + across, Math.min(total, end + across)],
  };
}

/** How much brighter all is than above and below, in sample values, below zero where it is darker; 0 where too few edges tell. */
function strengthOf(sums: Float64Array, { above, below }: Span, needs: Needs): number {
  const [upper, lower] = [above[1] - above[0], below[1] - below[0]];
  if (upper < needs.side || lower < needs.side || upper + lower < needs.edges) return 0;
  const mean = ([from, to]: readonly [number, number]) => ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  const [top, bottom] = [-mean(above), mean(below)];
  if (top > 0 !== bottom > 0) return 0;
  return Math.abs(top) < Math.abs(bottom) ? top : bottom;
}

/** Whether an MCU has the better half of a step above it, and below it where its interval does not go on there, and the one before has not, unless it is the first of an interval. */
function begins(rise: Float32Array, { place, end }: Span, across: number, step: number, isStart: boolean): boolean {
  const has = (at: number) =>
    (at < across || -(rise[at] ?? 0) / step > 1 / 2) &&
    (at + across < end || at + across >= rise.length || (rise[at + across] ?? 0) / step > 1 / 2);
  return has(place) && (isStart || !has(place - 1));
}

/** How much brighter a step is than what lies at each of its edges above and below. */
const edgesOf = (rise: Float32Array, { above, below }: Span): Float32Array =>
  Float32Array.from([...rise.slice(...above).map((value) => -value), ...rise.slice(...below)]);

function isProven({ layout, edges }: Edged, rise: Float32Array, span: Span, component: number, needs: Needs): boolean {
  const { across, total } = layout;
  const { place, end, above, below } = span;
  const all = edgesOf(rise, span);
  const { middle, deviation, count } = middleOf(all, 0, all.length);
  const amount = Math.abs(middle);
  if (amount < needs.size || deviation > amount * needs.deviation || count < needs.edges) return false;
  if (shareNear(all, 0, all.length, middle, amount / 2) < needs.within) return false;
  const isAlike = [-middleOf(rise, ...above).middle, middleOf(rise, ...below).middle].every(
    (side) => side / middle >= needs.ends[0] && side / middle <= needs.ends[1],
  );
  if (!isAlike) return false;
  // Where the step goes on in the row above or below, it shows there.
  const isWithin = (at: number) => at >= place && at < end;
  const isQuiet = (from: number, to: number) =>
    [0, across].every(
      (down) =>
        from + down < across ||
        to + down > total ||
        isWithin(to - 1 + (down > 0 ? across : -across)) ||
        isWithin(from + (down > 0 ? across : -across)) ||
        Math.abs(middleOf(rise, from + down, to + down).middle) <= amount * needs.left,
    );
  const row = place - (place % across);
  if (!isQuiet(Math.max(row, place - skipped - looked), Math.max(row, place - skipped))) return false;
  const rowEnd = Math.ceil(end / across) * across;
  if (end < rowEnd && !isQuiet(end, Math.min(rowEnd, total, end + looked))) return false;
  if (isStriped(rise, span, layout, amount * needs.striped)) return false;
  const isBeside = () =>
    besideOf(edges, place, component).some((gap) => Math.abs(gap + middle) <= amount * needs.beside);
  if (place > row && !isBeside()) return false;
  return variedAlong(edges, above[0], above[1] - above[0]) >= needs.textured;
}

/** Whether edges one row further away have a step as well: stripes go on above and below. */
const isStriped = (rise: Float32Array, { above, below }: Span, { across, total }: Edged['layout'], most: number) =>
  [
    [above[0] - across, above[1] - across],
    [below[0] + across, below[1] + across],
  ].some(([from = 0, to = 0]) => from >= across && to <= total && Math.abs(middleOf(rise, from, to).middle) > most);
