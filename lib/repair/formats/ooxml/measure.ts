import type { DocumentContent, DocumentReading } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Amount } from '../../report/facts/document';
import { holdsMore } from '../../verdict';
import { amountsOf, type Content, measureContent, textParts } from './content';
import type { OoxmlKnown } from './examine';
import { stringsPath } from './package';
import { mendNames } from './renamed';
import { readDamaged, readUnpacked } from './unpacked';

/** Notes and footers of fewer words are not worth a document of which all else is gone. */
const fewWords = 50;
/** Faults that are told of a package that is still not readable. */
const mostFaults = 3;

/** Opens a package by fflate, reads every part that is not one of the sound ones as it was by a parser of XML, and counts what is in it. */
export async function measureOoxml(
  { bytes, known }: { bytes: Buffer; known: OoxmlKnown },
  { job }: DocumentReading,
): Promise<DocumentContent> {
  const read = readUnpacked(bytes, known.sound, job.limits);
  if (!read) return { state: 'closed' };
  const { parts, faults } = read;
  if (faults.length > 0)
    return { state: 'faulty', why: { kind: 'support.faults', faults: faults.slice(0, mostFaults) } };
  const content = measureContent(job.format, parts);
  const { words, media, cells } = content;
  if (words + media + cells === 0 && !known.isEmpty) return { state: 'empty', why: 'nothing' };
  if (words < fewWords && isBare(job.format, parts, known.own)) return { state: 'empty', why: 'bare' };
  const amounts = amountsOf(job.format, content);
  if (holdsMore(amountsBefore(job, known), amounts)) return { state: 'worse', instead: null };
  return asRead(amounts, content);
}

/** What the same reader counts in the damaged package: nothing where it does not open it, and of the parts that it stumbles over. */
function amountsBefore({ bytes, format, limits, undone }: EngineJob, { sound }: OoxmlKnown): Amount[] {
  const read = undone ? null : readDamaged(bytes, sound, limits);
  for (const { part } of read?.faults ?? []) read?.parts.delete(part);
  // Texts of a table behind one of another name are those of other cells.
  for (const [path, data] of read?.parts ?? []) if (mendNames(path, data)) read?.parts.delete(path);
  return read ? amountsOf(format, measureContent(format, read.parts)) : [];
}

const asRead = (amounts: Amount[], content: Content): DocumentContent => ({
  state: 'read',
  amounts,
  step: { kind: 'check.office', words: content.words, pictures: content.media },
  end: { how: 'words', words: content.words },
  lost: [],
  remarks: [],
});

/** Whether every part with the text itself only stands in for one that is lost, and holds no word: nothing would be to be seen. */
function isBare(format: string, parts: ReadonlyMap<string, Buffer>, own: ReadonlySet<string>): boolean {
  const texts = [...parts].filter(([path]) => textParts[format]?.test(path));
  if (texts.some(([path]) => own.has(path) && path !== stringsPath)) return false;
  const { words, cells } = measureContent(format, new Map(texts));
  return words + cells === 0;
}
