import { beforeTransfer } from '../../core/transfer/undo';
import { lockOf } from '../../core/zip/locked';
import { type Archive, readArchive } from '../../core/zip/read';
import { endBeforeTail, readCentralDirectory } from '../../core/zip/records';
import { resizeMembers } from '../../core/zip/resize';
import { mendStored } from '../../core/zip/stored';
import {
  type DocumentExamined,
  type DocumentTold,
  find,
  gone,
  nothingToldYet,
  tellUndone,
  untouched,
} from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { searchEffort, undoExchanges } from './exchanged';
import { xmlText } from './flips';
import { correctNames } from './names';
import { isKnownPart } from './vocabulary';

/** Parts that are text in XML. */
export const isXml = (name: string): boolean => /\.(?:xml|rels)$/.test(name);

/** Whether a part is markup: XML, or a drawing of older kind, which programs may write less strictly and read as they wrote it (ECMA-376 part 4, 19). */
export const isMarkup = (name: string): boolean => isXml(name) || name.endsWith('.vml');

/** Bytes before a file that room is made for. */
const mostLost = 1 << 24;

/** An archive, and the bytes that it was read from. */
type Opened = { archive: Archive; bytes: Buffer };

/** A package whose parts a password of the archive encrypts, as archivers do it: without it only the archive can be judged. Null for others. */
export function lockedArchive({ bytes, format, limits }: EngineJob): DocumentExamined<null, never> | null {
  const lock = lockOf(bytes, limits.entries + 1);
  if (!lock) return null;
  const told = nothingToldYet();
  told.remarks.push({ kind: 'password', of: format });
  return lock === 'whole'
    ? untouched(told, [], { verdict: 'healthy', how: 'password' })
    : gone(told, 'passwordDamaged');
}

/** The archive as it was before it was changed as a whole on its way. */
export function openArchive(job: EngineJob, told: DocumentTold, isKnown = isKnownPart): Opened {
  const stop = endBeforeTail(job.bytes);
  if (stop !== null) {
    const count = job.bytes.length - stop;
    find(told, { kind: 'tail', count, offset: stop });
    told.steps.push({ kind: 'tail', count });
  }
  const bytes = withRoom(stop === null ? job.bytes : job.bytes.subarray(0, stop), job, told);
  const given = readAs(job, bytes, isKnown);
  const { problems, members } = given.read.archive;
  if (problems.length === 0 && members.every(({ problem }) => problem === null)) return given.read;
  const inOrder = undoExchanges(bytes, isXml, job.deadline, job.deadline.effort.share(searchEffort));
  if (inOrder) {
    for (const { first, size } of inOrder.exchanges) find(told, { kind: 'exchanged', count: size, offset: first });
    told.steps.push({ kind: 'exchanged', count: inOrder.exchanges.length, by: 'sums' });
    return readAs(job, inOrder.bytes, isKnown).read;
  }
  const before = beforeTransfer(
    bytes,
    () => given,
    (candidate) => {
      job.deadline.check();
      return readAs(job, candidate, isKnown);
    },
  );
  if (before) tellUndone(told, before.undone);
  return before?.read ?? given.read;
}

/**
 * The file with zeroes where bytes before it are lost, as the list of parts tells (APPNOTE 4.4.24): data of a part that lost its beginning
 * is read on from where it is known, like that behind any other gap.
 */
function withRoom(bytes: Buffer, { limits }: EngineJob, told: DocumentTold): Buffer {
  const { entries, problems } = readCentralDirectory(bytes, limits.entries + 1);
  const shifted = problems.find((problem) => problem.kind === 'shifted');
  if (!shifted || shifted.count > mostLost || entries.every(({ offset }) => offset >= 0)) return bytes;
  find(told, shifted);
  return Buffer.concat([Buffer.alloc(shifted.count), bytes]);
}

/** A reading of bytes as a package, worth as much as it has whole parts. */
function readAs(job: EngineJob, bytes: Buffer, isKnown: (name: string) => boolean): { read: Opened; worth: number } {
  const archive = readArchive(bytes, job.limits, job.deadline, isKnown);
  const whole = archive.members.filter(({ state, name }) => state === 'whole' && isKnown(name));
  return { read: { archive, bytes }, worth: whole.length };
}

/** Tells what is wrong with the archive, and sets right what its own parts and sums tell for certain: names, and lengths of members. */
export function mendArchive(archive: Archive, job: EngineJob, told: DocumentTold, namesIn = correctNames): void {
  for (const problem of archive.problems) find(told, problem);
  for (const { problem } of archive.members) if (problem) find(told, problem);
  const names = namesIn(archive);
  if (names > 0) find(told, { kind: 'name', count: names });
  const mended = mendStored(archive);
  if (mended > 0) told.steps.push({ kind: 'sums', count: mended });
  const { returned, taken } = resizeMembers(archive, job.deadline.effort, (name) => (isXml(name) ? xmlText : null));
  if (returned > 0) told.steps.push({ kind: 'returns', count: returned });
  if (taken > 0) told.steps.push({ kind: 'foreign', count: taken });
}
