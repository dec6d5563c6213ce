import type { Effort } from '../../report';
import type { Place } from '../deflate/reader';
import { type StepEnd, type StepInflater, streamStart } from '../deflate/steps';
import type { PackedText } from './packedtext';

/** A text as it was last read: what reads it, places from which it can be read again, and its end. */
export type ReadText = { inflater: StepInflater; part: PackedText; marks: readonly Place[]; end: StepEnd };

/** Bytes of text behind a changed bit that are looked at where nothing is known of the size. */
const horizon = 1500;
/** After so many bytes of text it is looked whether decoding has fallen into step. */
const inStepAfter = [48, 300, 2000];

/**
 * A wrong bit that the text does not show, by the check sum alone: every bit before bit `before` is turned, the last one first, until the
 * effort is spent. `isWorse` tells by where a trial began and how far it went whether its text is at fault
 * sooner than it was. The end of the right text, its bit left turned; null when there is none.
 */
export function findLastBit(
  text: ReadText,
  before: number,
  effort: Effort,
  isWorse: (start: number, out: number) => boolean,
): StepEnd | null {
  const { inflater, part, marks } = text;
  const bits = inflater.bytes.length * 8;
  const outs = inflater.lengths();
  let mark = marks.length - 1;
  for (let bit = Math.min(bits, before) - 1; bit >= 0; bit--) {
    while (mark > 0 && (marks[mark]?.bit ?? 0) > bit) mark--;
    if ((bit & 31) === 0 && effort.isSpent) break;
    if (!inflater.flip(bit)) continue;
    const end = tryWhole(text, marks[mark] ?? streamStart, { outs, isWorse });
    if (end?.end === 'final') {
      effort.spend('summedByte', end.length);
      if (part.isExact(inflater.output, end, inflater.bytes)) return end;
    }
    inflater.flip(bit);
  }
  return null;
}

/** What is known of the reading before: the length of the text at each bit, and by how many bits those behind a change have moved since. */
type Before = { outs: Int32Array; moved?: number; isWorse?: (start: number, out: number) => boolean };

/**
 * Decodes all of it from a place on; null as soon as the size cannot be right any more. Decoding falls into step with the reading before
 * within a few symbols, and from there on as much is to come as came then.
 */
export function tryWhole(
  { inflater, part: { size, most }, end: whole }: ReadText,
  start: Place,
  { outs, moved = 0, isWorse }: Before,
): StepEnd | null {
  let end: StepEnd = { ...start, end: 'full' };
  if (size === null) {
    // Where the size says nothing, text that now goes wrong at once says enough.
    end = inflater.run(end, start.length + horizon);
    if (isWorse?.(start.length, end.length)) return null;
    return end.end === 'full' ? inflater.run(end, most) : end;
  }
  for (const step of inStepAfter) {
    end = inflater.run(end, Math.min(start.length + step, size + 1));
    if (end.end !== 'full') break;
    const out = (outs[end.bit - moved] ?? 0) - 1;
    if (out < 0 || end.tables !== start.tables || start.tables === null) continue;
    if (whole.end !== 'final' || whole.length + end.length - out !== size) return null;
    break;
  }
  if (end.end === 'full') end = inflater.run(end, size + 1);
  return end.length === size ? end : null;
}
