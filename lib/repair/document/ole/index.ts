import { countWords } from '../../core/words';
import { Buffer } from '../../host/bytes';
import { counted, Draft, type EngineJob, type Measure, type Outcome } from '../../report';
import { tellUndone, type Undone, withoutTextMode } from '../transfer';
import { oleSignature } from './constants';
import { type OleFile, readOle, topStream } from './container';
import { checkDocument, checkText, documentText, isEncryptedDocument, rebuildDocument, writingIn } from './doc';
import { locateRun, locateStream } from './locate';
import { otherStreams } from './others';
import { mendPhotos } from './photos';
import { beginsPresentation, checkPresentation, countPictures, measurePresentation, rebuildPresentation } from './ppt';
import { realign } from './realign';
import { type StreamToWrite, writeOle } from './write';
import { beginsWorkbook, checkWorkbook, isEncryptedWorkbook, measureWorkbook, rebuildWorkbook } from './xls';

const kinds: Record<string, string> = {
  doc: 'Word document',
  xls: 'Excel workbook',
  ppt: 'PowerPoint presentation',
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
};

/** Class identifiers that the root of each kind of file carries. */
const classes: Record<string, Buffer> = {
  xls: Buffer.from('2008020000000000c000000000000046', 'hex'),
  ppt: Buffer.from('108d81649b4fcf1186ea00aa00b929e8', 'hex'),
};

/** Repairs DOC, XLS and PPT: the compound file first ([MS-CFB]), then the streams of the format inside it. */
export async function repairOle(given: EngineJob): Promise<Outcome> {
  const draft = new Draft(given.format);
  const job = await mendPhotos(inPlace(withoutTransfer(withoutJunk(given, draft), draft), draft), draft);
  // What was taken off around the document is damage, but leaves it as it was.
  const around = draft.found.filter(({ kind }) => kind !== 'gap' && kind !== 'added').length;
  const file = readOle(job, draft);
  const kind = kinds[job.format] ?? 'document';
  if (isProtected(job.format, file)) return protectedFile(job, draft, file, kind);
  if (job.format === 'ppt' && topStream(file, 'PersistentStorage Directory')) return olderFile(draft, file);
  checkContainer(file, draft);
  checkContent(job, file, draft);
  const main = job.format === 'doc' ? mainStream(file, 'doc') : null;
  if (main) checkText(main, tableOf(file), draft);
  job.progress(0.4);
  if (draft.found.length === 0) {
    draft.kept.push(...measure(job, file));
    return draft.healthy(`Nothing is wrong with this ${kind}; it is returned unchanged.`);
  }
  const { tail } = file.sectors;
  if (draft.found.length === around + (tail > 0 ? 1 : 0)) {
    if (tail > 0)
      draft.step('Cut off what came after', `${counted(tail, 'byte')} behind the end of the document were left out.`);
    return verify(job, draft, job.bytes.subarray(0, job.bytes.length - tail), kind);
  }
  const output = rebuild(job, file, draft);
  job.progress(0.7);
  if (!output) return draft.unrepairable(`No text of this ${kind} could be brought back.`);
  return verify(job, draft, output, kind, isSound(job, file) && !draft.found.some(({ kind: what }) => what === 'gap'));
}

/** Whether tables and directory lead to the content from end to end, so that damage can only lie inside of it. */
function isSound(job: EngineJob, file: OleFile): boolean {
  const main = mainStream(file, job.format);
  return file.sectors.sound && file.streams.some(({ data, sound }) => data === main && sound);
}

/** Findings about the container and its content, all told. */
function faultsOf(job: EngineJob): number {
  const trial = new Draft(job.format);
  const file = readOle(job, trial);
  checkContainer(file, trial);
  checkContent(job, file, trial);
  return trial.found.length;
}

/** The file as it was before a transfer changed it as a whole, where that makes a sound one of it, or one with less damage. */
function withoutTransfer(job: EngineJob, draft: Draft): EngineJob {
  let best = job;
  let least: number | null = null;
  let undone: Undone | null = null;
  for (const candidate of withoutTextMode(job.bytes)) {
    least ??= faultsOf(job);
    if (least === 0) break;
    const attempt = { ...job, bytes: candidate.bytes };
    const faults = faultsOf(attempt);
    if (faults >= least) continue;
    best = attempt;
    least = faults;
    undone = candidate;
  }
  if (undone) tellUndone(draft, undone, 0);
  return best;
}

/** The file with everything in its sectors again, where bytes in it were lost or put in. */
function inPlace(job: EngineJob, draft: Draft): EngineJob {
  if (faultsOf(job) === 0) return job;
  const worth = (bytes: Buffer): number => {
    const attempt = { ...job, bytes };
    const output = rebuild(attempt, readOle(attempt, new Draft(job.format)), new Draft(job.format));
    if (!output) return 0;
    const again = { ...job, bytes: output };
    const file = readOle(again, new Draft(job.format));
    if (job.format === 'doc')
      return writingIn(documentText(mainStream(file, 'doc') ?? Buffer.alloc(0), tableOf(file)) ?? '');
    return measure(again, file).reduce((sum, { count }) => sum + count, 0);
  };
  const found = realign(job, worth);
  if (!found) return job;
  const { lost, added, bytes } = found;
  if (lost > 0) {
    draft.find('gap', `${counted(lost, 'byte')} of the file are missing, so that everything behind them moved.`);
    draft.lost.push({ unit: 'bytes', count: lost, detail: 'a piece that is missing' });
  }
  if (added > 0) draft.find('added', `${counted(added, 'byte')} stand in the file that do not belong to it.`);
  draft.step('Line up the sectors', 'What had moved was put back where the tables of the file expect it.');
  return { ...job, bytes };
}

/** Bytes before the signature shift every sector, so they are taken off first. */
function withoutJunk(job: EngineJob, draft: Draft): EngineJob {
  const at = job.bytes.subarray(0, 1 << 16).indexOf(oleSignature);
  if (at <= 0) return job;
  draft.find('head', `Before the beginning of the document there were ${at} bytes that do not belong to it.`, 0);
  draft.step('Take off what came before', `${counted(at, 'byte')} before the beginning of the document were left out.`);
  return { ...job, bytes: job.bytes.subarray(at) };
}

function isProtected(format: string, file: OleFile): boolean {
  if (topStream(file, 'EncryptedPackage')) return true;
  const document = topStream(file, 'WordDocument');
  if (format === 'doc') return document !== undefined && isEncryptedDocument(document.data);
  if (format === 'xls') return isEncryptedWorkbook(mainStream(file, 'xls') ?? Buffer.alloc(0));
  const user = topStream(file, 'Current User')?.data;
  return user !== undefined && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df;
}

function protectedFile(job: EngineJob, draft: Draft, file: OleFile, kind: string): Outcome {
  draft.note(`The ${kind} is protected with a password, so its content cannot be looked at.`);
  const { tail } = file.sectors;
  const sound = file.sectors.sound && file.directory.sound && file.streams.every((stream) => stream.sound);
  if (sound && draft.found.length === 0)
    return draft.healthy(
      `This ${kind} is protected with a password and its structure is sound; it is returned unchanged.`,
    );
  const inside = new Set(['gap', 'added']);
  if (sound && !draft.found.some((finding) => inside.has(finding.kind))) {
    const bytes = job.bytes.subarray(0, job.bytes.length - tail);
    const sentence = `What did not belong to this ${kind}, which is protected with a password, was taken off; its structure is sound.`;
    return draft.done({ kind: 'bytes', bytes }, { repaired: sentence, partly: sentence });
  }
  return draft.unrepairable(
    `This ${kind} is protected with a password and its structure is damaged; without the password it cannot be put together again.`,
  );
}

/** PowerPoint 95 and before kept slides in a format of their own, which only their container lets us judge. */
function olderFile(draft: Draft, file: OleFile): Outcome {
  draft.note('It was written by PowerPoint 95 or an earlier version, whose slides this tool does not look into.');
  const sound = file.sectors.sound && file.directory.sound && file.streams.every((stream) => stream.sound);
  if (sound && draft.found.length === 0)
    return draft.healthy(
      'The structure of this presentation of an early PowerPoint is sound; it is returned unchanged.',
    );
  return draft.unrepairable(
    'This presentation of an early PowerPoint is damaged, and its format is not one this tool repairs.',
  );
}

function checkContainer(file: OleFile, draft: Draft): void {
  const broken = file.streams.filter((stream) => !stream.sound && stream.size > 0);
  if (!file.directory.sound) draft.find('directory', 'The directory of the file, which names its parts, was damaged.');
  for (const stream of broken.slice(0, 8)) {
    const name = stream.path.join('/').replace(/\p{Cc}/gu, '');
    draft.find('stream', `The part “${name}” is cut short, or the pieces it lies in are no longer known for certain.`);
  }
}

function mainStream(file: OleFile, format: string): Buffer | null {
  const names: Record<string, string[]> = {
    doc: ['WordDocument'],
    xls: ['Workbook', 'Book'],
    ppt: ['PowerPoint Document'],
  };
  for (const name of names[format] ?? []) {
    const stream = topStream(file, name);
    if (stream) return stream.data;
  }
  return null;
}

function tableOf(file: OleFile): Buffer | null {
  const document = topStream(file, 'WordDocument')?.data;
  const second = document && document.length > 11 && (document.readUInt16LE(10) & 0x200) !== 0;
  return topStream(file, second ? '1Table' : '0Table')?.data ?? null;
}

function checkContent(job: EngineJob, file: OleFile, draft: Draft): void {
  const main = mainStream(file, job.format);
  if (!main) {
    draft.find('content', 'The part that holds the content was not found under its name.');
    return;
  }
  if (job.format === 'doc') checkDocument(main, tableOf(file), draft);
  else if (job.format === 'xls') checkWorkbook(main, draft);
  else checkPresentation(main, topStream(file, 'Current User')?.data ?? null, job.limits.nesting, draft);
}

/** Counts the content of a readable file in the units of its format. */
function measure(job: EngineJob, file: OleFile): Measure[] {
  const main = mainStream(file, job.format) ?? Buffer.alloc(0);
  if (job.format === 'doc') return [{ unit: 'words', count: countWords(documentText(main, tableOf(file)) ?? '') }];
  if (job.format === 'xls') {
    const { sheets, cells, words } = measureWorkbook(main);
    return [
      { unit: 'sheets', count: sheets },
      { unit: 'cells', count: cells },
      { unit: 'words', count: words },
    ];
  }
  const { slides, words } = measurePresentation(main, job.limits.nesting);
  const pictures = countPictures(topStream(file, 'Pictures')?.data ?? Buffer.alloc(0));
  return [
    { unit: 'slides', count: slides },
    { unit: 'words', count: words },
    ...(pictures > 0 ? [{ unit: 'pictures', count: pictures }] : []),
  ];
}

function rebuild(job: EngineJob, file: OleFile, draft: Draft): Buffer | null {
  if (job.format === 'doc') return rebuildDocument(file, draft);
  const begins = job.format === 'xls' ? beginsWorkbook : beginsPresentation;
  const starts = new Set(file.streams.map((stream) => stream.entry?.start ?? -1));
  // A stream that the tables lead to from end to end is the right one, whatever else looks like it.
  const named = mainStream(file, job.format);
  const isSure = named !== null && begins(named) && file.streams.some(({ data, sound }) => data === named && sound);
  const candidates = isSure ? [named] : [named, locateStream(file, begins, starts), locateRun(file, begins)];
  const count = (data: Buffer) =>
    job.format === 'xls'
      ? wordsAndCells(measureWorkbook(data, true))
      : measurePresentation(data, job.limits.nesting).words;
  let best: Buffer | null = null;
  let most = -1;
  for (const candidate of candidates) {
    if (!candidate || candidate.length < 16) continue;
    job.deadline.check();
    const words = begins(candidate) || best === null ? count(candidate) : -1;
    if (words > most * 1.02) {
      best = candidate;
      most = words;
    }
  }
  return best ? (job.format === 'xls' ? workbook(file, best, draft) : presentation(job, file, best, draft)) : null;
}

/** Whether a workbook is one of Excel 5 or 95, whose stream has another name ([MS-XLS] 2.4.21). */
const isEarly = (content: Buffer) => content.length >= 6 && content.readUInt16LE(4) === 0x0500;

const wordsAndCells = ({ words, cells }: { words: number; cells: number }) => words + cells;

function workbook(file: OleFile, data: Buffer, draft: Draft): Buffer | null {
  const trial = new Draft('xls');
  checkWorkbook(data, trial);
  const content = trial.found.length === 0 ? data : rebuildWorkbook(data, draft);
  if (!content) return null;
  draft.step('Rebuild container', 'The content of the workbook was put into a new container.');
  return writeOle(
    [
      { path: [isEarly(content) ? 'Book' : 'Workbook'], data: content },
      ...otherStreams(file, ['Workbook', 'Book'], draft),
    ],
    file.rootClass ?? classes.xls ?? null,
  );
}

function presentation(job: EngineJob, file: OleFile, data: Buffer, draft: Draft): Buffer | null {
  const user = topStream(file, 'Current User')?.data ?? null;
  const trial = new Draft('ppt');
  checkPresentation(data, user, job.limits.nesting, trial);
  const whole =
    trial.found.length === 0 && user
      ? { document: data, currentUser: user }
      : rebuildPresentation(data, job.limits.nesting, draft);
  if (!whole) return null;
  draft.step('Rebuild container', 'The content of the presentation was put into a new container.');
  const streams: StreamToWrite[] = [
    { path: ['PowerPoint Document'], data: whole.document },
    { path: ['Current User'], data: whole.currentUser },
    ...otherStreams(file, ['PowerPoint Document', 'Current User'], draft),
  ];
  return writeOle(streams, file.rootClass ?? classes.ppt ?? null);
}

/** Opens the result again, checks it as an unknown file would be, and counts what is in it. */
function verify(job: EngineJob, draft: Draft, output: Buffer, kind: string, isLocal = false): Outcome {
  const again = { ...job, bytes: output };
  const trial = new Draft(job.format);
  const file = readOle(again, trial);
  checkContainer(file, trial);
  checkContent(again, file, trial);
  const measures = measure(again, file);
  const words = measures.find((measured) => measured.unit === 'words')?.count ?? 0;
  const others = measures
    .filter(({ unit }) => unit === 'cells' || unit === 'pictures')
    .reduce((sum, { count }) => sum + count, 0);
  if (trial.found.length > 0) {
    draft.note(
      `Details for support: ${trial.found
        .slice(0, 3)
        .map((finding) => finding.detail)
        .join(' ')}`,
    );
    return draft.unrepairable(`The rebuilt ${kind} is still not readable, so it is not handed out.`);
  }
  // Without a word it may have been so from the beginning, when nothing is gone, or only a piece of it.
  const hasUnits = measures.every(({ unit, count }) => unit === 'words' || unit === 'cells' || count > 0);
  const isEmpty = hasUnits && (draft.lost.length === 0 || (isLocal && job.format === 'ppt'));
  if (words + others === 0 && !isEmpty) return draft.unrepairable(`No text of this ${kind} could be brought back.`);
  draft.kept.push(...measures);
  draft.step('Check the result', `The repaired file was opened again: ${counted(words, 'word')} can be read.`);
  return draft.done(
    { kind: 'bytes', bytes: output },
    {
      repaired: `The ${kind} was repaired with everything in it: ${counted(words, 'word')} can be read.`,
      partly: `The ${kind} opens again and ${counted(words, 'word')} can be read, but parts of it were lost.`,
    },
  );
}
