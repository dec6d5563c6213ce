import type { Place } from '../deflate/reader';
import type { StepEnd, StepInflater } from '../deflate/steps';

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
