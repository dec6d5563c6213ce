import type { Mended } from '../flate/mend';

/** Largest data, in bytes, for which copies of lost bytes are followed: eight bytes are needed for each. */
const mostTied = 24 << 20;

/**
 * Which lost bytes are copies of each other: a program writes most bytes as copies of earlier ones, so that the same lost byte comes up
 * again and again, and what one place tells about it holds at all of them.
 */
export class Ties {
  readonly #origins: Int32Array | null = null;
  /** The residual that each lost byte was found to have so far, at the place it was copied from. */
  readonly #values: Float32Array | null = null;

  constructor({ data, known, copies }: Mended) {
    if (data.length > mostTied || copies.length === 0) return;
    const origins = new Int32Array(data.length).fill(-1);
    for (let index = 0; index < copies.length; index += 3) {
      const [to, from, count] = [copies[index] ?? 0, copies[index + 1] ?? 0, copies[index + 2] ?? 0];
      for (let step = 0; step < count; step++)
        if (to + step < data.length) origins[to + step] = from < 0 ? -1 : from + step;
    }
    for (let at = 0; at < data.length; at++) {
      const from = origins[at] ?? -1;
      if (from < 0 || known[at] !== 0 || known[from] !== 0) origins[at] = at;
      else origins[at] = origins[from] ?? at;
    }
    this.#origins = origins;
    this.#values = new Float32Array(data.length).fill(Number.NaN);
  }

  /** The place of the lost byte that the one at `at` is a copy of, itself if of none. */
  origin(at: number): number {
    return this.#origins?.[at] ?? at;
  }

  /** What was found before for the byte of an origin; NaN when nothing was. */
  value(origin: number): number {
    return this.#values?.[origin] ?? Number.NaN;
  }

  learn(origin: number, value: number): void {
    if (this.#values) this.#values[origin] = value;
  }
}
