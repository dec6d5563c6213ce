import { lostByte } from '../../core/flips/likeness';
import type { Archive } from '../../core/zip/read';
import type { Body } from '../../core/zip/write';
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
import { assemble, type Survey } from './assemble';
import { placeCells } from './cellplaces';
import { mendCells } from './cells';
import { mendValues } from './cellvalues';
import { faultyXml, findStructureDamage, xmlDamage } from './check';
import { amountsOf, measureContent, textParts } from './content';
import { correctMembers } from './correct';
import { asUtf8 } from './encoding';
import { mendLists } from './lists';
import { equateNames } from './names';
import { mendNamespaces } from './namespaces';
import { mendNotes } from './notemarks';
import { lockedArchive, mendArchive, openArchive } from './open';
import { stringsPath } from './package';
import { mendPictures } from './photos';
import { mendNames } from './renamed';

/** What survives of a package: the archive as it is, where only what surrounds it was damaged, or parts that make a new one. */
export type OoxmlParts =
  | { kind: 'archive'; bytes: Buffer }
  | { kind: 'parts'; parts: ReadonlyMap<string, Buffer>; known: ReadonlyMap<Buffer, Body> };

/** What is known of the damaged package: its sound parts, those of its own that came back at all, and whether it never held a word. */
export type OoxmlKnown = {
  sound: ReadonlyMap<string, Buffer>;
  own: ReadonlySet<string>;
  isEmpty: boolean;
};

export type OoxmlExamined = DocumentExamined<OoxmlParts | null, OoxmlKnown>;

/** Text parts that promise more than so many bytes, and of which less than that part was read, are not worth handing out; chosen on the bench. */
const enoughText = 2000;
const leastShare = 0.02;
/** Sizes of parts beyond that are damage themselves. */
const mostPromised = 1 << 30;
/** Bytes between two gaps that are worth something, about ten words. */
const leastPiece = 64;
/** Of text of which no more than that was read in pieces, fewer words than so many for each byte that it had are next to nothing; documents have one for 22 to 300, forms as few as one for 77,000. */
const fewPieces = 0.05;
const leastWords = 0.00025;

/** Surveys DOCX, XLSX and PPTX (ECMA-376): the ZIP container first, then each XML part, then the tables that hold the parts together. */
export async function examineOoxml({ job }: DocumentReading): Promise<OoxmlExamined> {
  const locked = lockedArchive(job);
  if (locked) return locked;
  const told = nothingToldYet();
  const { archive, bytes } = openArchive(job, told);
  job.progress(0.4);
  const before = told.damages.length;
  const equated = equateNames(archive);
  if (equated > 0) told.remarks.push({ kind: 'capitals', count: equated });
  mendArchive(archive, job, told);
  correctMembers(archive, job, told);
  const pictures = await mendPictures(archive, job, told);
  const { parts, faults } = survey(archive, job, told);
  job.progress(0.6);
  if (told.damages.length === 0) return untouched(told, amountsOf(job.format, measureContent(job.format, parts)));
  const sound = new Map([...parts].filter(([path]) => !faults.has(path)));
  const isEmpty = isWholeButEmpty(job.format, archive);
  const own = new Set(parts.keys());
  if (told.damages.length === before)
    return survived(told, { kind: 'archive', bytes }, { known: { sound, own, isEmpty } });
  return putTogether(job, told, { archive, parts, faults, pictures }, { sound, own, isEmpty });
}

/** The parts that could be read, and what is wrong with them. */
function survey(archive: Archive, job: EngineJob, told: DocumentTold): Pick<Survey, 'parts' | 'faults'> {
  const parts = new Map<string, Buffer>();
  for (const member of archive.members) if (member.state !== 'lost') parts.set(member.name, member.data);
  const partial = new Set(archive.members.filter(({ state }) => state === 'part').map(({ name }) => name));
  const faults = faultyXml(parts, job.limits.nesting, partial);
  for (const [part, fault] of faults) {
    const offset = archive.members.find(({ name }) => name === part)?.offset ?? 0;
    find(told, xmlDamage(part, parts.get(part), fault, offset));
  }
  mendNamespaces(parts, new Set([...partial, ...faults.keys()]), told);
  setNames(parts, faults, told);
  if (job.format === 'xlsx') {
    mendValues(parts, new Set([...partial, ...faults.keys()]), told);
    mendCells(parts, new Set([...partial, ...faults.keys()]), told);
    placeCells(parts, new Set([...partial, ...faults.keys()]), told);
  }
  if (job.format === 'docx') mendNotes(parts, new Set([...partial, ...faults.keys()]), told);
  mendLists(job.format, parts, new Set([...partial, ...faults.keys()]), told);
  findStructureDamage(job.format, parts, told);
  return { parts, faults };
}

/** Renames elements that no reader knows. */
function setNames(parts: Map<string, Buffer>, faults: ReadonlyMap<string, string>, told: DocumentTold): void {
  let count = 0;
  for (const [part, data] of parts) {
    const mended = faults.has(part) ? null : mendNames(part, data);
    if (!mended) continue;
    find(told, { kind: 'xml.names', part, count: mended.count });
    parts.set(part, Buffer.from(asUtf8(mended.xml)));
    count += mended.count;
  }
  if (count > 0) told.steps.push({ kind: 'elements', count });
}

function putTogether(job: EngineJob, told: DocumentTold, found: Survey, known: OoxmlKnown): OoxmlExamined {
  const { archive } = found;
  const pack = assemble(job, told, found);
  if (!pack) return gone(told, 'mainGone');
  job.deadline.check();
  const promised = promisedText(job.format, archive);
  if (promised > enoughText && isLittle(job.format, archive, pack.parts, promised)) return gone(told, 'littleRead');
  const own = new Set([...known.own].filter((path) => !pack.lost.has(path)));
  const parts: OoxmlParts = { kind: 'parts', parts: pack.parts, known: bodiesOf(archive) };
  return survived(told, parts, { known: { ...known, own, isEmpty: known.isEmpty && told.lost.length === 0 } });
}

/** Whether a document without a word or picture was so from the beginning: all of its text is there. */
function isWholeButEmpty(format: string, archive: Archive): boolean {
  const texts = archive.members.filter(({ name }) => textParts[format]?.test(name));
  return texts.length > 0 && texts.every(({ state }) => state === 'whole');
}

/** Bytes of text parts that the headers promise, and that were brought back. */
function promisedText(format: string, archive: Archive): number {
  const members = archive.members.filter((member) => textParts[format]?.test(member.name));
  return members.reduce((sum, member) => sum + Math.min(member.expected, mostPromised), 0);
}

/**
 * Whether next to nothing of the text was read: hardly a piece of it in one, of a document without pictures few pieces and hardly a word, or
 * of a workbook no whole sheet and hardly a cell: one takes 20 to 100 bytes.
 */
function isLittle(format: string, { members }: Archive, parts: ReadonlyMap<string, Buffer>, promised: number): boolean {
  const texts = members.filter(({ name, state }) => textParts[format]?.test(name) && state !== 'lost');
  const read = texts.reduce((sum, { state, data }) => sum + (state === 'whole' ? data.length : readInPieces(data)), 0);
  if (read < promised * leastShare) return true;
  if (format === 'xlsx') {
    // A whole sheet is worth handing out even where it is a blank form.
    const isSheetWhole = texts.some(({ name, state }) => name !== stringsPath && state === 'whole');
    const { words, cells } = measureContent(format, parts);
    return (
      words < (words + lostWords(members)) * leastShare || (!isSheetWhole && words + cells < promised * leastWords)
    );
  }
  if (format !== 'docx' || read > promised * fewPieces) return false;
  const { words, media } = measureContent(format, parts);
  return media === 0 && words < promised * leastWords;
}

/** Bytes of a sheet and of the table of shared texts in which one word stands at least, markup included; chosen on the bench. */
const bytesOfWord = { sheet: 100, texts: 40 } as const;

/** Words that sheets and shared texts held where these are lost, as their sizes tell: a sheet whose texts are gone may be whole, and hold nothing but the numbers of its rows. */
function lostWords(members: Archive['members']): number {
  const sheets = members.filter(({ name, state }) => textParts.xlsx?.test(name) && state !== 'whole');
  return sheets.reduce((sum, { name, expected, data }) => {
    const missing = Math.max(0, Math.min(expected, mostPromised) - readInPieces(data));
    return sum + missing / (name === stringsPath ? bytesOfWord.texts : bytesOfWord.sheet);
  }, 0);
}

/** Bytes of a part behind its opening that are known in one piece: between gaps that lie closer no sentence is left. */
function readInPieces(data: Buffer): number {
  const root = data.indexOf('>', data.indexOf(/^\s*<\?/.test(data.toString('latin1', 0, 8)) ? '?>' : '<') + 2);
  let [read, from] = [0, Math.max(0, root)];
  for (let at = from; at <= data.length; at++) {
    if (at < data.length && data[at] !== lostByte) continue;
    if (at - from >= leastPiece) read += at - from;
    from = at + 1;
  }
  return read;
}

/** How content that is as it was stands in the file, by that content. */
const bodiesOf = ({ members }: Archive): Map<Buffer, Body> =>
  new Map(members.flatMap(({ data, body }) => (body ? [[data, body] as const] : [])));
