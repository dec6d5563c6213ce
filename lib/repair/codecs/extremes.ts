/** Types of slices, which differ in what their blocks take: P, B and I in H.264 (ISO/IEC 14496-10, table 7-6), B, P and I in HEVC (ISO/IEC 23008-2, table 7-7). */
const sliceTypes = 3;
/** Macroblocks, or as many samples, of a type of slices that must have been read before their extremes say anything; chosen on the bench. */
const enough = 2000;
/** What others may exceed them by as a factor; chosen on the bench. */
const factor = 1.5;
const unbounded = 2 ** 31 - 1;

/**
 * The most that blocks of sound slices take, by type of slice and by measure. What is read behind a wrong bit follows the contexts, which follow what
 * is read: they drift until values are coded that the stream holds nowhere, long before one is out of its standard's range.
 */
export class Extremes {
  readonly #learnt: { blocks: number; most: Int32Array }[];
  /** By measure, what others may exceed the most by beside the factor. */
  readonly #room: readonly number[];
  readonly #seen: Int32Array;
  readonly #bounds: Int32Array;

  constructor(room: readonly number[]) {
    this.#room = room;
    const all = () => new Int32Array(room.length);
    this.#learnt = Array.from({ length: sliceTypes }, () => ({ blocks: 0, most: all() }));
    this.#seen = all();
    this.#bounds = all();
  }

  /** Begins a slice: held against others of its type, where those are known, by so many times what they may exceed them by; not at all where that is null. */
  begin(slice_type: number, times: number | null): void {
    const { blocks, most } = this.#learnt[slice_type] ?? { blocks: 0, most: this.#seen };
    const isKnown = times !== null && blocks >= enough;
    this.#seen.fill(0);
    for (const [index, more] of this.#room.entries())
      this.#bounds[index] = isKnown ? ((most[index] as number) * factor + more) * times : unbounded;
  }

  /** Notes what a block takes; false where it is more than in any other slice. */
  allows(index: number, value: number): boolean {
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
