import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { differInOneBit } from '../bits';
import type { Place } from '../deflate/reader';
import { type StepEnd, StepInflater, streamStart } from '../deflate/steps';
import { lastIndex } from './follow';
import { tryWhole } from './lastbit';
import type { PackedText } from './packedtext';

/** Bytes of text before a fault, and behind it, whose packed bytes are looked through: a wrong one garbles the text soon. */
const reach = { before: 2500, behind: 64 };
/** Packed bytes behind those. */
const spare = 8;
/** Packed bytes up to which all of them are looked through at last: a change in letters alone is no fault. */
const short = 2048;
const values = 256;

/** A text as it was, and whether only one bit of the byte was wrong. */
export type Found = { text: Buffer; isBit: boolean };

/**
 * Packed text as it was before one byte of it became another, or was lost (`missing` 1), by its size and check sum: each value is tried at each
 * place before one where the text is at fault, the last place first, until the effort is spent. Decoding falls into step with what was
 * read before soon, which tells most values apart by the size alone. `faultsOf` tells where a text is at fault, by each of its judges;
 * `isWorse`, where the size is not known, whether a trial is at fault soon, by where it began and how far it went. Null where no byte is the one.
 */
export function findWrongByte(
  part: PackedText,
  missing: 0 | 1,
  faultsOf: (output: Uint8Array, end: StepEnd) => readonly number[],
  effort: Effort,
  isWorse?: (start: number, out: number) => boolean,
): Found | null {
  const given = part.packed;
  const inflater = new StepInflater(Buffer.concat([given, Buffer.alloc(missing)]), part.most, effort);
  const { bytes, output } = inflater;
  const marks: Place[] = [];
  const end = inflater.run(streamStart, part.most, marks);
  const outs = inflater.lengths();
  const text = { inflater, part, marks, end };
  const faults = faultsOf(output, end).filter((fault) => fault < end.length || end.end !== 'final');
  /** The text with one of all values at a place, read again from the one before it. */
  const withValueAt = (at: number, own: number): Found | null => {
    const start = marks[lastIndex(marks, ({ bit }) => bit <= at * 8)] ?? streamStart;
    for (let value = 0; value < values; value++) {
      bytes[at] = value;
      const whole = tryWhole(text, start, { outs, moved: missing * 8, ...(isWorse && { isWorse }) });
      if (whole?.end !== 'final') continue;
      effort.spend('summedByte', whole.length);
      if (!part.isExact(output, whole, bytes)) continue;
      const isBit = missing === 0 && differInOneBit(value, own);
      return { text: Buffer.from(output.subarray(0, whole.length)), isBit };
    }
    return null;
  };
  const tried = new Set<number>();
  for (const { from, to } of windowsOf(given, marks, end, faults)) {
    // Backwards, as a trial writes over the text behind its own beginning, which those before do not need.
    inflater.run(streamStart, part.most);
    bytes.set(given.subarray(to), to + missing);
    for (let at = to; at >= from && !effort.isSpent; at--) {
      const own = given[at] ?? 0;
      if (missing === 1) bytes[at + 1] = own;
      const whole = tried.has(at) ? null : withValueAt(at, own);
      if (whole) return whole;
      bytes[at] = own;
      tried.add(at);
    }
    bytes.set(given);
    bytes.fill(0, given.length);
  }
  return null;
}

/** The packed bytes of the text around each fault, the first fault first, and last all of those of a short text. */
function windowsOf(
  { length: count }: Uint8Array,
  marks: readonly Place[],
  end: StepEnd,
  faults: readonly number[],
): { from: number; to: number }[] {
  const windows = [...faults]
    .sort((left, right) => left - right)
    .map((fault) => {
      const first = marks[lastIndex(marks, ({ length }) => length <= fault - reach.before)] ?? streamStart;
      const last = marks[lastIndex(marks, ({ length }) => length <= fault + reach.behind) + 1] ?? end;
      return { from: first.bit >> 3, to: Math.min(count - 1, (last.bit >> 3) + spare) };
    });
  return count <= short ? [...windows, { from: 0, to: count - 1 }] : windows;
}
