import type { Samples } from '../rows';

/** How far each sample of the row above may be off, as the expected square of its error. */
export class Doubt {
  values: Float32Array;
  any = false;
  #spare: Float32Array;

  constructor(row: number) {
    this.values = new Float32Array(row);
    this.#spare = new Float32Array(row);
  }

  get mean(): number {
    return this.values.reduce((sum, value) => sum + value, 0) / Math.max(1, this.values.length);
  }

  clear(): void {
    if (this.any) this.values.fill(0);
    this.any = false;
  }

  /** A whole row was lost and stands in by the one above. */
  lose(noise: number): void {
    for (let at = 0; at < this.values.length; at++) this.values[at] = Math.min(6000, (this.values[at] ?? 0) + noise);
    this.any = true;
  }

  /** The row to write the next values to. */
  next(): Float32Array {
    return this.#spare;
  }

  swap(): void {
    [this.values, this.#spare] = [this.#spare, this.values];
    this.any = this.values.some((value) => value > 0.5);
  }
}

/** A row to undo: its filter, where its bytes and what is known of them begin, and where it goes. */
export type DoubtfulRow = {
  filter: number;
  bytes: Uint8Array;
  known: Uint8Array;
  raw: number;
  out: Uint8Array;
  at: number;
  above: number;
  count: number;
  pixel: number;
};

/**
 * Undoes the filter of a row (ISO/IEC 15948, 9.2) that builds on doubtful samples or has lost bytes. A lost byte is replaced by what the
 * less doubtful of its neighbours makes likely; sums that leave the range of a byte are cut off there, as true ones hardly ever wrap
 * round, and cutting them off takes some of the error away.
 */
export function unfilterDoubtful(line: DoubtfulRow, doubt: Doubt, noise: number, samples: Samples): void {
  const { filter, bytes, known, raw, out, at, above, count, pixel } = line;
  const upper = doubt.values;
  const own = doubt.next();
  for (let index = 0; index < count; index++) {
    const hasLeft = index >= pixel;
    const left = hasLeft ? (out[at + index - pixel] ?? 0) : 0;
    const up = above >= 0 ? (out[above + index] ?? 0) : 0;
    const corner = above >= 0 && hasLeft ? (out[above + index - pixel] ?? 0) : 0;
    const leftDoubt = hasLeft ? (own[index - pixel] ?? 0) : 0;
    const upDoubt = above >= 0 ? (upper[index] ?? 0) : 0;
    if (known[raw + index] === 0) {
      const byLeft = hasLeft && leftDoubt < upDoubt && samples.numbers;
      const guess = byLeft ? left + (above >= 0 ? up - corner : 0) : above >= 0 ? up : left;
      out[at + index] = Math.max(0, Math.min(255, guess));
      own[index] = Math.min(6000, (byLeft ? leftDoubt : above >= 0 ? upDoubt : leftDoubt) + noise);
      continue;
    }
    let base = 0;
    let risk = 0;
    if (filter === 1) [base, risk] = [left, leftDoubt];
    else if (filter === 2) [base, risk] = [up, upDoubt];
    else if (filter === 3)
      [base, risk] = [(left + up) >> 1, (leftDoubt + upDoubt) / 4 + Math.sqrt(leftDoubt * upDoubt) / 2];
    else if (filter === 4) {
      const estimate = left + up - corner;
      const byLeft = Math.abs(estimate - left);
      const byUp = Math.abs(estimate - up);
      const byCorner = Math.abs(estimate - corner);
      base = byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
      risk = base === left ? leftDoubt : upDoubt;
    }
    const byte = bytes[raw + index] ?? 0;
    const exact = base + byte;
    // Only the high bytes of 16-bit samples say anything about size.
    const counts = samples.numbers && !(samples.wide && index % 2 === 1);
    out[at + index] =
      risk < 4 || !counts ? exact & 255 : Math.max(0, Math.min(255, base + (byte > 127 ? byte - 256 : byte)));
    own[index] = risk;
  }
  doubt.swap();
}
