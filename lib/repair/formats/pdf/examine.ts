import {
  type DocumentExamined,
  type DocumentReading,
  type DocumentTold,
  find,
  gone,
  nothingToldYet,
  survived,
  untouched,
} from '../../families/document';
import type { Buffer } from '../../host/bytes';
import { PdfReaders } from '../../readers/pdf';
import { mostWords, type Reading, readLimits, unread } from '../../readers/pdf/reading';
import { type EngineJob, LimitError } from '../../report';
import { amountsOf } from './amounts';
import { assemble } from './assemble';
import { checkStructure, mostTold } from './check';
import { checkLockedPages, checkPageTree } from './checkpages';
import { misspeltObjects, spellNames } from './closednames';
import { assembleEncrypted, looksEncrypted, settleGenerations } from './encrypted';
import { undoExchanges } from './exchanged';
import { correctStreams } from './flips';
import { mendFontCodes } from './fontcodes';
import { spellKeys } from './keynames';
import { dataOf, type Rewritten, rewrittenOf } from './leftalone';
import { checkLocked } from './locked';
import { nameLostFilters } from './lostfilters';
import { PdfModel } from './model';
import { correctNames } from './names';
import { adoptStreams } from './orphans';
import { mendPhotos } from './photos';
import { type PdfScan, scanObjects } from './scan';
import type { PdfParts } from './serialize';
import { undoTransfer } from './textmode';
import type { PdfObject } from './values';

/** More objects that break off than these are no document any more, and readers read on from each of them to the end. */
const mostBroken = 200;

/** What is known of the damaged file: what two readers see in it, what its pages are for, whether some of it is lost and whether one page shows another one's content; what it is written anew from, and which of its streams are not as they were. */
export type PdfKnown = {
  bytes: Buffer;
  readers: PdfReaders;
  before: Reading;
  original: Reading;
  showsText: boolean;
  isAnnotated: boolean;
  isPartLost: boolean;
  isDoubled: boolean;
  parts: PdfParts;
  rewritten: readonly Rewritten[];
};

export type PdfExamined = DocumentExamined<PdfParts | null, PdfKnown>;

/** Surveys PDF (ISO 32000-1): finds the objects themselves and what leads to them, while two other readers look at the file. */
export async function examinePdf({ job: given }: DocumentReading): Promise<PdfExamined> {
  const { job, scan, told, isEncrypted } = surveyed(given);
  const model = new PdfModel(scan, job);
  const locked = isEncrypted ? surveyLocked(model, told) : null;
  if (!isEncrypted) checkPageTree(model, told);
  job.progress(0.3);
  job.deadline.check();
  const readers = new PdfReaders(job.deadline);
  const isReadable = scan.broken <= mostBroken;
  const reading = isReadable ? readers.pdfium(given.bytes, readLimits.pdfium) : Promise.resolve(unread());
  const areMended = told.damages.length === 0;
  if (areMended) {
    if (!isEncrypted) await mendPhotos(new PdfModel(scan, job), job, told);
    const remark = locked ? 'opensChecked' : 'opensEncrypted';
    const whole = told.damages.length === 0 ? await asWhole(reading, isEncrypted ? remark : null, told) : null;
    if (whole) return whole;
  }
  // Both look at the damaged file while it is repaired, where they can.
  const second = isReadable && readers.areBeside ? readers.pdfjs(given.bytes, readLimits.pdfjs) : null;
  if (isEncrypted || looksEncrypted(model)) {
    const parts = isEncrypted ? assembleEncrypted(model, locked, told) : null;
    return parts
      ? heldAgainst(given, told, parts, { readers, reading, second })
      : withoutKey(told, isEncrypted, reading);
  }
  const { mended, data } = await mendObjects(job, scan, told, areMended);
  const parts = assemble(job, told, mended);
  if (!parts) return gone(told, 'noPage');
  return heldAgainst(given, told, parts, { readers, reading, second }, rewrittenOf(parts, data));
}

/** A file, its objects and what is wrong with its structure, after pieces of it that had changed places were put back. */
type Surveyed = { job: EngineJob; scan: PdfScan; told: DocumentTold; isEncrypted: boolean };

function surveyed(job: EngineJob): Surveyed {
  const told = nothingToldYet();
  const scan = scanObjects(job.bytes, job.limits, job.deadline);
  const isEncrypted = scan.trailers.some((trailer) => trailer.has('Encrypt'));
  checkStructure(job, scan, told);
  // Nothing but its key tells whether encrypted data belongs together.
  const inOrder = told.damages.length > 0 && !isEncrypted ? undoExchanges(job) : null;
  if (!inOrder) return { job, scan, told, isEncrypted };
  const { bytes, exchanges } = inOrder;
  const again: Surveyed = {
    job: { ...job, bytes },
    scan: scanObjects(bytes, job.limits, job.deadline),
    told: nothingToldYet(),
    isEncrypted,
  };
  for (const { first, size } of exchanges) find(again.told, { kind: 'exchanged', count: size, offset: first });
  again.told.steps.push({ kind: 'exchanged', count: exchanges.length, by: 'sums' });
  checkStructure(again.job, again.scan, again.told);
  return again;
}

/** What can be seen of an encrypted file; its damaged streams, null where it cannot be looked into. */
function surveyLocked(model: PdfModel, told: DocumentTold): ReadonlySet<PdfObject> | null {
  if (told.damages.length > 0) settleGenerations(model);
  // Names are not encrypted (7.6.1).
  const misspelt = misspeltObjects(model);
  for (const { offset } of misspelt.slice(0, mostTold)) find(told, { kind: 'object.names', offset });
  const names = spellKeys(misspelt) + spellNames(misspelt);
  if (names > 0) told.steps.push({ kind: 'names', count: names });
  const locked = checkLocked(model, told);
  checkLockedPages(model, told);
  return locked;
}

/** An encrypted file whose pages are not found: its tree of pages is in an encrypted bundle, which readers may still find; where nothing says that it is encrypted, they show pages without a word. */
async function withoutKey(
  told: DocumentTold,
  isNoted: boolean,
  reading: Promise<Reading | null>,
): Promise<PdfExamined> {
  const seen = (await reading) ?? unread();
  return gone(told, isUsable(seen) && (isNoted || seen.words > 0) ? 'reads-best-as-is' : 'encrypted');
}

/** A file in which nothing is wrong, if a reader opens it, too; null where it does not. */
async function asWhole(
  reading: Promise<Reading | null>,
  remark: 'opensChecked' | 'opensEncrypted' | null,
  told: DocumentTold,
): Promise<PdfExamined | null> {
  const seen = await reading;
  if (!seen)
    throw new LimitError('A reader of PDFs did not come to the end of this file in the time and memory it may take.');
  if (seen.protected) {
    told.remarks.push({ kind: 'passwordPdf' });
    return untouched(told, [], { verdict: 'healthy', how: 'password' });
  }
  const { pages, words, texts } = seen;
  if (pages !== null && pages > 0) {
    if (remark) told.remarks.push({ kind: remark });
    // Of content that could not be unlocked nothing was checked.
    if (remark !== 'opensEncrypted') told.remarks.push({ kind: 'fewSums' });
    return untouched(told, amountsOf({ pages, words, texts }), { verdict: 'healthy', how: 'pages', pages });
  }
  find(told, { kind: 'reader' });
  return null;
}

/** The objects after all was set right in them that their own content tells: line ends, names, heads of streams, wrong bits, photos. */
async function mendObjects(
  job: EngineJob,
  scan: PdfScan,
  told: DocumentTold,
  areMended: boolean,
): Promise<{ mended: PdfScan; data: ReturnType<typeof dataOf> }> {
  const source = undoTransfer(job, scan);
  if (source.undone) {
    find(told, { kind: source.undone.kind });
    told.steps.push(source.undone);
  }
  const objects = [...source.scan.objects.values()];
  const names = correctNames(source.scan, job) + spellKeys(objects) + spellNames(objects);
  if (names > 0) told.steps.push({ kind: 'names', count: names });
  const fonts = mendFontCodes(source.scan);
  if (fonts > 0) told.steps.push({ kind: 'fontcodes', count: fonts });
  const filters = nameLostFilters(source.scan, job);
  if (filters > 0) told.steps.push({ kind: 'filters', count: filters });
  const adopted = adoptStreams(source.scan, job.deadline);
  if (adopted > 0) {
    find(told, { kind: 'object.heads', count: adopted });
    told.steps.push({ kind: 'streams', count: adopted });
  }
  const data = dataOf(source.scan.objects.values());
  correctStreams(source.scan, job, told);
  if (!areMended) await mendPhotos(new PdfModel(source.scan, job), job, told);
  return { mended: source.scan, data };
}

/** Who reads, and what two of them see in the damaged file. */
type Readings = { readers: PdfReaders; reading: Promise<Reading | null>; second: Promise<Reading | null> | null };

/** The parts, and what readers see in the damaged file, which they must see in the rebuilt one too. */
async function heldAgainst(
  job: EngineJob,
  told: DocumentTold,
  parts: PdfParts,
  { readers, reading, second }: Readings,
  rewritten: readonly Rewritten[] = [],
): Promise<PdfExamined> {
  job.progress(0.6);
  const before = (await reading) ?? unread();
  // What pdf.js reads of the damaged file only counts where pdfium reads it too.
  const isWorthIt = isUsable(before) && before.words <= mostWords;
  if (!isWorthIt) readers.leavePdfjs();
  const again = isWorthIt ? await (second ?? readers.pdfjs(job.bytes, readLimits.pdfjs)) : null;
  job.deadline.check();
  const { showsText, isAnnotated } = parts;
  const isPartLost = told.lost.length > 0;
  const { bytes } = job;
  const known = {
    bytes,
    readers,
    before,
    original: again ?? unread(),
    showsText,
    isAnnotated,
    isPartLost,
    isDoubled: told.damages.some(({ kind }) => kind === 'pages.doubled'),
    parts,
    rewritten,
  };
  return survived(told, parts, { known });
}

/** A file with pages that a reader cannot even load is no better for its words. */
export function isUsable(before: Reading): boolean {
  return (before.pages ?? 0) > 0 && before.failed === 0;
}
