import type { Place } from '../../core/deflate/reader';
import { type StepEnd, StepInflater, streamStart } from '../../core/deflate/steps';
import { lastIndex } from '../../core/flips/follow';
import { type Judge, metered } from '../../core/flips/packedtext';
import type { Effort } from '../../report';

/** Tells of the text of a member how far it makes sense, from its start on. */
export type TextJudge<P extends { at: number }> = { start: P; judge: (output: Uint8Array) => Judge<P> };

/** What cannot be judged makes sense as far as it can be unpacked. */
export const anyText: TextJudge<{ at: number }> = { start: { at: 0 }, judge: () => ({ fault: (_, end) => end }) };

/** Bytes of text that are read before it is looked whether they make sense. */
const pieceBytes = 1 << 18;

/** DEFLATE data whose bytes are moved while its text is read: only what lies behind a change is read again. */
export class JudgedInflater<P extends { at: number }> {
  readonly #inflater: StepInflater;
  readonly #judge: Judge<P>;
  readonly #start: P;
  readonly #marks: Place[] = [];
  readonly #places: P[] = [];
  #end: StepEnd = { ...streamStart, end: 'full' };
  /** Up to here the text is as it was last read: trials write over what comes then. */
  #clean = 0;

  constructor(bytes: Uint8Array, size: number, { start, judge }: TextJudge<P>, effort: Effort) {
    // One byte more than expected is room enough to see that it is too long.
    this.#inflater = new StepInflater(bytes, size + 1, effort);
    this.#judge = metered(judge(this.#inflater.output), effort);
    this.#start = start;
  }

  /** The packed data, to be changed in place. */
  get bytes(): Uint8Array {
    return this.#inflater.bytes;
  }

  /** Size that the text should have. */
  get size(): number {
    return this.#inflater.output.length - 1;
  }

  /** Length of the text where the stream ended as it should, or null. */
  get wholeLength(): number | null {
    return this.#end.end === 'final' ? this.#end.length : null;
  }

  /** Reads what comes behind a changed byte as far as it makes sense; where it does not. */
  read(byte: number): number {
    const from = this.#before(byte, this.#clean);
    const most = this.#inflater.output.length;
    this.#end = { ...(this.#marks[from] ?? streamStart), end: 'full' };
    this.#marks.length = from;
    let fault = 0;
    for (let isOpen = true; isOpen; ) {
      const { length: before } = this.#end;
      this.#end = this.#inflater.run(this.#end, Math.min(most, before + pieceBytes), this.#marks);
      const { length: out, end } = this.#end;
      const kept = lastIndex(this.#places, ({ at }) => at <= before);
      const place = this.#places[kept] ?? this.#start;
      this.#places.length = Math.max(0, kept);
      fault = this.#judge.fault(place, out, this.#places);
      isOpen = fault === out && end === 'full' && out < most;
    }
    this.#clean = this.#end.length;
    return fault;
  }

  /** How far the text makes sense, at most up to `reach`, with the bytes as they now are behind `byte`. */
  trial(byte: number, reach: number): number {
    const start = this.#marks[this.#before(byte, this.#clean)] ?? streamStart;
    const { length: out } = this.#inflater.run(start, Math.min(reach, this.#inflater.output.length));
    this.#clean = Math.min(this.#clean, start.length);
    const place = this.#places[lastIndex(this.#places, ({ at }) => at <= start.length)] ?? this.#start;
    return this.#judge.fault(place, out);
  }

  /** The packed byte from which on nothing can have an effect on the text before an offset. */
  byteBehind(out: number): number {
    const mark = this.#marks[lastIndex(this.#marks, (one) => one.length <= out) + 1];
    return Math.min(this.bytes.length, ((mark ?? this.#end).bit >> 3) + 8);
  }

  /** A packed byte before which all belongs to the text before an offset. */
  byteBefore(out: number): number {
    return (this.#marks[lastIndex(this.#marks, (one) => one.length <= out)]?.bit ?? 0) >> 3;
  }

  #before(byte: number, out: number): number {
    return Math.max(
      0,
      lastIndex(this.#marks, (mark) => mark.bit <= byte * 8 && mark.length <= out),
    );
  }
}
