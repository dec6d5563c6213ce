/** What of a macroblock is held against others: its bits, mb_qp_delta in its mapped form (ISO/IEC 14496-10, 9.1.1), and the sizes of mvd and of coefficients. */
export const measure = { bits: 0, qpDelta: 1, difference: 2, level: 3 } as const;
type Measure = (typeof measure)[keyof typeof measure];
const measures = 4;

/** slice_type of P, B and I slices (table 7-6), which differ in what they take. */
const sliceTypes = 3;
/** Macroblocks of a type of slices that must have been read before their extremes say anything; chosen on the bench. */
const enough = 2000;
/** What others may exceed them by: as a factor, and by measure; chosen on the bench. */
const factor = 1.5;
const room = [40, 2, 8, 2] as const;
const unbounded = 2 ** 31 - 1;

/**
 * The most that macroblocks of sound slices take, by type of slice. What is read behind a wrong bit follows the contexts, which follow what is read:
 * they drift until values are coded that the stream holds nowhere, long before one is out of its standard's range.
 */
export class AvcExtremes {
  readonly #learnt = Array.from({ length: sliceTypes }, () => ({ blocks: 0, most: new Int32Array(measures) }));
  readonly #seen = new Int32Array(measures);
  readonly #bounds = new Int32Array(measures);

  /** Begins a slice: held against others of its type where `isBound`, and those are known. */
  begin(slice_type: number, isBound: boolean): void {
    const { blocks, most } = this.#learnt[slice_type] ?? { blocks: 0, most: this.#seen };
    const isKnown = isBound && blocks >= enough;
    this.#seen.fill(0);
    for (let index = 0; index < measures; index++)
      this.#bounds[index] = isKnown ? (most[index] as number) * factor + (room[index] as number) : unbounded;
  }

  /** Notes what a macroblock takes; false where it is more than in any other slice. */
  allows(index: Measure, value: number): boolean {
    if (value > (this.#seen[index] as number)) this.#seen[index] = value;
    return value <= (this.#bounds[index] as number);
  }

  /** The slice that was begun last was read to its end, with so many macroblocks. */
  learn(slice_type: number, blocks: number): void {
    const own = this.#learnt[slice_type];
    if (!own) return;
    own.blocks += blocks;
    for (const [index, value] of this.#seen.entries()) own.most[index] = Math.max(own.most[index] ?? 0, value);
  }
}
