import type { Exchange } from '../../core/exchange';
import { beforeTransfer } from '../../core/transfer/undo';
import { type DocumentTold, find, nothingToldYet, tellUndone } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { assemble } from './assemble';
import { entryTypes, oleSignature, shortLimit } from './constants';
import { type OleFile, type OleStream, readOle, topStream } from './container';
import { amountsOf, checkContainer, checkContent, mainStream, tableOf } from './content';
import { documentText, writingIn } from './doc';
import { exchangedText } from './docexchanged';
import { exchangedSizes, undoExchanged, unit } from './exchanged';
import { undoExchangedTables } from './exchangedtables';
import { oddLetters } from './oddletters';
import { presentationReach, workbookReach } from './reach';
import { realign } from './realign';
import { followChain } from './sectors';
import { writeOle } from './write';
import { textOfWorkbook } from './xls';

/** Bytes in which the beginning of the file is looked for behind others. */
const mostJunk = 1 << 16;

/** The file as it was before it was changed as a whole: without what was put before it, undone transfers, everything in its sector again. */
export function prepare(job: EngineJob, told: DocumentTold): EngineJob {
  const given = withoutTransfer(withoutJunk(inOrder(job, told), told), told);
  return textInPlace(inPlace(recordsInPlace(tablesInPlace(given, told), told), told), told);
}

/** The file with its first piece back in front, where that changed places with another one: only then do the tables lead to everything. */
function inOrder(job: EngineJob, told: DocumentTold): EngineJob {
  const at = job.bytes.indexOf(oleSignature);
  if (at <= 0) return job;
  // What is worth most without what stands before it has junk there.
  const most = faultsOf({ ...job, bytes: job.bytes.subarray(at) });
  for (const size of exchangedSizes) {
    if (at % size !== 0 || at + size > job.bytes.length) continue;
    job.deadline.check();
    const bytes = Buffer.from(job.bytes);
    job.bytes.copy(bytes, 0, at, at + size);
    job.bytes.copy(bytes, at, 0, size);
    if (faultsOf({ ...job, bytes }) >= most) continue;
    find(told, { kind: 'exchanged', count: size, offset: 0 });
    told.steps.push({ kind: 'exchanged', count: 1, by: 'tables' });
    return { ...job, bytes };
  }
  return job;
}

/** Bytes before the signature shift every sector, so they are taken off first. */
function withoutJunk(job: EngineJob, told: DocumentTold): EngineJob {
  const at = job.bytes.subarray(0, mostJunk).indexOf(oleSignature);
  if (at <= 0) return job;
  find(told, { kind: 'head.before', count: at, of: 'document', offset: 0 });
  told.steps.push({ kind: 'head', count: at });
  return { ...job, bytes: job.bytes.subarray(at) };
}

/** Damage in the container and its content. */
function damagesOf(job: EngineJob): DocumentTold['damages'] {
  const trial = nothingToldYet();
  const file = readOle(job, trial);
  checkContainer(file, trial);
  checkContent(job, file, trial);
  return trial.damages;
}

/** Kinds of damage in the container and its content, all told. */
const faultsOf = (job: EngineJob): number => damagesOf(job).length;

/** The same with the places at which each kind is met. */
const troubleOf = (job: EngineJob): number =>
  damagesOf(job).reduce((sum, damage) => sum + 1 + ('count' in damage ? damage.count : 0), 0);

/** The file as it was before a transfer changed it as a whole, where that makes one with less damage of it. */
function withoutTransfer(job: EngineJob, told: DocumentTold): EngineJob {
  const readAs = (bytes: Buffer) => ({ read: bytes, worth: -faultsOf({ ...job, bytes }) });
  const before = beforeTransfer(job.bytes, () => readAs(job.bytes), readAs);
  if (!before) return job;
  tellUndone(told, before.undone);
  return { ...job, bytes: before.read };
}

/** The file with two pieces of a Word text back that changed places, which no table shows. */
function textInPlace(job: EngineJob, told: DocumentTold): EngineJob {
  if (job.format !== 'doc') return job;
  const file = readOle(job, nothingToldYet());
  const [stream, table] = [topStream(file, 'WordDocument'), tableOf(file)];
  const found = stream?.sound && table ? exchangedText(stream.data, table) : null;
  if (!stream?.entry || !found) return job;
  const { sectors } = followChain(file.sectors, stream.entry.start, null, new Set());
  const { size } = file.sectors;
  const [bytes, place] = [
    Buffer.from(job.bytes),
    (at: number) => ((sectors[Math.floor(at / size)] ?? 0) + 1) * size + (at % size),
  ];
  for (let at = 0; at < found.size; at += 512) {
    job.bytes.copy(bytes, place(found.first + at), place(found.second + at), place(found.second + at) + 512);
    job.bytes.copy(bytes, place(found.second + at), place(found.first + at), place(found.first + at) + 512);
  }
  find(told, { kind: 'exchanged', count: found.size, offset: place(found.first) });
  told.steps.push({ kind: 'exchanged', count: 1, by: 'tables' });
  if (!found.isSure) told.lost.push({ how: 'characters.moved', count: found.size });
  return { ...job, bytes };
}

/** Effort for finding pieces of a workbook or presentation that changed places, in units. */
const exchangeEffort = 3000;

/** The file with pieces back that hold its tables, where they stand elsewhere than the header says. */
function tablesInPlace(job: EngineJob, told: DocumentTold): EngineJob {
  const { deadline } = job;
  const effort = deadline.effort.share(exchangeEffort);
  const found = undoExchangedTables(
    job.bytes,
    (bytes) => readOle({ ...job, bytes }, nothingToldYet()).directory.sectors,
    (bytes) => troubleOf({ ...job, bytes }),
    effort,
  );
  return found ? exchangedBack(job, told, { ...found, by: 'tables' }) : job;
}

function exchangedBack(
  job: EngineJob,
  told: DocumentTold,
  { bytes, exchanges, by }: { bytes: Buffer; exchanges: Exchange[]; by: 'tables' | 'records' },
): EngineJob {
  for (const { first, size } of exchanges) find(told, { kind: 'exchanged', count: size, offset: first });
  told.steps.push({ kind: 'exchanged', count: exchanges.length, by });
  return { ...job, bytes };
}

/** Which units of the file a stream lies in; a short one by the pieces of the stream that holds all of these. */
function unitsOf({ sectors, directory, miniStream, miniTable }: OleFile, { entry, size }: OleStream): number[] {
  const unitsFrom = (start: number, length: number) =>
    followChain(sectors, start, Math.ceil(length / sectors.size), new Set()).sectors.flatMap((sector) =>
      Array.from({ length: sectors.size / unit }, (_, index) => ((sector + 1) * sectors.size) / unit + index),
    );
  if (!entry) return [];
  if (size >= shortLimit) return unitsFrom(entry.start, size);
  const root = directory.entries.find(({ type }) => type === entryTypes.root);
  const all = root ? unitsFrom(root.start, miniStream.length) : [];
  const units: number[] = [];
  for (let piece = entry.start; units.length * unit < size; piece = miniTable[piece] ?? -1) {
    const one = all[piece];
    if (one === undefined) return [];
    units.push(one);
  }
  return units;
}

/** The file with pieces of its content back that changed places, which no table shows, but the records do. */
function recordsInPlace(job: EngineJob, told: DocumentTold): EngineJob {
  if (job.format === 'doc' || faultsOf(job) === 0) return job;
  const file = readOle(job, nothingToldYet());
  const stream = file.streams.find(({ data }) => data === mainStream(file, job.format));
  const units = stream?.sound ? unitsOf(file, stream) : [];
  if (!stream || units.length === 0) return job;
  const { deadline } = job;
  const read = job.format === 'xls' ? workbookReach : presentationReach;
  const found = undoExchanged(job.bytes, { data: stream.data, units }, read, (bytes) => troubleOf({ ...job, bytes }), {
    deadline,
    effort: deadline.effort.share(exchangeEffort),
  });
  // Cells that were put back give more to read, or as much: bytes that only pass for a record take what they reach over.
  const isMore = found !== null && (job.format !== 'xls' || worthOf({ ...job, bytes: found.bytes }) >= worthOf(job));
  return found && isMore ? exchangedBack(job, told, { ...found, by: 'records' }) : job;
}

/** The file with everything in its sectors again, where bytes in it were lost or put in. */
function inPlace(job: EngineJob, told: DocumentTold): EngineJob {
  if (faultsOf(job) === 0) return job;
  const found = realign(job, (bytes) => worthOf({ ...job, bytes }));
  if (!found) return job;
  const { lost, added, isSure, bytes } = found;
  if (lost > 0) {
    find(told, { kind: 'gap', count: lost });
    told.lost.push({ how: 'bytes.missing', count: lost });
  }
  if (added > 0) find(told, { kind: 'added', count: added });
  if (added > 0 && !isSure) told.lost.push({ how: 'bytes.beside', count: added });
  told.steps.push({ kind: 'sectors' });
  return { ...job, bytes };
}

/** A document whose own tables lead to its text is worth so many times one whose text is looked for: that finds what is no part of it, too. */
const ownTables = 2;

/** How much can be read out of a file after it is put together again. */
function worthOf(job: EngineJob): number {
  const told = nothingToldYet();
  const container = assemble(job, readOle(job, nothingToldYet()), told);
  if (typeof container === 'string') return 0;
  const again = { ...job, bytes: writeOle(container.streams, container.rootClass) };
  const file = readOle(again, nothingToldYet());
  if (job.format === 'doc') {
    const text = documentText(mainStream(file, 'doc') ?? Buffer.alloc(0), tableOf(file)) ?? '';
    const writing = Math.max(0, writingIn(text) - oddLetters(text));
    return told.steps.some(({ kind }) => kind === 'text.saved') ? writing : writing * ownTables;
  }
  const held = amountsOf(again, file).reduce((sum, { count }) => sum + count, 0);
  if (job.format === 'ppt') return held;
  return Math.max(0, held - oddLetters(textOfWorkbook(mainStream(file, 'xls') ?? Buffer.alloc(0))));
}
