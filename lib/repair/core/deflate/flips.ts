import type { Effort } from '../../report';
import type { RowModel } from './model';
import { type FlateReader, type Place, sizesAt } from './reader';

/** Where to look for a wrong bit, and what setting it right must do. */
export type FlipSearch = {
  reader: FlateReader;
  model: RowModel;
  /** The last row known to begin right, and the place where it does. */
  row: number;
  place: Place;
  /** The row that is wrong. */
  trouble: number;
  /** By how many bytes what follows stands too far behind; null when it could not be read at all, 'open' when that could not be told. */
  shift: number | null | 'open';
  /** Whether a bit may be wrong by the check sums. */
  suspect: (bit: number) => boolean;
  /** Whether copies that were noted while reading show it to be garbage. */
  garbage: (trace: readonly number[]) => boolean;
  effort: Effort;
};

const mostSymbols = 300;

const flip = (source: Uint8Array, bit: number) => {
  source[bit >>> 3] = (source[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
};

/**
 * Looks for the one bit whose change sets the rows right: symbols soon fall back into step behind a wrong bit, so that most bits can be
 * ruled out by the number of bytes they would give; the others are judged by how smooth the rows become. The bit is left changed when
 * one is found; -1 when none is.
 */
export function findFlip(search: FlipSearch): number {
  const { reader, model, place, row, trouble } = search;
  const { view, source } = reader;
  // Without a shift to ask for, chance has more room, so that more rows have to be right.
  const [ahead, limit] = search.shift === 'open' ? [4, model.typical * 1.5 + 1] : [2, model.typical * 1.7 + 2];
  const last = Math.min(model.starts.length - 1, trouble + ahead);
  const best = { bit: -1, cost: limit };
  const judge = (bit: number, from: Place) => {
    reader.place = from;
    const trace: number[] = [];
    reader.trace = trace;
    const stop = reader.advance((model.starts[last] ?? 0) + model.ahead);
    reader.trace = null;
    if (stop !== 'full' && stop !== 'final') return;
    if (stop === 'final' && reader.place.length < reader.output.length) return;
    for (let line = row + 1; line <= Math.min(last, model.starts.length - 2); line++)
      if (!model.sound(reader.output, reader.known, line)) return;
    if (search.garbage(trace)) return;
    const cost = model.roughness(reader.output, row, Math.max(row + 1, Math.min(last - 1, trouble + 3)), best.cost);
    if (cost < best.cost) Object.assign(best, { bit, cost });
  };
  const { tables } = place;
  if (!tables) {
    if (place.stored > 0) return -1;
    // The block's own header is damaged: none of its bits gives symbols to walk along.
    for (let bit = place.bit; bit < Math.min(place.bit + 1200, reader.end) && !search.effort.isSpent; bit++) {
      if (!search.suspect(bit)) continue;
      flip(source, bit);
      judge(bit, place);
      flip(source, bit);
    }
    if (best.bit >= 0) flip(source, best.bit);
    return best.bit;
  }
  // The symbols as they are read now, up to some way behind the trouble.
  const steps: number[] = [];
  const lengths = new Map<number, number>();
  const stopAt =
    (model.starts[trouble] ?? 0) + model.ahead + (typeof search.shift === 'number' ? Math.max(0, search.shift) : 0);
  let [bit, length] = [place.bit, place.length];
  let beyond = 0;
  for (;;) {
    steps.push(bit);
    lengths.set(bit, length);
    const symbol = bit < reader.end ? sizesAt(view, tables, bit) : 0;
    if (symbol === 0 || (length > stopAt && ++beyond > mostSymbols)) break;
    bit += symbol & 63;
    length += symbol >> 6;
  }
  const readTo = Math.max(0, steps.length - 1 - beyond);
  reader.place = place;
  reader.advance(Math.min(length, reader.output.length));
  const kept = reader.output.slice(place.length, reader.place.length);
  const keptKnown = reader.known.slice(place.length, reader.place.length);
  const dead = search.shift === null;
  const open = search.shift === 'open';
  for (let index = 0; index <= readTo; index++) {
    if ((index & 63) === 0 && search.effort.isSpent) break;
    const from = steps[index] ?? 0;
    const to = steps[index + 1] ?? from + 15;
    const at = lengths.get(from) ?? 0;
    for (let candidate = from; candidate < to && candidate < reader.end; candidate++) {
      if (!search.suspect(candidate)) continue;
      flip(source, candidate);
      if (promising(candidate, from, at)) {
        reader.output.set(kept.subarray(0, at - place.length), place.length);
        reader.known.set(keptKnown.subarray(0, at - place.length), place.length);
        judge(candidate, { ...place, bit: from, length: at });
      }
      flip(source, candidate);
    }
  }
  reader.output.set(kept, place.length);
  reader.known.set(keptKnown, place.length);
  if (best.bit >= 0) flip(source, best.bit);
  return best.bit;

  function promising(candidate: number, from: number, at: number): boolean {
    let [walk, size, count] = [from, at, 0];
    let isPromising = dead || open;
    for (; count < mostSymbols; count++) {
      const symbol = walk < reader.end && tables ? sizesAt(view, tables, walk) : 0;
      if (symbol === 0) {
        // A block that ends here may be the truth when what followed made no sense.
        isPromising = (dead || open) && count > 0;
        break;
      }
      walk += symbol & 63;
      size += symbol >> 6;
      const base = walk > candidate ? lengths.get(walk) : undefined;
      if (base === undefined) continue;
      isPromising = open ? base !== size : !dead && base - size === search.shift;
      break;
    }
    search.effort.spend('symbol', count + 1);
    return isPromising;
  }
}
