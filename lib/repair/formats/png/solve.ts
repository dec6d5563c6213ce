import type { Effort } from '../../report';
import type { Field } from './field';

/**
 * A field with lost residuals. `variables` tells for each of them its place in `values`, -1 for the known ones; residuals with the same
 * place are equal. `centres` and `holds` say near which value each is held, and how strongly. `joined` tells whether the field continues the row above it.
 */
export type Puzzle = {
  field: Field;
  variables: Int32Array;
  values: Float32Array;
  centres: Float32Array;
  holds: Float32Array;
  joined: boolean;
  /** Step between bytes that count: 2 where only the first of two tells how bright a sample is. */
  step: number;
  effort: Effort;
};

/** Rows looked at in each round: what depends on early rows can be judged only when those are nearly right. */
const horizons = [4, 8, 8, 16, 16, 32, 32, 64, 64];
const steps = 16;
/** Differences below this many levels are noise. */
const noise = 3;

/**
 * Finds lost residuals: those with which the rows that build on them differ least from their neighbours, by the sum of the differences'
 * sizes (weighted least squares, by conjugate gradients). The field is left with the best image.
 */
export function solve(puzzle: Puzzle): void {
  const { field, values, centres, holds } = puzzle;
  const across = new Float32Array(field.image.length);
  const down = new Float32Array(field.image.length);
  const prior = new Float32Array(values.length);
  const before = new Float32Array(values.length);
  for (const horizon of horizons) {
    if (horizon > field.rows * 2 || puzzle.effort.isSpent) continue;
    field.active = Math.min(field.rows, horizon);
    spread(puzzle, values, field.residual);
    field.undo();
    const cost = weigh(puzzle, across, down);
    puzzle.effort.spend('solvedSample', field.size * 3);
    for (let at = 0; at < values.length; at++)
      prior[at] = (holds[at] ?? 0) / (Math.abs((values[at] ?? 0) - (centres[at] ?? 0)) + noise);
    before.set(values);
    descend(puzzle, across, down, prior);
    // Paeth may take other neighbours after a step, which can spoil more than the step mended: then half of it may do.
    for (let tries = 0; tries < 4; tries++) {
      spread(puzzle, values, field.residual);
      field.undo();
      if (weigh(puzzle, across, down) <= cost) break;
      for (let at = 0; at < values.length; at++)
        values[at] = tries === 3 ? (before[at] ?? 0) : ((values[at] ?? 0) + (before[at] ?? 0)) / 2;
    }
  }
  field.active = field.rows;
  spread(puzzle, values, field.residual);
  field.undo();
}

/** Puts values to the places of the residuals that have them. */
function spread({ field, variables }: Puzzle, values: Float32Array, out: Float32Array): void {
  for (let at = field.count, end = field.size; at < end; at++) {
    const variable = variables[at] ?? -1;
    if (variable >= 0) out[at] = values[variable] ?? 0;
  }
}

/** Adds up for each value what stands at the places of its residuals. */
function gather({ field, variables }: Puzzle, places: Float32Array, out: Float32Array): void {
  out.fill(0);
  for (let at = field.count, end = field.size; at < end; at++) {
    const variable = variables[at] ?? -1;
    if (variable >= 0) out[variable] = (out[variable] ?? 0) + (places[at] ?? 0);
  }
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

/** Work of one descent: what hangs on each value, what is left to do, where the next step goes, and what that does. */
type Descent = {
  scale: Float32Array;
  rest: Float32Array;
  direction: Float32Array;
  bent: Float32Array;
};

/** Share of the first slope at which a descent has come far enough. */
const enoughOfFirst = 1e-3;

/** Conjugate gradients (Hestenes and Stiefel 1952), each value scaled by how much hangs on it. */
function descend(puzzle: Puzzle, across: Float32Array, down: Float32Array, prior: Float32Array): void {
  const { field, values, effort } = puzzle;
  const count = values.length;
  const slope = new Float32Array(field.image.length);
  const moved = new Float32Array(field.image.length);
  const change = new Float32Array(field.image.length);
  const own = (): Float32Array => new Float32Array(count);
  const descent: Descent = { scale: own(), rest: own(), direction: own(), bent: own() };
  // How much hangs on each value, as a measure of how far one step may go.
  for (let at = field.count; at < field.size; at++) slope[at] = (across[at] ?? 0) + (down[at] ?? 0);
  field.pull(slope);
  gather(puzzle, slope, descent.scale);
  slopes(field, field.image, across, down, slope);
  field.pull(slope);
  gather(puzzle, slope, descent.rest);
  let strength = setOut(puzzle, prior, descent);
  const enough = strength * enoughOfFirst;
  for (let step = 0; step < steps && strength > enough && !effort.isSpent; step++) {
    effort.spend('solvedSample', field.size);
    spread(puzzle, descent.direction, change);
    field.push(change, moved);
    slopes(field, moved, across, down, slope);
    field.pull(slope);
    gather(puzzle, slope, descent.bent);
    const bend = bendOf(prior, descent);
    if (!(bend > 0)) break;
    strength = advance(values, descent, strength, strength / bend);
  }
}

/** Where the first step goes; how strongly. */
function setOut({ values, centres }: Puzzle, prior: Float32Array, { scale, rest, direction }: Descent): number {
  let strength = 0;
  for (let at = 0; at < values.length; at++) {
    scale[at] = 1 / (2 * (scale[at] ?? 0) + (prior[at] ?? 0) + 1e-6);
    const value = -(rest[at] ?? 0) - (prior[at] ?? 0) * ((values[at] ?? 0) - (centres[at] ?? 0));
    rest[at] = value;
    direction[at] = value * (scale[at] ?? 0);
    strength += value * (direction[at] ?? 0);
  }
  return strength;
}

/** How much the slope changes along the direction; adds what the centres do to it. */
function bendOf(prior: Float32Array, { direction, bent }: Descent): number {
  let bend = 0;
  for (let at = 0; at < bent.length; at++) {
    bent[at] = (bent[at] ?? 0) + (prior[at] ?? 0) * (direction[at] ?? 0);
    bend += (bent[at] ?? 0) * (direction[at] ?? 0);
  }
  return bend;
}

/** Goes a step of this length and turns; how strongly the next one goes. */
function advance(values: Float32Array, descent: Descent, strength: number, length: number): number {
  const { scale, rest, direction, bent } = descent;
  let next = 0;
  for (let at = 0; at < values.length; at++) {
    values[at] = (values[at] ?? 0) + length * (direction[at] ?? 0);
    rest[at] = (rest[at] ?? 0) - length * (bent[at] ?? 0);
    next += (rest[at] ?? 0) ** 2 * (scale[at] ?? 0);
  }
  const share = next / strength;
  for (let at = 0; at < values.length; at++)
    direction[at] = (rest[at] ?? 0) * (scale[at] ?? 0) + share * (direction[at] ?? 0);
  return next;
}
