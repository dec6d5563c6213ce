import type { Effort } from '../../report';
import type { Place } from '../deflate/reader';
import { type StepEnd, type StepInflater, streamStart } from '../deflate/steps';
import { lastIndex } from './follow';
import { Letters } from './letters';
import type { Candidate } from './trial';

/** Of the way that the best bit takes a text further, the share that another one must lead as well to be weighed by its letters. */
const nearly = 0.6;
/** Bytes behind a fault that are looked at, which a bit before it changes. */
const behindFault = 300;
/** Bytes that must have been learnt before letters tell anything, and those before a fault that may be damaged and are not learnt. */
const leastLearnt = 3000;
const unsure = 1000;
/** By how many bits a text must look stranger than another one to be out of question: about three letters that do not follow each other. */
const clearlyOdd = 16;
/** Bytes that a copy can reach back (RFC 1951, 2), with room to spare. */
const windowBytes = 32768 + 4096;

/** A text as it was last read: its bytes, its end, and places to begin again at. */
export type Reading = { clean: Uint8Array; end: StepEnd; marks: readonly Place[] };

/**
 * Tells bits apart that lead equally far, by which letters follow each other in what was read before: some beside the wrong one make
 * codes fall into step as well, and give other letters.
 */
export class Oddness {
  readonly #letters = new Letters();
  readonly #inflater: StepInflater;
  readonly #effort: Effort;
  #learnt = 0;

  constructor(inflater: StepInflater, effort: Effort) {
    this.#inflater = inflater;
    this.#effort = effort;
  }

  /** Takes in a text as far as it is free of faults. */
  learn({ clean, end }: Reading, faults: readonly number[]): void {
    const to = Math.min(end.length, ...faults) - unsure;
    if (to <= this.#learnt) return;
    this.#effort.spend('judgedByte', to - this.#learnt);
    this.#letters.learn(clean, this.#learnt, to);
    this.#learnt = to;
  }

  /** Bits that lead far, the best first, without those that lead about as far as the best and whose text looks stranger than that of others. */
  likely(found: readonly Candidate[], reading: Reading): readonly Candidate[] {
    const [best] = found;
    if (!best || best.reached === Number.POSITIVE_INFINITY || this.#learnt < leastLearnt) return found;
    const least = (best.reached - best.fault) * nearly;
    const near = found.filter(({ reached, fault }) => reached - fault >= least);
    if (near.length < 2) return found;
    const first = Math.min(...near.map(({ bit }) => bit));
    const from = placeBefore(reading, first).length;
    const to = Math.max(...near.map(({ fault }) => fault)) + behindFault;
    const odd = new Map(near.map((one) => [one, this.#oddnessOf(one.bit, { from, to }, reading)]));
    this.#restore(reading, reading.end.length);
    const oddOf = (one: Candidate) => odd.get(one) ?? 0;
    const lowest = Math.min(...odd.values());
    const likely = near
      .filter((one) => oddOf(one) <= lowest + clearlyOdd)
      .sort((left, right) => Math.round(right.reached) - Math.round(left.reached) || oddOf(left) - oddOf(right));
    return [...likely, ...found.filter((one) => !odd.has(one))];
  }

  /** How strange the text looks between two offsets with a bit turned. */
  #oddnessOf(bit: number, { from, to }: { from: number; to: number }, reading: Reading): number {
    const inflater = this.#inflater;
    const start = placeBefore(reading, bit);
    this.#restore(reading, start.length);
    inflater.flip(bit);
    const { length } = inflater.run(start, to);
    inflater.flip(bit);
    this.#effort.spend('judgedByte', to - from);
    return this.#letters.sum(inflater.output, from, Math.min(to, length));
  }

  /** Puts the text back that trials wrote over: all of it, or as far as decoding from an offset on needs it. */
  #restore({ clean, end }: Reading, out: number): void {
    const from = out === end.length ? 0 : Math.max(0, out - windowBytes);
    this.#inflater.output.set(clean.subarray(from, out), from);
    this.#effort.spend('copiedByte', out - from);
  }
}

const placeBefore = ({ marks }: Reading, bit: number): Place =>
  marks[lastIndex(marks, (mark) => mark.bit <= bit)] ?? streamStart;
