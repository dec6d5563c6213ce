import type { StepEnd } from '../deflate/steps';
import type { PackedText } from './packedtext';

/** Text that is too long is worth so many bytes less. */
const sizeDoubt = 1000;
/** And text that ends where its size and its syntax say is worth so many more. */
const wholeWorth = 2000;
/** Of trials that lead equally far, sizes decide: less than a byte of worth. */
const nearestWorth = 0.9;

/** A bit, where the text is at fault, and how far it makes sense with the bit turned. */
export type Candidate = { bit: number; fault: number; reached: number };

/** A text with a bit turned, read up to an end: where it is at fault, and whether it makes sense so far that more is to be read. */
export type Trial = { bit: number; fault: number; end: StepEnd; isOpen: boolean };

/** Whether a text ends as it should, with the size that it should have. */
export const isWhole = ({ size }: PackedText, { end, length }: StepEnd): boolean =>
  end === 'final' && (size === null || length === size);

/** What a trial is worth: how far the text makes sense; without any limit when length and check sum agree too. */
export function candidate(part: PackedText, { bit, fault, end }: Trial, from: number): Candidate {
  const { size } = part;
  // Text that goes on past its size is not the right one, however well it reads.
  if (size !== null && Number.isFinite(fault) && fault >= size && !isWhole(part, end))
    return { bit, fault: from, reached: size - sizeDoubt };
  const isEnded = size !== null && end.end === 'final';
  const near = isEnded ? nearestWorth - Math.min(nearestWorth, Math.abs(end.length - size) / size) : 0;
  return { bit, fault: from, reached: fault + near + (isWhole(part, end) && fault === end.length ? wholeWorth : 0) };
}
