/**
 * What the codes of Canon's CRX pictures have in common for reading and writing, as LibRaw reads them: each line is foretold from the one
 * above by the median of ISO/IEC 14495-1 (JPEG-LS), A.4; differences stand in Golomb codes whose parameter follows the values before, and
 * what goes on unchanged in codes of runs (A.7.1).
 */

/** Bits of what is left of a run, by how the runs before went (ISO/IEC 14495-1, A.2.1, table J). */
const leftBits = [
  0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15,
] as const;
/** Zeros from which on a value stands in bits of its own, how many these are, and the largest parameter of codes. */
export const escaped = { zeros: 41, bits: 21 } as const;
const mostParameter = 15;

/** How runs went so far. */
export class Runs {
  #went = 0;

  /** Bits of what is left of a run behind its steps. */
  get leftBits(): number {
    return leftBits[this.#went] ?? 0;
  }

  /** Values of the next step. */
  get step(): number {
    return 1 << this.leftBits;
  }

  longer(): void {
    this.#went = Math.min(leftBits.length - 1, this.#went + 1);
  }

  shorter(): void {
    this.#went = Math.max(0, this.#went - 1);
  }
}

/** The parameter of codes behind one that stood for `code`. */
export function nextParameter(now: number, code: number): number {
  const scaled = code >>> now;
  const next = now - (code < (1 << now) >> 1 ? 1 : 0) + (scaled > 2 ? 1 : 0) + (scaled > 5 ? 1 : 0);
  return Math.min(next, mostParameter);
}

/** The code by which the parameter goes on where more of the line follows: the mean with how steep the line above goes on. */
export const codeAhead = (code: number, above: Int32Array, column: number): number =>
  (code + 2 * Math.abs((above[column + 2] ?? 0) - (above[column + 1] ?? 0))) >>> 1;

/** The median of left, above, and left plus above less what stands between (ISO/IEC 14495-1, A.4.1). */
export function median(left: number, up: number, corner: number): number {
  const least = Math.min(left, up);
  const most = Math.max(left, up);
  if (corner >= most) return least;
  if (corner <= least) return most;
  return left + up - corner;
}
