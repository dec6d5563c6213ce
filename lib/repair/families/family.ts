import type { Examined, Format, Seen } from '../formats/format';
import type { Family as FamilyId } from '../formats/table';
import type { EngineJob, EngineOutput } from '../report';
import type { CommonHopeless, End, Facts } from '../report/facts';
import type { Finding, Measure, Reason, RepairStep } from '../report/types';

/** The types that a family of formats works with: its facts, and what its files are read from and written to. */
export interface FamilyTypes extends Facts {
  /** What a format reads with: a file in pieces, or one that stands in memory. */
  reading: { job: EngineJob };
  /** What a file is written to, and what it is read from again. */
  sink: unknown;
  written: unknown;
  /** What a reader that is not ours is given, and what it makes of it. */
  file: unknown;
  content: unknown;
  /** What a judge holds that against, where it needs more than what was told. */
  against?: unknown;
}

/** The sentences of a family, from its facts. */
export interface Words<F extends Facts> {
  findingOf(damage: F['damage']): Finding;
  stepOf(step: F['step']): RepairStep;
  noteOf(remark: F['remark']): string;
  amountOf(amount: F['amount']): Measure;
  rebuiltOf(rebuilt: F['rebuilt']): Measure;
  lossOf(loss: F['loss']): Measure;
  summaryOf(end: End<F>, format: string): string;
  /** Which end that is no failure one without a result is, where it has a sentence of its own. */
  reasonOf?(why: F['why'] | CommonHopeless): Reason | undefined;
}

/** What is known of a repair, fact by fact; the report is made of it at the end. */
export type Case<F extends Facts> = {
  /** The format of what is handed out. */
  format: string;
  damages: F['damage'][];
  steps: F['step'][];
  remarks: F['remark'][];
  kept: F['amount'][];
  rebuilt: readonly F['rebuilt'][];
  lost: F['loss'][];
  output: EngineOutput;
  end: End<F>;
};

/** A file that was opened, and what was wrong with it and set right before any format looked at it. */
export type Opened<F extends FamilyTypes> = { reading: F['reading']; damages: F['damage'][]; steps: F['step'][] };

/** What a family of formats brings to the pipeline. */
export interface Family<F extends FamilyTypes> {
  readonly id: FamilyId;
  readonly words: Words<F>;
  /** Opens the file of a job, and closes it whatever happens. */
  open<T>(format: Format<unknown, F>, job: EngineJob, act: (opened: Opened<F>) => Promise<T>): Promise<T>;
  /** Has the file that is to be handed out written. */
  write(reading: F['reading'], fill: (sink: F['sink']) => Promise<void>): Promise<EngineOutput>;
  /** Reads what was written again. */
  readBack(
    reading: F['reading'],
    output: EngineOutput,
    check: (written: F['written']) => Promise<boolean | Seen<F>>,
  ): Promise<boolean | Seen<F>>;
  /** What is handed out of a file that need not be written anew. */
  keep(reading: F['reading'], examined: Examined<unknown, F>, one: Case<F>): Promise<Case<F>>;
  /** Has a reader that is not ours open what is to be handed out, and lets that decide. */
  judge(
    format: Format<unknown, F>,
    reading: F['reading'],
    one: Case<F>,
    examined: Examined<unknown, F>,
  ): Promise<Case<F>>;
}

/** A repair that hands out nothing. */
export const refuse = <F extends Facts>(one: Case<F>, why: F['why'] | CommonHopeless): Case<F> => ({
  ...one,
  kept: [],
  rebuilt: [],
  output: { kind: 'none' },
  end: { verdict: 'unrepairable', why },
});

/** What is handed out of a file that is sound by itself: that file, also where it had to be taken out of a message first. */
export const beforeMessage = <F extends Facts>({ undone, bytes }: EngineJob, one: Case<F>): Case<F> =>
  undone && one.output.kind === 'input' ? { ...one, output: { kind: 'bytes', bytes } } : one;
