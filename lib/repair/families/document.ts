import type { Unpacked } from '../core/transfer/carrier';
import type { Once } from '../core/transfer/twice';
import type { Undone } from '../core/transfer/undo';
import { type Examined, type Format, nothingTold, type Told } from '../formats/format';
import { Buffer } from '../host/bytes';
import type { EngineJob } from '../report';
import type {
  Amount,
  Damage,
  DocumentEnd,
  DocumentFacts,
  Hopeless,
  Loss,
  Remark,
  Shown,
  Step,
} from '../report/facts/document';
import { amountOf, findingOf, lossOf, noteOf, rebuiltOf, stepOf, summaryOf } from '../report/words/document';
import { proofOfDocument, verdictOf } from '../verdict';
import { beforeMessage, type Case, type Family, type Opened, refuse } from './family';
import { ByteSink } from './photo';

/** What documents are read with: they stand in memory as a whole. */
export type DocumentReading = { job: EngineJob };

/** What a reader makes of a rebuilt document. */
export type DocumentContent =
  /** It does not open it, asks for a password, or stumbles over parts of it. */
  | { state: 'closed' | 'locked' }
  | { state: 'faulty'; why: Remark }
  /** It does not show anything of what the document was for. */
  | { state: 'empty'; why: Hopeless }
  /** It shows less of it than of the damaged file, which is handed out `instead` where it was taken out of something, and shows this much. */
  | { state: 'worse'; instead: { shown: Shown; amounts: Amount[]; bytes: Buffer } | null }
  | {
      state: 'read';
      amounts: Amount[];
      step: Step;
      end: { how: 'words'; words: number } | ({ how: 'shown' } & Shown);
      /** What is handed out in the stead of what was written: the same with parts left as they were. */
      instead?: Buffer;
      /** What only shows now to be lost. */
      lost: Loss[];
      remarks: Remark[];
    };

/**
 * What the reading of a rebuilt document is held against: nothing where it is handed out as it was, or cannot be looked into, and the end
 * is known; else what its format knows of the damaged one.
 */
export type Against<Known> = { known: Known } | { end: DocumentEnd | null };

/** Documents are read, written and opened as a whole; `Known` is what a format knows of a damaged one. */
export interface DocumentTypes<Known> extends DocumentFacts {
  reading: DocumentReading;
  sink: ByteSink;
  written: Buffer;
  file: { bytes: Buffer; known: Known };
  content: DocumentContent;
  against: Against<Known>;
}

/** A format of documents, what is told while one is read, and what was found in it. */
export type DocumentFormat<Parts, Known> = Format<Parts, DocumentTypes<Known>>;
export type DocumentTold = Told<DocumentFacts>;
export type DocumentExamined<Parts, Known> = Examined<Parts, DocumentTypes<Known>>;

/** Before anything of a document was read. */
export const nothingToldYet = (): DocumentTold => nothingTold<DocumentFacts>();

/** A report of thousands of lines helps nobody. */
const mostFound = 100;

/** Notes a kind of damage once for each place. */
export function find({ damages }: DocumentTold, damage: Damage): void {
  if (damages.length >= mostFound) return;
  const key = JSON.stringify(damage);
  if (!damages.some((other) => JSON.stringify(other) === key)) damages.push(damage);
}

/** Tells that a transfer was undone. */
export function tellUndone(
  { damages, steps }: Pick<DocumentTold, 'damages' | 'steps'>,
  { how, count }: Pick<Undone | Unpacked | Once, 'how' | 'count'>,
): void {
  const kind = `textmode.${how}` as const;
  damages.push({ kind, offset: 0 });
  steps.push({ kind, count });
}

/** A document that is handed back as it is, since nothing is wrong with it as far as it can be looked into. */
export function untouched(
  told: DocumentTold,
  kept: Amount[],
  end: DocumentEnd | null = null,
): DocumentExamined<null, never> {
  return { ...told, inside: [], kept, wantsSample: false, hopeless: null, parts: null, against: { end } };
}

/** A damaged document of which these parts survive, and what its repair is to be held against. */
export function survived<Parts, Known>(
  told: DocumentTold,
  parts: Parts,
  against: Against<Known>,
): DocumentExamined<Parts, Known> {
  return { ...told, inside: [], kept: [], wantsSample: false, hopeless: null, parts, against };
}

/** A document of which nothing can be handed out. */
export function gone(told: DocumentTold, why: Hopeless | 'reads-best-as-is'): DocumentExamined<null, never> {
  return { ...told, inside: [], kept: [], wantsSample: false, hopeless: why, parts: null };
}

/** Documents: what was rebuilt is opened again, and the judge holds it against what is known of the damaged one. */
export const documents = <Known>(): Family<DocumentTypes<Known>> => ({
  id: 'document',
  words: { findingOf, stepOf, noteOf, amountOf, rebuiltOf, lossOf, summaryOf },
  open: (_, job, act) => {
    const opened: Opened<DocumentTypes<Known>> = { reading: { job }, damages: [], steps: [] };
    if (job.undone) tellUndone(opened, job.undone);
    return act(opened);
  },
  write: async (_, fill) => {
    const sink = new ByteSink();
    await fill(sink);
    return { kind: 'bytes', bytes: sink.joined() };
  },
  readBack: async (_, output, check) => output.kind === 'bytes' && (await check(bufferOf(output.bytes))),
  keep: async ({ job }, { against }, one) => {
    const kept = beforeMessage(job, one);
    if (!against || !('end' in against) || !against.end) return kept;
    return { ...kept, end: job.undone ? ({ ...against.end, verdict: one.end.verdict } as DocumentEnd) : against.end };
  },
  judge: async (format, reading, one, { against }) => {
    const { output, end } = one;
    if (output.kind !== 'bytes' || end.verdict === 'unrepairable' || !against) return one;
    if ('end' in against)
      return against.end ? { ...one, end: { ...against.end, verdict: end.verdict } as DocumentEnd } : one;
    const content = await format.measure({ bytes: bufferOf(output.bytes), known: against.known }, reading);
    return content ? judged(one, content) : refuse(one, 'notOpened');
  },
});

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

type Document = Case<DocumentFacts>;

function judged(one: Document, content: DocumentContent): Document {
  const why = proofOfDocument(content);
  if (content.state === 'faulty') return refuse(withRemark(one, content.why), why ?? 'notReadable');
  if (why) return refuse(one, why);
  if (content.state === 'worse') return asItIs(one, content.instead);
  if (content.state !== 'read') return one;
  const lost = [...one.lost, ...content.lost];
  return {
    ...one,
    output: content.instead ? { kind: 'bytes', bytes: content.instead } : one.output,
    lost,
    remarks: [...one.remarks, ...content.remarks],
    kept: content.amounts,
    steps: [...one.steps, content.step],
    end: { ...content.end, verdict: verdictOf(one.damages, lost) },
  };
}

const withRemark = (one: Document, remark: Remark): Document => ({ ...one, remarks: [...one.remarks, remark] });

/** The damaged file itself, of which readers show more than of the rebuilt one; without what stood before it, where something did. */
function asItIs(one: Document, instead: Extract<DocumentContent, { state: 'worse' }>['instead']): Document {
  const told: Document = { ...withRemark(one, { kind: 'asItIs' }), steps: [], rebuilt: [] };
  if (!instead) return refuse(told, 'reads-best-as-is');
  return {
    ...told,
    kept: instead.amounts,
    lost: [...one.lost, { how: 'structure.asItIs', count: 1 }],
    output: { kind: 'bytes', bytes: instead.bytes },
    end: { verdict: 'partly', how: 'asItIs', ...instead.shown },
  };
}
