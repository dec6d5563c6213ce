import type { DocumentContent, DocumentReading } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import { losesText, mostWords, type Reading, type ReadLimits, readLimits, unread } from '../../readers/pdf/reading';
import type { Shown } from '../../report/facts/document';
import { amountsOf } from './amounts';
import { makesSense } from './cipher/sense';
import { isUsable, type PdfKnown } from './examine';
import { withStreamsLeft } from './leftalone';

/** Opens a rebuilt PDF by pdfium and by pdf.js, and holds what they read against what they read of the damaged one. */
export async function measurePdf(
  { bytes, known }: { bytes: Buffer; known: PdfKnown },
  { job }: DocumentReading,
): Promise<DocumentContent> {
  const { readers, before, original } = known;
  const looking = readers.pdfjs(bytes, samePages(original, readLimits.pdfjs));
  const first = (await readers.pdfium(bytes, samePages(before, readLimits.pdfium))) ?? unread();
  // What it would have found does not count either, or the outcome would hang on which of the two was faster.
  const isTooMuch = first.words > mostWords;
  if (isTooMuch) readers.leavePdfjs();
  const second = (isTooMuch ? null : await looking) ?? unread();
  job.progress(0.9);
  const isWorse = losesWriting(known, before, first) || losesWriting(known, original, second);
  if (isUsable(before) && isWorse) return (await leftAlone(known, first, second)) ?? worse(known);
  return readBy(bytes, known, first, second);
}

/** What two readers see in a document that is handed out. */
async function readBy(bytes: Buffer, known: PdfKnown, first: Reading, second: Reading): Promise<DocumentContent> {
  if (first.pages === null && second.pages === null)
    return { state: first.protected || second.protected ? 'locked' : 'closed' };
  const shown = shownBy(first, second, first.pages ?? second.pages ?? 0);
  if (shown.pages === 0 || (await isBare(bytes, known, shown, first))) return { state: 'empty', why: 'noPageShown' };
  const isHidden = shown.words === 0 && known.showsText;
  return {
    state: 'read',
    amounts: amountsOf(shown),
    step: { kind: 'check.pages', ...shown },
    end: { how: 'shown', ...shown },
    lost: isHidden ? [{ how: 'text.hidden', count: 100 }] : [],
    remarks: isHidden ? [{ kind: 'textHidden' }] : [],
  };
}

/** Whether text is gone that was writing: what readers make of the codes of lost fonts is none, and better not shown. */
function losesWriting({ isDoubled }: PdfKnown, before: Reading, after: Reading): boolean {
  if (isDoubled ? !losesText(once(before), once(after)) : !losesText(before, after)) return false;
  const gone = [...before.bag].flatMap(([word, count]) => (count > (after.bag.get(word) ?? 0) ? [word] : []));
  return makesSense(gone.join(' ')) !== false;
}

/** Each word once: where a page was shown in the stead of another one, others count more often than they should. */
const once = (reading: Reading): Reading => ({
  ...reading,
  words: reading.bag.size,
  bag: new Map([...reading.bag.keys()].map((word) => [word, 1])),
});

/** What the one of two readers sees that finds more words. */
function shownBy(first: Reading, second: Reading, pages: number): Shown {
  const { words, texts } = second.words > first.words ? second : first;
  return { pages, words, texts };
}

/** The document with streams left as they were that readers make more of so; null where that is no better than the damaged file either. */
async function leftAlone(known: PdfKnown, first: Reading, second: Reading): Promise<DocumentContent | null> {
  const { readers, before, original, parts, rewritten } = known;
  const byPdfium = async (bytes: Buffer) =>
    (await readers.pdfium(bytes, samePages(before, readLimits.pdfium))) ?? unread();
  const byPdfjs = async (bytes: Buffer) =>
    (await readers.pdfjs(bytes, samePages(original, readLimits.pdfjs))) ?? unread();
  const isFirst = losesWriting(known, before, first);
  let seen = [first, second] as const;
  const left = await withStreamsLeft(parts, rewritten, {
    gone: isFirst ? wordsGone(before, first) : wordsGone(original, second),
    goneIn: async (bytes) =>
      isFirst ? wordsGone(before, await byPdfium(bytes)) : wordsGone(original, await byPdfjs(bytes)),
    isWorse: async (bytes) => {
      seen = [await byPdfium(bytes), await byPdfjs(bytes)];
      return losesWriting(known, before, seen[0]) || losesWriting(known, original, seen[1]);
    },
  });
  if (!left) return null;
  const content = await readBy(left.bytes, known, ...seen);
  if (content.state !== 'read') return null;
  const remarks = [...content.remarks, { kind: 'streamsLeft', count: left.count } as const];
  return { ...content, instead: left.bytes, remarks };
}

/** Words that were read before and are not any more. */
function wordsGone(before: Reading, after: Reading): number {
  let sum = 0;
  for (const [word, count] of before.bag) sum += Math.max(0, count - (after.bag.get(word) ?? 0));
  return sum;
}

/** As many pages as were read before, where those were not all, so that the same text is compared. */
function samePages({ pages, texts }: Reading, limits: ReadLimits): ReadLimits {
  return pages !== null && texts < pages ? { ...limits, texts, words: Number.POSITIVE_INFINITY } : limits;
}

/** Whether nothing is to be seen. An empty page shows nothing either, when it is all there; fields and notes are no drawings of the page. */
async function isBare(bytes: Buffer, known: PdfKnown, { words }: Shown, { drawings }: Reading): Promise<boolean> {
  if (words > 0 || known.isAnnotated) return false;
  return drawings === 0 || (known.isPartLost && !(await known.readers.showsAnything(bytes)));
}

/** A reader gets more out of the damaged file than out of the rebuilt one: it is handed back, without what stands before its beginning. */
function worse({ bytes, before, original }: PdfKnown): DocumentContent {
  const shown = shownBy(before, original, before.pages ?? original.pages ?? 0);
  const head = bytes.indexOf('%PDF-');
  return {
    state: 'worse',
    instead: head > 0 ? { shown, amounts: amountsOf(shown), bytes: bytes.subarray(head) } : null,
  };
}
