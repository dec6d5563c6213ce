import { readCentralDirectory } from '../../core/zip/records';
import { writeArchive } from '../../core/zip/write';
import type { DocumentReading } from '../../families/document';
import type { ByteSink } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/document';
import type { OoxmlExamined } from './examine';

/** Writes the package anew from its parts; one of which only the surroundings were damaged stays as it is. */
export async function rebuildOoxml(
  _: DocumentReading,
  { parts }: Pick<OoxmlExamined, 'parts'>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (parts?.kind === 'archive') sink.write(parts.bytes);
  if (parts?.kind === 'parts') sink.write(writeArchive(orderParts(parts.parts), parts.known));
  return [];
}

/** What says of which kind a package is first, then its relationships, as the office programs write and some readers expect. */
function orderParts(parts: ReadonlyMap<string, Buffer>): { name: string; data: Buffer }[] {
  const first = ['mimetype', '[Content_Types].xml', '_rels/.rels'];
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...parts].map(([name, data]) => ({ name, data })).sort((left, right) => rank(left.name) - rank(right.name));
}

/** Whether the list of parts at the end of what was written names each of them. */
export async function verifyOoxml(
  written: Buffer,
  { job }: DocumentReading,
  { parts }: Pick<OoxmlExamined, 'parts'>,
): Promise<boolean> {
  if (parts?.kind !== 'parts') return parts !== null;
  const { entries, problems } = readCentralDirectory(written, job.limits.entries + 1);
  const names = new Set(entries.map(({ name }) => name));
  return problems.length === 0 && [...parts.parts.keys()].every((name) => names.has(name));
}
