import { Buffer } from '../../host/bytes';
import { headAt, type Place } from '../deflate/reader';
import { type StepEnd, type StepInflater, streamStart } from '../deflate/steps';

/** Bits without meaning and false ends of blocks that are passed over on the way to the end. */
const mostPassed = 4000;

/** Symbols within which two readings fall into step. */
const mostToStep = 600;

const haveSameCodes = (left: Place, right: Place): boolean =>
  left.tables?.literal.every((entry, index) => entry === right.tables?.literal[index]) ?? false;

/** By how many bytes a reading is longer than another one, once both read the same codes; null when they do not fall into step. */
export function bytesApart(inflater: StepInflater, left: StepEnd, right: StepEnd): number | null {
  let [one, other] = [left, right];
  for (let step = 0; step < mostToStep; step++) {
    if (one.bit === other.bit && haveSameCodes(one, other)) return other.length - one.length;
    const isBehind = one.bit <= other.bit;
    const behind = isBehind ? one : other;
    const next = inflater.run(behind, behind.length + 1);
    if (next.end !== 'full') return null;
    if (isBehind) one = next;
    else other = next;
  }
  return null;
}

/**
 * A text of `size` bytes that is at fault at an offset, with what is read from `mark` on put where the end of the whole says that it
 * belongs; null when the end is not reached.
 */
export function alignedText(inflater: StepInflater, size: number, fault: number, mark: Place): Buffer | null {
  const tail = tailLength(inflater, mark);
  if (tail === null || tail > size || tail < 16) return null;
  const from = size - tail;
  inflater.run(streamStart, Math.min(fault, from));
  inflater.output.fill(0x20, Math.min(fault, from), from);
  const whole = tailLength(inflater, { ...mark, length: from });
  return whole === null ? null : Buffer.from(inflater.output.subarray(0, size));
}

/**
 * Bytes that are decoded from a place to the end of the stream, past bits without meaning and ends of blocks that are none; null when
 * the end is not reached.
 */
function tailLength(inflater: StepInflater, from: Place): number | null {
  const total = inflater.bytes.length * 8;
  let place = from;
  let first: number | null = null;
  for (let turn = 0; turn < mostPassed; turn++) {
    const { length: out, bit, end, tables, final } = inflater.run(place, inflater.output.length);
    if (end === 'final') first ??= out - from.length;
    if (end === 'final' && total - bit < 16) return out - from.length;
    if (end !== 'bad' && end !== 'final') return first;
    // Where no block begins, the last one goes on.
    place = {
      ...headAt(end === 'final' ? bit : bit + 1, out),
      tables: tables ?? place.tables,
      final: tables ? final : place.final,
    };
  }
  return null;
}
