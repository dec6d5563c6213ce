import { type Edges, misfit } from './edges';

/** The smallest step in brightness that counts, in sample values. */
const leastStep = 14;

/** Running sums, so that the mean and spread of any window cost the same. */
class Windows {
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;

  constructor(values: Float32Array) {
    this.#sums = new Float64Array(values.length + 1);
    this.#squares = new Float64Array(values.length + 1);
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? 0;
      this.#sums[index + 1] = (this.#sums[index] ?? 0) + value;
      this.#squares[index + 1] = (this.#squares[index] ?? 0) + value * value;
    }
  }

  mean(from: number, to: number): number {
    const [start, end] = [Math.max(0, from), Math.min(this.#sums.length - 1, to)];
    return end > start ? ((this.#sums[end] ?? 0) - (this.#sums[start] ?? 0)) / (end - start) : 0;
  }

  spread(from: number, to: number): number {
    const [start, end] = [Math.max(0, from), Math.min(this.#sums.length - 1, to)];
    if (end <= start) return 0;
    const mean = this.mean(from, to);
    return Math.sqrt(
      Math.max(0, ((this.#squares[end] ?? 0) - (this.#squares[start] ?? 0)) / (end - start) - mean * mean),
    );
  }
}

/**
 * Places where the data falls out of step although every code can be read: from there on, for exactly one row of MCUs, nothing fits to
 * what is above, by a constant step in brightness or by shifted content. No picture has an edge of that shape by itself, unless it
 * begins at the left border, so steps there are not counted. Without `shifts` only steps of brightness count.
 */
export function findBreaks(edges: Edges, count: number, across: number, shifts = true): number[] {
  if (across < 8 || count < across * 3) return [];
  const steps = new Float32Array(count);
  const fits = new Float32Array(count);
  const { columns, top, bottom } = edges;
  for (let mcu = across + 1; mcu < count; mcu++) {
    let sum = 0;
    for (let column = 0; column < columns; column++)
      sum += (bottom[(mcu - across) * columns + column] ?? 0) - (top[mcu * columns + column] ?? 0);
    steps[mcu] = Math.max(-160, Math.min(160, sum / columns));
    fits[mcu] = misfit(edges, mcu - across, mcu);
  }
  const step = new Windows(steps);
  const fit = new Windows(fits);
  const half = across >> 1;
  const overall = fit.mean(across, count);
  const strength = new Float32Array(count);
  for (let mcu = across + 1; mcu + across <= count; mcu++) {
    const column = mcu % across;
    const mean = Math.abs(step.mean(mcu, mcu + across));
    const around = Math.max(
      Math.abs(step.mean(mcu - half, mcu)),
      Math.abs(step.mean(mcu + across, mcu + across + half)),
    );
    const spread = step.spread(mcu, mcu + across);
    if (column > 1 && column < across - 1 && mean > leastStep && mean > spread * 1.4 && around < mean / 3)
      strength[mcu] = mean / leastStep;
    const misfits = fit.mean(mcu, mcu + across);
    const usual = Math.max(fit.mean(mcu - across, mcu), fit.mean(mcu + across, mcu + across * 2), overall);
    if (shifts && misfits > usual * 3 + 4) strength[mcu] = Math.max(strength[mcu] ?? 0, misfits / (usual * 3 + 4));
  }
  return peaks(strength, half);
}

/** The breaks that are steps of brightness beyond doubt, for a picture that nothing else speaks against. */
export function findSteps(edges: Edges, count: number, across: number): number[] {
  return findBreaks(edges, count, across, false);
}

/** The strongest place of every stretch that stands out. */
function peaks(strength: Float32Array, apart: number): number[] {
  const found: number[] = [];
  let best = -1;
  for (let at = 0; at < strength.length; at++) {
    if ((strength[at] ?? 0) > 0 && (best < 0 || (strength[at] ?? 0) > (strength[best] ?? 0))) best = at;
    if (best >= 0 && at - best > apart) {
      found.push(best);
      best = -1;
    }
  }
  if (best >= 0) found.push(best);
  return found;
}
