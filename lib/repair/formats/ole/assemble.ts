import { type DocumentTold, find, nothingToldYet } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { type OleFile, topStream } from './container';
import { mainStream } from './content';
import { assembleDocument } from './doc';
import { locateRun, locateStream, startsInside } from './locate';
import { otherStreams } from './others';
import { beginsPresentation, checkPresentation, measurePresentation, rebuildPresentation } from './ppt';
import type { Container, Unmade } from './write';
import {
  beginsWorkbook,
  checkWorkbook,
  holdsStrangeText,
  isEncryptedWorkbook,
  measureWorkbook,
  rebuildWorkbook,
} from './xls';

/** Class identifiers that the root of each kind of file carries. */
const classes = {
  xls: Buffer.from('2008020000000000c000000000000046', 'hex'),
  ppt: Buffer.from('108d81649b4fcf1186ea00aa00b929e8', 'hex'),
};

/** Words and cells that a workbook without beginning holds at least. */
const leastHeld = 20;
/** Another reading of the content is taken for the better one when it holds so much more; chosen on the bench. */
const clearlyMore = 1.02;

/** Puts the streams of a document together again, or says why not. */
export function assemble(job: EngineJob, file: OleFile, told: DocumentTold): Container | Unmade {
  if (job.format === 'doc') return assembleDocument(file, told);
  const content = bestContent(job, file);
  if (!content) return 'noText';
  if (job.format === 'xls' && isEncryptedWorkbook(content)) return 'passwordDamaged';
  return (job.format === 'xls' ? workbook(file, content, told) : presentation(job, file, content, told)) ?? 'noText';
}

/** The content of a workbook or presentation: of all that could be it, what holds most. */
function bestContent(job: EngineJob, file: OleFile): Buffer | null {
  const begins = job.format === 'xls' ? beginsWorkbook : beginsPresentation;
  const starts = new Set(file.streams.map((stream) => stream.entry?.start ?? -1));
  // A stream that the tables lead to from end to end is the right one, whatever else looks like it.
  const named = mainStream(file, job.format);
  const isSure = named !== null && begins(named) && file.streams.some(({ data, sound }) => data === named && sound);
  const inside = named ? startsInside(file) : undefined;
  const candidates = isSure
    ? [named]
    : [named, locateStream(file, begins, starts, inside), locateRun(file, begins, inside)];
  let best: Buffer | null = null;
  let most = -1;
  for (const candidate of candidates) {
    if (!candidate || candidate.length < 16) continue;
    job.deadline.check();
    const held = begins(candidate) || best === null ? heldIn(job, candidate) : -1;
    if (held > most * clearlyMore) {
      best = candidate;
      most = held;
    }
  }
  // Without a beginning, what some programs write in one piece is read from where the file begins.
  if (best === null && job.format === 'xls' && heldIn(job, file.sectors.bytes) >= leastHeld) return file.sectors.bytes;
  return best;
}

/** Words and cells of a workbook, words of a presentation. */
function heldIn({ format, limits }: EngineJob, data: Buffer): number {
  if (format !== 'xls') return measurePresentation(data, limits.nesting).words;
  const { words, cells } = measureWorkbook(data, true);
  return words + cells;
}

/** Whether a workbook is one of Excel 5 or 95, whose stream has another name ([MS-XLS] 2.4.21). */
const isEarly = (content: Buffer) => content.length >= 6 && content.readUInt16LE(4) === 0x0500;

function workbook(file: OleFile, data: Buffer, told: DocumentTold): Container | null {
  const trial = nothingToldYet();
  checkWorkbook(data, trial);
  // What is found by what it holds was not looked into before.
  if (!mainStream(file, 'xls')) for (const damage of trial.damages) find(told, damage);
  const isSound = trial.damages.length === 0 && !holdsStrangeText(data);
  const content = isSound ? data : rebuildWorkbook(data, told);
  if (!content) return null;
  told.steps.push({ kind: 'container.content', of: 'workbook' });
  const streams = [
    { path: [isEarly(content) ? 'Book' : 'Workbook'], data: content },
    // Some readers take the same under a wrong name for a second workbook.
    ...otherStreams(file, ['Workbook', 'Book'], told).filter((one) => !isSame(one.data, data)),
  ];
  return { streams, rootClass: file.rootClass ?? classes.xls };
}

/** Whether a stream is a workbook as far as it goes: it may be followed by the rest of its last sector. */
function isSame(stream: Buffer, workbook: Buffer): boolean {
  const length = Math.min(stream.length, workbook.length);
  return beginsWorkbook(stream) && stream.subarray(0, length).equals(workbook.subarray(0, length));
}

function presentation(job: EngineJob, file: OleFile, data: Buffer, told: DocumentTold): Container | null {
  const user = topStream(file, 'Current User')?.data ?? null;
  const trial = nothingToldYet();
  checkPresentation(data, user, job.limits.nesting, trial);
  const whole =
    trial.damages.length === 0 && user
      ? { document: data, currentUser: user }
      : rebuildPresentation(data, job.limits.nesting, told);
  if (!whole) return null;
  told.steps.push({ kind: 'container.content', of: 'presentation' });
  const streams = [
    { path: ['PowerPoint Document'], data: whole.document },
    { path: ['Current User'], data: whole.currentUser },
    ...otherStreams(file, ['PowerPoint Document', 'Current User'], told),
  ];
  return { streams, rootClass: file.rootClass ?? classes.ppt };
}
