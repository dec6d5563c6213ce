import type { Case, Family, FamilyTypes } from '../families/family';
import type { Buffer } from '../host/bytes';
import type { CommonHopeless, Facts } from '../report/facts';
import type { FormatId } from './table';

/** What can be told of a file while it is read. */
export type Told<F extends Facts> = {
  /** What is wrong with it as a whole: any of it means that the file has to be written anew. */
  damages: F['damage'][];
  steps: F['step'][];
  remarks: F['remark'][];
  rebuilt: F['rebuilt'][];
  /** What is lost whatever is done. */
  lost: F['loss'][];
};

/** Before anything was read. */
export const nothingTold = <F extends Facts>(): Told<F> => ({
  damages: [],
  steps: [],
  remarks: [],
  rebuilt: [],
  lost: [],
});

/** What was found in a file. */
export type Examined<Parts, F extends FamilyTypes> = Told<F> & {
  /** What is wrong inside its frames, set right on reading or beyond repair: the file itself is in order. */
  inside: F['damage'][];
  /** What can be handed out, as far as it is known before that is read again. */
  kept: F['amount'][];
  /** A working file from the same camera would bring back more. */
  wantsSample: boolean;
  /** Why nothing can be handed out; null where something can. */
  hopeless: F['why'] | CommonHopeless | null;
  /** What the judge holds the result against. */
  against?: F['against'];
  /** What is handed out is of another format than the file. */
  handsOut?: FormatId;
  parts: Parts;
};

/** What a file that was written turned out to hold, as far as that is known only then; `why` where it is not handed out for it. */
export type Seen<F extends Facts> = Partial<Pick<Told<F>, 'steps' | 'remarks' | 'lost'>> & {
  kept?: F['amount'][];
  why?: F['why'];
};

/** Another way to look at a file. */
export type Anew<Parts, F extends FamilyTypes> = {
  /** Looks at a file once more without what may have led the first look astray, of which `one` came; null where nothing has. */
  examine(reading: F['reading'], one: Case<F>): Promise<Examined<Parts, F> | null>;
  /** Whether clearly more came of it by that than before. */
  isMore(one: Case<F>, before: Case<F>): boolean;
};

/** The job that something is measured for; `isOver` tells, where it is there, that nobody waits for it any more. */
export type Measuring<F extends FamilyTypes> = Pick<F['reading'], 'job'> & { isOver?: () => boolean };

/** One format, or several that share a structure. No method writes anything but where it says so. */
export interface Format<Parts, F extends FamilyTypes> {
  readonly ids: readonly [FormatId, ...FormatId[]];
  readonly family: Family<F>;
  /** Whether it is this format that reads a file of one of its names, where another one reads some of them. */
  takes?(bytes: Uint8Array): boolean;
  /**
   * Which of its formats a file begins as, null for none: by content, never by name, which only decides between formats of like content.
   * `head` is the first mebibyte of the file, or all of it.
   */
  recognise(head: Buffer, claimed: FormatId | null): FormatId | null;
  /** The same by what is inside a file whose beginning says nothing, for formats that detection does not look for. */
  recogniseDamaged?(bytes: Buffer, claimed: FormatId | null): FormatId | null;
  /** What is there and what is wrong with it, and the parts that survive. */
  examine(reading: F['reading']): Promise<Examined<Parts, F>>;
  /** What to do where little or nothing came of a file by the first look at it. */
  anew?: Anew<Parts, F>;
  /** Puts the parts together again, step by step, in `sink`. */
  rebuild(reading: F['reading'], examined: Examined<Parts, F>, sink: F['sink']): Promise<readonly F['step'][]>;
  /** Whether what was written reads as it was meant, or what it tells where it does. */
  verify(written: F['written'], reading: F['reading'], examined: Examined<Parts, F>): Promise<boolean | Seen<F>>;
  /** Opens a file with a reader that is not ours and tells what it holds; null where no reader can. */
  measure(file: F['file'], reading: Measuring<F>): Promise<F['content'] | null>;
}

/** A format of any family. */
export type AnyFormat = Format<unknown, FamilyTypes>;
