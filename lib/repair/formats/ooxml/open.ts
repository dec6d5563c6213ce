import { tellUndone, type Undone, withoutTextMode } from '../../core/transfer';
import { type Archive, readArchive } from '../../core/zip/read';
import { endBeforeTail } from '../../core/zip/records';
import { resizeMembers } from '../../core/zip/resize';
import { type DocumentTold, find } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { xmlText } from './flips';
import { correctNames } from './names';
import { isKnownPart } from './vocabulary';

/** Parts that are text in XML. */
export const isXml = (name: string): boolean => /\.(?:xml|rels)$/.test(name);

/** The archive as it was before it was changed as a whole on its way, and its bytes. */
export function openArchive(job: EngineJob, told: DocumentTold): { archive: Archive; bytes: Buffer } {
  const read = (bytes: Buffer) => ({ archive: readArchive(bytes, job.limits, job.deadline, isKnownPart), bytes });
  const wholeIn = ({ archive }: { archive: Archive }) =>
    archive.members.filter(({ state, name }) => state === 'whole' && isKnownPart(name)).length;
  const stop = endBeforeTail(job.bytes);
  if (stop !== null) {
    const count = job.bytes.length - stop;
    find(told, { kind: 'tail', count, offset: stop });
    told.steps.push({ kind: 'tail', count });
  }
  let best = read(stop === null ? job.bytes : job.bytes.subarray(0, stop));
  if (best.archive.problems.length === 0 && best.archive.members.every(({ problem }) => problem === null)) return best;
  let undone: Undone | null = null;
  for (const candidate of withoutTextMode(best.bytes)) {
    job.deadline.check();
    const attempt = read(candidate.bytes);
    if (wholeIn(attempt) <= wholeIn(best)) continue;
    best = attempt;
    undone = candidate;
  }
  if (undone) tellUndone(told, undone);
  return best;
}

/** Tells what is wrong with the archive, and sets right what its own parts and sums tell for certain: names, and lengths of members. */
export function mendArchive(archive: Archive, job: EngineJob, told: DocumentTold): void {
  for (const problem of archive.problems) find(told, problem);
  for (const { problem } of archive.members) if (problem) find(told, problem);
  const names = told.damages.length > 0 ? correctNames(archive) : 0;
  if (names > 0) find(told, { kind: 'name', count: names });
  const { returned, taken } = resizeMembers(archive, job.deadline.effort, (name) => (isXml(name) ? xmlText : null));
  if (returned > 0) told.steps.push({ kind: 'returns', count: returned });
  if (taken > 0) told.steps.push({ kind: 'foreign', count: taken });
}
