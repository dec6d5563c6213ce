import type { Mended } from '../../core/deflate/mended';

/** Largest data behind the first lost byte, and in all, for which copies of lost bytes are followed: six bytes are needed for each. */
const mostTied = 20 << 20;
const mostData = 32 << 20;
const parts = 64;
const none = -32_768;

/**
 * Which lost bytes are copies of each other: a program writes most bytes as copies of earlier ones, so that the same lost byte comes up
 * again and again, and what one place tells about it holds at all of them.
 */
export class Ties {
  /** The first lost byte; nothing is kept about those before it. */
  readonly #from: number = 0;
  readonly #origins: Int32Array | null = null;
  /** The residual that each lost byte was found to have so far, at the place it was copied from, in parts of a level; `none` before. */
  readonly #values: Int16Array | null = null;

  constructor({ data, known, copies }: Mended) {
    const from = known.indexOf(0);
    const size = data.length - from;
    if (from < 0 || size > mostTied || data.length > mostData || copies.length === 0) return;
    const origins = new Int32Array(size).fill(-1);
    for (let index = 0; index < copies.length; index += 3) {
      const [to, source, count] = [copies[index] ?? 0, copies[index + 1] ?? 0, copies[index + 2] ?? 0];
      for (let step = Math.max(0, from - to); step < count && to + step < data.length; step++)
        origins[to + step - from] = source < 0 ? -1 : source + step;
    }
    for (let at = from; at < data.length; at++) {
      const source = origins[at - from] ?? -1;
      const isCopy = source >= from && known[at] === 0 && known[source] === 0;
      origins[at - from] = isCopy ? (origins[source - from] ?? at) : at;
    }
    this.#from = from;
    this.#origins = origins;
    this.#values = new Int16Array(size).fill(none);
  }

  /** The place of the lost byte that the one at `at` is a copy of, itself if of none. */
  origin(at: number): number {
    return this.#origins?.[at - this.#from] ?? at;
  }

  /** What was found before for the byte of an origin; NaN when nothing was. */
  value(origin: number): number {
    const value = this.#values?.[origin - this.#from] ?? none;
    return value === none ? Number.NaN : value / parts;
  }

  learn(origin: number, value: number): void {
    if (this.#values) this.#values[origin - this.#from] = Math.round(Math.max(-128, Math.min(127, value)) * parts);
  }
}
