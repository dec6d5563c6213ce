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
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { assemble } from './assemble';
import { special } from './constants';
import { type OleFile, type OleStream, readOle, topStream } from './container';
import { amountsOf, checkContainer, checkContent, mainStream, tableOf } from './content';
import { checkText, foreignCharacters, isEncryptedDocument } from './doc';
import { mendPhotos } from './photos';
import { presentationText } from './ppt';
import { prepare } from './prepare';
import { type Sectors, unknown } from './sectors';
import type { Container } from './write';
import { isEncryptedWorkbook } from './xls';

/** What survives of a file: its bytes, where only what surrounds them was damaged, or the streams of a new one. */
export type OleParts = { kind: 'bytes'; bytes: Buffer } | { kind: 'container'; container: Container };

/** What is known of the damaged file: whether it may never have held a word. */
export type OleKnown = { isEmpty: boolean };

export type OleExamined = DocumentExamined<OleParts | null, OleKnown>;

/** Surveys DOC, XLS and PPT, and documents with a password in a compound file: the file first ([MS-CFB]), then the streams inside it. */
export async function examineOle({ job: given }: DocumentReading): Promise<OleExamined> {
  const told = nothingToldYet();
  const job = await mendPhotos(prepare(given, told), told);
  // What was taken off around the document is damage, but leaves it as it was.
  const around = told.damages.filter(({ kind }) => kind !== 'gap' && kind !== 'added').length;
  const file = readOle(job, told);
  if (isProtected(job.format, file)) return protectedFile(job, told, file);
  if (job.format === 'ppt' && topStream(file, 'PersistentStorage Directory')) return olderFile(told, file);
  checkContainer(file, told);
  checkContent(job, file, told);
  checkLetters(job, file, told);
  job.progress(0.4);
  if (told.damages.length === 0) {
    told.remarks.push({ kind: 'noSums' });
    return untouched(told, amountsOf(job, file));
  }
  const { tail } = file.sectors;
  if (told.damages.length === around + (tail > 0 ? 1 : 0)) {
    if (tail > 0) told.steps.push({ kind: 'tail', count: tail });
    return survived(told, withoutTail(job, file), { known: { isEmpty: told.lost.length === 0 } });
  }
  const container = assemble(job, file, told);
  job.progress(0.7);
  if (container === 'passwordDamaged') told.remarks.push({ kind: 'password', of: job.format });
  if (typeof container === 'string') return gone(told, container);
  return survived(told, { kind: 'container', container }, { known: { isEmpty: couldBeEmpty(job, file, told) } });
}

/** Tells of text that was overwritten. */
export function checkLetters(job: EngineJob, file: OleFile, told: DocumentTold): void {
  const main = job.format === 'doc' ? mainStream(file, 'doc') : null;
  if (main) checkText(main, tableOf(file), told);
  if (job.format === 'ppt') checkSlides(job, file, told);
}

/** Notes text of slides that was overwritten, which no record shows. */
function checkSlides(job: EngineJob, file: OleFile, told: DocumentTold): void {
  const text = presentationText(mainStream(file, 'ppt') ?? Buffer.alloc(0), job.limits.nesting);
  const count = foreignCharacters(text);
  if (count === 0) return;
  find(told, { kind: 'text.overwritten' });
  told.lost.push({ how: 'characters.overwritten', count });
}

function withoutTail({ bytes }: EngineJob, { sectors }: OleFile): OleParts {
  return { kind: 'bytes', bytes: bytes.subarray(0, bytes.length - sectors.tail) };
}

/** Whether a document without a word may have been so from the beginning: nothing is gone, or of a presentation only a piece of it. */
function couldBeEmpty(job: EngineJob, file: OleFile, { damages, lost }: DocumentTold): boolean {
  if (lost.length === 0) return true;
  return job.format === 'ppt' && isSound(job, file) && !damages.some(({ kind }) => kind === 'gap');
}

/** Whether tables and directory lead to the content from end to end, so that damage can only lie inside of it. */
function isSound(job: EngineJob, file: OleFile): boolean {
  const main = mainStream(file, job.format);
  return file.sectors.sound && file.streams.some(({ data, sound }) => data === main && sound);
}

/** Marks presentations that are encrypted, where others have another number ([MS-PPT] 2.3.2, headerToken). */
const encryptedToken = 0xf3d1c4df;

function isProtected(format: string, file: OleFile): boolean {
  if (topStream(file, 'EncryptedPackage')) return true;
  const document = topStream(file, 'WordDocument');
  if (format === 'doc') return document !== undefined && isEncryptedDocument(document.data);
  if (format === 'xls') return isEncryptedWorkbook(mainStream(file, 'xls') ?? Buffer.alloc(0));
  const user = topStream(file, 'Current User')?.data;
  return user !== undefined && user.length >= 16 && user.readUInt32LE(12) === encryptedToken;
}

const isWhole = ({ sectors, directory, streams }: OleFile): boolean =>
  sectors.sound && directory.sound && streams.every((stream) => stream.sound || isPackageWhole(sectors, stream));

/** Bytes before an encrypted package, which tell how long it is, and of a block of its cipher ([MS-OFFCRYPTO] 2.3.4.4). */
const packed = { head: 8, block: 16 } as const;

/** Whether the chain of an encrypted package, up to the end that its table marks, holds all that it says of its own length: the rest that the directory counts in would be room behind it. */
function isPackageWhole({ fat, size }: Sectors, { path, data, entry }: OleStream): boolean {
  if (path.length !== 1 || path[0] !== 'EncryptedPackage' || !entry || data.length < packed.head) return false;
  const promised = Math.ceil(Number(data.readBigUInt64LE(0)) / packed.block) * packed.block + packed.head;
  let sectors = 0;
  let next = entry.start;
  for (; next >= 0 && sectors <= fat.length; sectors++) next = fat[next] ?? unknown;
  return next === special.end && sectors * size >= promised;
}

/** Without the password only the container can be judged, and what surrounds it taken off. */
function protectedFile(job: EngineJob, told: DocumentTold, file: OleFile): OleExamined {
  told.remarks.push({ kind: 'password', of: job.format });
  if (isWhole(file) && told.damages.length === 0) return untouched(told, [], { verdict: 'healthy', how: 'password' });
  const isInside = told.damages.some(({ kind }) => kind === 'gap' || kind === 'added');
  if (!isWhole(file) || isInside) return gone(told, 'passwordDamaged');
  return survived(told, withoutTail(job, file), { end: { verdict: 'repaired', how: 'passwordCleaned' } });
}

/** PowerPoint 95 and before kept slides in a format of their own, which only their container lets us judge. */
function olderFile(told: DocumentTold, file: OleFile): OleExamined {
  told.remarks.push({ kind: 'older' });
  if (isWhole(file) && told.damages.length === 0) return untouched(told, [], { verdict: 'healthy', how: 'older' });
  return gone(told, 'older');
}
