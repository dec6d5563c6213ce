import type { ScanPlan } from '../../codecs/jpeg/reader';
import type { Canvas } from './canvas';
import { groundOf } from './levelling';
import { levelsWithin } from './levels';
import type { Preview } from './preview';
import type { Salvage } from './salvage';

/** Rows of MCUs lost in a hole from which on what lies above it tells little of the level behind it. */
const far = { rows: 1 };
/** Samples of the preview whose deviation from the picture in front of the hole is at most so much, in sample values, tell of what lies behind it; MCUs that are asked at least. */
const alike = { deviation: 14, mcus: 40 };

/** Share of the MCUs before and behind a hole that have one value, from which on it is their ground. */
const leastGround = 0.3;
/** How far, in sample values, what was matched to what is above it is off at most. */
const mostOff = 64;

/**
 * Levels what lies behind a large hole, whose first DC values nothing tells (ISO/IEC 10918-1, F.1.1.5.1): after the preview where there is one that
 * shows what lies before the hole; otherwise by what brightness and colours can be, near those of what lies above the hole. Returns
 * for how many that is a guess.
 */
export function levelBehindHoles(
  { canvas, stretches, damages }: Salvage,
  plan: ScanPlan,
  tables: readonly Uint16Array[],
  preview: Preview | null,
): number {
  let guessed = 0;
  for (const { behind } of damages) {
    if (!behind || behind.rows < far.rows) continue;
    const shown = preview && offsetsBy(canvas, preview, behind, tables);
    if (!shown) guessed++;
    const levels = shown ?? byGround(canvas, tables, behind) ?? levelsWithin(canvas, stretches, plan, tables, behind);
    canvas.raise(
      levels.map((level, index) => Math.round((level * 8) / (tables[index]?.[0] ?? 1))),
      behind.place,
    );
  }
  return guessed;
}

/**
 * By how much what lies behind a hole is off, by component in sample values, where one value is the ground before and behind it, as of drawings and of
 * things in front of black; null where there is none, or MCUs would be what samples cannot be then.
 */
function byGround(
  canvas: Canvas,
  tables: readonly Uint16Array[],
  { place, rows }: { place: number; rows: number },
): number[] | null {
  const { across, total } = canvas.layout;
  const broken = Math.max(0, place - Math.round(rows * across));
  return (
    stepsToGround(canvas, broken, place, total)?.map((step, component) => levelOf(tables, step, component)) ?? null
  );
}

const levelOf = (tables: readonly Uint16Array[], step: number, component: number): number =>
  (step * (tables[component]?.[0] ?? 1)) / 8;

/** Steps of DC values by component from the ground of MCUs `from` to `to` to that before `before`; null where there is none, or it cannot be. */
function stepsToGround(canvas: Canvas, before: number, from: number, to: number): number[] | null {
  const steps: number[] = [];
  for (let component = 0; component < canvas.layout.components; component++) {
    const own = groundOf(canvas, component, 0, before, leastGround);
    const behind = groundOf(canvas, component, from, to, leastGround);
    if (own === null || behind === null) return null;
    steps.push(own - behind);
  }
  const impossible = canvas.impossible();
  canvas.raise(steps, from);
  const isPossible = canvas.impossible() <= impossible;
  canvas.raise(
    steps.map((step) => -step),
    from,
  );
  return isPossible ? steps : null;
}

/**
 * Gives what was moved behind damage, and matched to what is above it, the ground of what comes before, where one value is the ground of both and they
 * are not far apart. Returns how many places that were.
 */
export function levelToGround({ canvas, damages }: Salvage, tables: readonly Uint16Array[]): number {
  const { total } = canvas.layout;
  const places = damages
    .filter(({ kind, behind }) => kind === 'moved' && !behind)
    .map((damage) => canvas.firstAt(damage))
    .filter((place) => place < total);
  let levelled = 0;
  for (const [index, place] of places.entries()) {
    const steps = stepsToGround(canvas, place, place, places[index + 1] ?? total);
    const isOff =
      steps?.some((step) => step !== 0) && steps.every((step, at) => Math.abs(levelOf(tables, step, at)) <= mostOff);
    if (!steps || !isOff) continue;
    canvas.raise(steps, place);
    levelled++;
  }
  return levelled;
}

/** By how much what lies behind a hole is off the preview, by component in sample values, where the preview shows what lies in front of it; null otherwise. */
function offsetsBy(
  canvas: Canvas,
  preview: Preview,
  { place, rows }: { place: number; rows: number },
  tables: readonly Uint16Array[],
): number[] | null {
  const { across, total, components } = canvas.layout;
  const broken = Math.max(0, place - Math.round(rows * across));
  const offsets: number[] = [];
  for (let component = 0; component < components; component++) {
    const before = gapsTo(canvas, preview, component, tables, 0, broken);
    const behind = gapsTo(canvas, preview, component, tables, place, total);
    if (before.length < alike.mcus || behind.length < alike.mcus) return null;
    const [usual, found] = [middleOf(before), middleOf(behind)];
    if (component === 0 && deviationOf(before, usual) > alike.deviation) return null;
    if (component === 0 && deviationOf(behind, found) > alike.deviation) return null;
    offsets.push(found - usual);
  }
  return offsets;
}

/** By how much the preview is brighter, or of another colour, at MCUs of the picture. */
function gapsTo(
  { layout, sums, filled }: Canvas,
  { width, height, rgb }: Preview,
  component: number,
  tables: readonly Uint16Array[],
  from: number,
  to: number,
): Float32Array {
  const { across, down, components } = layout;
  const step = (tables[component]?.[0] ?? 1) / 8;
  const gaps: number[] = [];
  for (let place = from; place < to; place++) {
    if (!filled[place]) continue;
    const column = Math.min(width - 1, Math.floor((((place % across) + 0.5) * width) / across));
    const row = Math.min(height - 1, Math.floor(((Math.floor(place / across) + 0.5) * height) / down));
    const at = (row * width + column) * 3;
    gaps.push(
      componentOf(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0, component) -
        (sums[place * components + component] ?? 0) * step,
    );
  }
  return Float32Array.from(gaps).sort();
}

const middleOf = (sorted: Float32Array): number => sorted[sorted.length >> 1] ?? 0;

const deviationOf = (values: Float32Array, middle: number): number =>
  Float32Array.from(values, (value) => Math.abs(value - middle)).sort()[values.length >> 1] ?? 0;

/** A component of a colour, from the middle of its range (Rec. ITU-T T.871, 7). */
function componentOf(red: number, green: number, blue: number, component: number): number {
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  if (component === 0) return light - 128;
  return component === 1 ? (blue - light) / 1.772 : (red - light) / 1.402;
}
