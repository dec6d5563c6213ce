import type { Field } from './field';

/** A field with lost residuals; `joined` tells whether it continues the row above it. */
export type Puzzle = {
  field: Field;
  joined: boolean;
  /** Step between bytes that count: 2 where only the first of two tells how bright a sample is. */
  step: number;
  late: () => boolean;
};

/** Rows looked at in each round: what depends on early rows can be judged only when those are nearly right. */
const horizons = [4, 8, 8, 16, 16, 32, 32, 64, 64];
const steps = 16;
/** Differences below this many levels are noise. */
const noise = 3;
/** How strongly lost residuals are held near zero, against one difference of neighbouring samples. */
const hold = 0.3;

/**
 * Finds lost residuals: those with which the rows that build on them differ least from their neighbours, by the sum of the differences'
 * sizes (weighted least squares, by conjugate gradients). The field is left with the best image.
 */
export function solve(puzzle: Puzzle): void {
  const { field } = puzzle;
  const { open, residual } = field;
  const length = field.image.length;
  const across = new Float32Array(length);
  const down = new Float32Array(length);
  const prior = new Float32Array(length);
  const before = new Float32Array(length);
  const most = Math.min(field.rows, horizons.at(-1) ?? 1);
  for (const horizon of horizons) {
    if (horizon > most * 2 || puzzle.late()) continue;
    field.active = Math.min(field.rows, horizon);
    field.undo();
    const cost = weigh(puzzle, across, down);
    const { size } = field;
    for (let at = 0; at < size; at++) prior[at] = open[at] === 1 ? hold / (Math.abs(residual[at] ?? 0) + noise) : 0;
    before.set(residual.subarray(0, size));
    descend(puzzle, across, down, prior);
    // Paeth may take other neighbours after a step, which can spoil more than the step mended: then half of it may do.
    for (let tries = 0; tries < 4; tries++) {
      field.undo();
      if (weigh(puzzle, across, down) <= cost) break;
      for (let at = 0; at < size; at++)
        residual[at] = tries === 3 ? (before[at] ?? 0) : ((residual[at] ?? 0) + (before[at] ?? 0)) / 2;
    }
    (globalThis as any).onRound?.(horizon);
  }
  field.active = field.rows;
  field.undo();
}

function weigh({ field, joined, step }: Puzzle, across: Float32Array, down: Float32Array): number {
  const { image, count, pixel, active } = field;
  let cost = 0;
  for (let row = 1; row <= active; row++) {
    const from = row * count;
    for (let index = 0; index < count; index++) {
      const at = from + index;
      if (step === 2 && (index & 1) === 1) continue;
      const value = image[at] ?? 0;
      const level = index >= pixel ? Math.abs(value - (image[at - pixel] ?? 0)) : -1;
      const fall = row > 1 || joined ? Math.abs(value - (image[at - count] ?? 0)) : -1;
      across[at] = level < 0 ? 0 : 1 / (level + noise);
      down[at] = fall < 0 ? 0 : 1 / (fall + noise);
      cost += Math.max(0, level) + Math.max(0, fall);
    }
  }
  return cost;
}

/** The slope of the weighted sum of squares of differences, of `values` laid out as the image. */
function slopes(
  { count, pixel, size }: Field,
  values: Float32Array,
  across: Float32Array,
  down: Float32Array,
  out: Float32Array,
): void {
  out.fill(0, 0, size);
  for (let at = count; at < size; at++) {
    const value = values[at] ?? 0;
    const level = across[at] ?? 0;
    if (level > 0) {
      const slope = level * (value - (values[at - pixel] ?? 0));
      out[at] = (out[at] ?? 0) + slope;
      out[at - pixel] = (out[at - pixel] ?? 0) - slope;
    }
    const fall = down[at] ?? 0;
    if (fall > 0) {
      const slope = fall * (value - (values[at - count] ?? 0));
      out[at] = (out[at] ?? 0) + slope;
      out[at - count] = (out[at - count] ?? 0) - slope;
    }
  }
}

function descend({ field, late }: Puzzle, across: Float32Array, down: Float32Array, prior: Float32Array): void {
  const { open, size } = field;
  const gradient = new Float32Array(size);
  const moved = new Float32Array(size);
  const scale = new Float32Array(size);
  // How much hangs on each residual, as a measure of how far one step may go.
  for (let at = field.count; at < size; at++) scale[at] = (across[at] ?? 0) + (down[at] ?? 0);
  field.pull(scale);
  for (let at = 0; at < size; at++) scale[at] = 1 / (2 * (scale[at] ?? 0) + (prior[at] ?? 0) + 1e-6);
  slopes(field, field.image, across, down, gradient);
  field.pull(gradient);
  const rest = new Float32Array(size);
  const direction = new Float32Array(size);
  let strength = 0;
  for (let at = 0; at < size; at++) {
    if (open[at] !== 1) continue;
    const value = -(gradient[at] ?? 0) - (prior[at] ?? 0) * (field.residual[at] ?? 0);
    rest[at] = value;
    direction[at] = value * (scale[at] ?? 0);
    strength += value * (direction[at] ?? 0);
  }
  for (let step = 0; step < steps && strength > 1e-4 && !late(); step++) {
    field.push(direction, moved);
    slopes(field, moved, across, down, gradient);
    field.pull(gradient);
    let bend = 0;
    for (let at = 0; at < size; at++) {
      if (open[at] !== 1) continue;
      const value = (gradient[at] ?? 0) + (prior[at] ?? 0) * (direction[at] ?? 0);
      gradient[at] = value;
      bend += value * (direction[at] ?? 0);
    }
    if (!(bend > 0)) break;
    const length = strength / bend;
    let next = 0;
    for (let at = 0; at < size; at++) {
      if (open[at] !== 1) continue;
      field.residual[at] = (field.residual[at] ?? 0) + length * (direction[at] ?? 0);
      const value = (rest[at] ?? 0) - length * (gradient[at] ?? 0);
      rest[at] = value;
      next += value * value * (scale[at] ?? 0);
    }
    const share = next / strength;
    for (let at = 0; at < size; at++)
      if (open[at] === 1) direction[at] = (rest[at] ?? 0) * (scale[at] ?? 0) + share * (direction[at] ?? 0);
    strength = next;
  }
}
