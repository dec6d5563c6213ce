import type { Effort } from '../../report';
import { flip } from '../bits';
import type { AvcSlice } from './header';
import type { PlainData } from './plain';
import { AvcSymbols, windowBits } from './symbols';

/** Bits of sound slices of a type that are read to know its symbols, at least and at most; chosen on the bench. */
const learnt = { least: 30_000, most: 800_000 };
/** Bits by which one change must be likelier than each other one; chosen on the bench. */
const lead = 12;
/** The share of windows of sound slices of which one must be unlikelier than what stands around the bit that was turned; chosen on the bench. */
const usualShare = 0.97;

/** A slice without emulation prevention, and where its data ends, in bytes. */
export type OpenSlice = { slice: AvcSlice; bytes: Uint8Array; end: number };

/** The least likely stretches in windows of sound slices, from the least on. */
type Known = { symbols: AvcSymbols; worst: readonly number[] };

/** Of several bits that may be the wrong one, tells the right one by the symbols that come of turning each: those of sound slices are the model. */
export class AvcLikeliest {
  readonly #data: PlainData;
  readonly #soundOf: (slice_type: number) => Iterable<OpenSlice>;
  readonly #known = new Map<number, Known | null>();

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
      const from = Math.max(slice.data, bit - (windowBits * 2) / 3);
      this.#data.observe(slice, bytes, end, known.symbols, from);
      flip(bytes, bit);
      weighed.push({ bit, excess: known.symbols.excess, worst: known.symbols.worst[0] ?? 0 });
    }
    const [best, next] = weighed.sort((one, other) => one.excess - other.excess);
    if (!best || (next && next.excess - best.excess < lead)) return null;
    // Where more than one bit is wrong, turning one may do as well, but what lies around it stays unlikely.
    const usual = known.worst.filter((worst) => worst >= best.worst).length;
    return usual >= known.worst.length * (1 - usualShare) ? best.bit : null;
  }

  #knownOf(slice_type: number): Known | null {
    const before = this.#known.get(slice_type);
    if (before !== undefined) return before;
    const symbols = new AvcSymbols();
    let bits = 0;
    for (const { slice, bytes, end } of this.#soundOf(slice_type)) {
      bits += this.#data.observe(slice, bytes, end, symbols).position - slice.data;
      if (bits > learnt.most) break;
    }
    symbols.isLearning = false;
    const worst: number[] = [];
    let again = 0;
    for (const { slice, bytes, end } of this.#soundOf(slice_type)) {
      again += this.#data.observe(slice, bytes, end, symbols).position - slice.data;
      for (const value of symbols.worst) worst.push(value ?? 0);
      if (again > learnt.most) break;
    }
    const known = bits < learnt.least ? null : { symbols, worst };
    this.#known.set(slice_type, known);
    return known;
  }
}
