import { type DocumentReading, nothingToldYet } from '../../families/document';
import type { ByteSink } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/document';
import { readTables } from './check';
import type { PdfExamined } from './examine';
import { needsGenerations, writeDocument } from './serialize';

/** Writes every object anew, and a table that tells where each starts. */
export async function rebuildPdf(_: DocumentReading, { parts }: PdfExamined, sink: ByteSink): Promise<readonly Step[]> {
  if (parts) sink.write(writeDocument(parts.version, parts.objects, parts.trailer));
  return [];
}

/** Whether the table at the end of what was written leads to the head of every object. */
export async function verifyPdf(written: Buffer, { job }: DocumentReading, { parts }: PdfExamined): Promise<boolean> {
  const tables = readTables(written, 0, { ...job, bytes: written }, nothingToldYet());
  if (!parts || !tables) return false;
  const keepsGenerations = needsGenerations(parts.trailer);
  return parts.objects.every(({ number, generation }) => {
    const entry = tables.entries.get(number);
    const head = `${number} ${keepsGenerations ? generation : 0} obj`;
    return entry && 'offset' in entry && written.toString('latin1', entry.offset, entry.offset + head.length) === head;
  });
}
