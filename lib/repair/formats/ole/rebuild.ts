import { type DocumentReading, nothingToldYet } from '../../families/document';
import type { ByteSink } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/document';
import { longestName } from './constants';
import { readOle } from './container';
import type { OleExamined } from './examine';
import { writeOle } from './write';

/** Writes a new file around the streams; one of which only the surroundings were damaged stays as it is. */
export async function rebuildOle(_: DocumentReading, { parts }: OleExamined, sink: ByteSink): Promise<readonly Step[]> {
  if (parts?.kind === 'bytes') sink.write(parts.bytes);
  if (parts?.kind === 'container') sink.write(writeOle(parts.container.streams, parts.container.rootClass));
  return [];
}

/** A path as it was written: names of a directory have 31 characters at most ([MS-CFB] 2.6.1). */
const keyOf = (path: readonly string[]): string => path.map((name) => name.slice(0, longestName)).join('/');

/** Whether every stream of what was written is in its place, as long as it was: objects inside of a document have streams of the same names. */
export async function verifyOle(written: Buffer, { job }: DocumentReading, { parts }: OleExamined): Promise<boolean> {
  if (parts?.kind !== 'container') return parts !== null;
  const { streams } = readOle({ ...job, bytes: written }, nothingToldYet());
  const lengths = new Map(streams.map(({ path, data }) => [keyOf(path), data.length]));
  // Of two streams with one path the first is written.
  const expected = new Map(parts.container.streams.toReversed().map(({ path, data }) => [keyOf(path), data.length]));
  return [...expected].every(([key, length]) => lengths.get(key) === length);
}
