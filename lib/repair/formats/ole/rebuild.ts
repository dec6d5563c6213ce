import { type DocumentReading, nothingToldYet } from '../../families/document';
import type { ByteSink } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/document';
import { readOle } from './container';
import type { OleExamined } from './examine';
import { writeOle } from './write';

/** Writes a new file around the streams; one of which only the surroundings were damaged stays as it is. */
export async function rebuildOle(_: DocumentReading, { parts }: OleExamined, sink: ByteSink): Promise<readonly Step[]> {
  if (parts?.kind === 'bytes') sink.write(parts.bytes);
  if (parts?.kind === 'container') sink.write(writeOle(parts.container.streams, parts.container.rootClass));
  return [];
}

/** Whether every stream of what was written is in its place, as long as it was. */
export async function verifyOle(written: Buffer, { job }: DocumentReading, { parts }: OleExamined): Promise<boolean> {
  if (parts?.kind !== 'container') return parts !== null;
  const { streams } = readOle({ ...job, bytes: written }, nothingToldYet());
  const lengths = new Map(streams.map(({ path, data }) => [path.at(-1), data.length]));
  return parts.container.streams.every(({ path, data }) => lengths.get(path.at(-1)) === data.length);
}
