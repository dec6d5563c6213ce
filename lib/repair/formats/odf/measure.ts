import type { DocumentContent, DocumentReading } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Amount } from '../../report/facts/document';
import { holdsMore } from '../../verdict';
import { readDamaged, readUnpacked } from '../ooxml/unpacked';
import { amountsOf, contentPath, measureContent } from './content';
import type { OdfKnown } from './examine';

/** Faults that are told of a package that is still not readable. */
const mostFaults = 3;

/** Opens a package by fflate, parses every part that is not one of the sound ones as it was, and counts what is in it. */
export async function measureOdf(
  { bytes, known }: { bytes: Buffer; known: OdfKnown },
  { job }: DocumentReading,
): Promise<DocumentContent> {
  const read = readUnpacked(bytes, known.sound, job.limits);
  if (!read) return { state: 'closed' };
  const { parts, faults } = read;
  if (faults.length > 0)
    return { state: 'faulty', why: { kind: 'support.faults', faults: faults.slice(0, mostFaults) } };
  const content = measureContent(parts);
  const { words, pictures } = content;
  if (words + pictures + content.cells === 0 && !known.isEmpty) return { state: 'empty', why: 'nothing' };
  const amounts = amountsOf(job.format, content);
  if (holdsMore(amountsBefore(job, known), amounts)) return { state: 'worse', instead: null };
  return {
    state: 'read',
    amounts,
    step: { kind: 'check.office', words, pictures },
    end: { how: 'words', words },
    lost: [],
    remarks: [],
  };
}

/** What the same reader counts in the damaged package: nothing where it does not open it, or stumbles over its text. */
function amountsBefore({ bytes, format, limits, undone }: EngineJob, { sound }: OdfKnown): Amount[] {
  const read = undone ? null : readDamaged(bytes, sound, limits);
  if (!read || read.faults.some(({ part }) => part === contentPath)) return [];
  return amountsOf(format, measureContent(read.parts));
}
