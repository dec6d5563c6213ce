import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { StepEnd, Turn } from '../deflate/steps';

/** Tells how far a text makes sense: offset of the first fault between `from` and `end`, or `end`; `places` collects where it may begin again. */
export type Judge<P extends { at: number }> = { fault(from: P, end: number, places?: P[]): number };

/** A judge that spends effort by how far it reads. */
export function metered<P extends { at: number }>(judge: Judge<P>, effort: Effort): Judge<P> {
  return {
    fault(from, end, places) {
      const fault = judge.fault(from, end, places);
      effort.spend('judgedByte', Math.max(0, fault - from.at));
      return fault;
    },
  };
}

/** How far each judge follows the text as it now is, and where each may begin again. */
export type Judged<P extends { at: number }> = { faults: number[]; places: (readonly P[])[] };

/**
 * A kind of text that can be judged: judges from the strictest on, and a reading of the whole of `length` bytes by all of them, of which
 * those before `from` are as they were at the last one.
 */
export type TextKind<P extends { at: number }> = {
  start: P;
  judges: readonly Judge<P>[];
  judge(length: number, done: boolean, from: number): Judged<P>;
};

/** Packed data that does not read as it should. `isExact` says by size and check sum whether a decoded text is the whole and right one. */
export type PackedText = {
  packed: Uint8Array;
  /** Size of the text in bytes where it is known; the output never grows past `most`. */
  size: number | null;
  most: number;
  isExact: (output: Uint8Array, end: StepEnd, packed: Uint8Array) => boolean;
  /** Check sum of the text (CRC-32), where that and the size are known. */
  crc?: number;
  /** Turns a bit where the data was written with letters, whose bits are the wrong ones. */
  turn?: Turn | undefined;
  /** Effort for the last bit, by the check sum alone, in units; without the size it takes far more. */
  lastBitEffort: number;
};

/** A bit that was turned because the text was at fault at an offset. */
export type Turned = { bit: number; fault: number };

/**
 * The packed data with wrong bits set right, how many those were and which ones the text showed, and whether the check sum now agrees. `text`
 * is what it reads, up to where it breaks; from the offset `doubted` on it looks unusual, and from `fault` on it makes no sense.
 */
export type Corrected = {
  packed: Uint8Array;
  bits: number;
  turned: readonly Turned[];
  exact: boolean;
  text: Buffer;
  doubted: number;
  fault: number;
};
