import { isJoint, type JointScale } from './joints';
import { type Likeness, lostByte } from './likeness';
import type { Piece } from './pieces';

/** Bytes of a piece that are learnt from before its place is known: what lies far behind may be damaged again. */
const learntAhead = 1 << 16;

/** Takes in what text looks like from what pieces tell without what stood before them, once for each symbol. */
export class AheadLearner {
  readonly #likeness: Likeness;
  readonly #scale: JointScale;
  /** Bytes of packed data whose symbols were learnt from. */
  readonly #done: Uint8Array;
  /** What joints of the piece that was learnt from last counted before that. */
  mean: number | null = null;

  constructor(packed: number, likeness: Likeness, scale: JointScale) {
    this.#done = new Uint8Array(packed + 1);
    this.#likeness = likeness;
    this.#scale = scale;
  }

  /** Whether the symbol at a bit was not learnt from yet. */
  isNew(bit: number): boolean {
    return this.#done[bit >> 3] === 0;
  }

  /** Learns from the beginning of a piece. */
  learn({ values, bits, length }: Piece): void {
    const from = bits.subarray(0, Math.min(length, learntAhead)).findIndex((bit) => this.isNew(bit));
    if (from < 0) return;
    const last = Math.min(length, from + learntAhead);
    const joined = {
      byteAt: (index: number) => Math.max(-1, values[index] ?? -1) & lostByte,
      isJoint: (index: number) => isJoint(bits, index),
      isNew: () => true,
      learn: (begin: number, end: number) => this.#take(values.subarray(Math.max(0, begin - 2), end)),
    };
    const end = bits.subarray(from, last).findIndex((bit) => !this.isNew(bit));
    const to = end < 0 ? last : from + end;
    const { mean, to: learnt } = this.#scale.meanOf(joined, from, to);
    this.mean = mean;
    this.#done.fill(1, (bits[from] ?? 0) >> 3, ((bits[learnt - 1] ?? 0) >> 3) + 1);
  }

  #take(values: Int32Array): void {
    for (let index = 2; index < values.length; index++) {
      const [first, second, third] = [values[index - 2] ?? -1, values[index - 1] ?? -1, values[index] ?? -1];
      if (first >= 0 && second >= 0 && third >= 0) this.#likeness.learnDoubted(first, second, third);
    }
  }
}
