import type { Effort } from '../../report';
import { flip } from '../bits';
import { isUsual, type Known, learn, windowBits } from '../symbols';
import type { AvcSlice } from './header';
import type { PlainData } from './plain';
import { AvcSymbols } from './symbols';

/** Bits by which one change must be likelier than each other one; chosen on the bench. */
const lead = 12;
/** The share of windows of sound slices that are unlikelier than what may stand around the bit that was turned; chosen on the bench. */
const few = 0.03;

/** A slice without emulation prevention, and where its data ends, in bytes. */
export type OpenSlice = { slice: AvcSlice; bytes: Uint8Array; end: number };

/** Of several bits that may be the wrong one, tells the right one by the symbols that come of turning each: those of sound slices are the model. */
export class AvcLikeliest {
  readonly #data: PlainData;
  readonly #soundOf: (slice_type: number) => Iterable<OpenSlice>;
  readonly #known = new Map<number, Known<AvcSymbols> | null>();

  constructor(data: PlainData, soundOf: (slice_type: number) => Iterable<OpenSlice>) {
    this.#data = data;
    this.#soundOf = soundOf;
  }

  /** The one of these bits that is clearly the likeliest, and leaves nothing unlikely around it; null where there is none such. */
  choose({ slice, bytes, end }: OpenSlice, found: readonly number[], effort: Effort): number | null {
    const known = this.#knownOf(slice.slice_type);
    if (!known) return found.length === 1 ? (found[0] ?? null) : null;
    const weighed: { bit: number; excess: number; worst: number }[] = [];
    for (const bit of found) {
      if (effort.isSpent) return null;
      flip(bytes, bit);
      this.#data.observe(slice, bytes, end, known.symbols, Math.max(slice.data, bit - (windowBits.avc * 2) / 3));
      flip(bytes, bit);
      weighed.push({ bit, excess: known.symbols.excess, worst: known.symbols.worst[0] ?? 0 });
    }
    const [best, next] = weighed.sort((one, other) => one.excess - other.excess);
    if (!best || (next && next.excess - best.excess < lead)) return null;
    return isUsual(known, best.worst, few) ? best.bit : null;
  }

  #knownOf(slice_type: number): Known<AvcSymbols> | null {
    const before = this.#known.get(slice_type);
    if (before !== undefined) return before;
    const observe = ({ slice, bytes, end }: OpenSlice, symbols: AvcSymbols) =>
      this.#data.observe(slice, bytes, end, symbols).position - slice.data;
    const known = learn(new AvcSymbols(), () => this.#soundOf(slice_type), observe);
    this.#known.set(slice_type, known);
    return known;
  }
}
