import { unzipSync } from 'fflate';
import { inflateSalvage } from '../../core/deflate/whole';
import { Buffer } from '../../host/bytes';
import { counted, Draft, type EngineJob, LimitError, type Outcome } from '../../report';
import { tellUndone, type Undone, withoutTextMode } from '../transfer';
import { type Archive, type Member, readArchive } from '../zip/read';
import { endBeforeTail } from '../zip/records';
import { resizeMembers } from '../zip/resize';
import { type Body, writeArchive } from '../zip/write';
import { faultyXml, findStructureDamage } from './check';
import { correctBits, learnVocabulary, xmlText } from './flips';
import { learnGrammar, shellFor } from './grammar';
import { contentMeasures, measureContent } from './measure';
import { type Mended, mendXml } from './mend';
import { correctNames } from './names';
import {
  findMainPart,
  type OfficePackage,
  rebuildContentTypes,
  rebuildRelationships,
  standInForLost,
  stringsPath,
} from './package';
import { completePresentation, completeWorkbook, textsBeforeDamage } from './parts';
import { mendPictures } from './photos';
import { decodeXml } from './text';
import { isKnownPart } from './vocabulary';

const programs: Record<string, string> = {
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
};

const isXml = (name: string): boolean => /\.(?:xml|rels)$/.test(name);

/** Repairs DOCX, XLSX and PPTX (ECMA-376): the ZIP container first, then each XML part, then the tables that hold the parts together. */
export async function repairOoxml(job: EngineJob): Promise<Outcome> {
  const draft = new Draft(job.format);
  const { archive, bytes } = openArchive(job, draft);
  job.progress(0.4);
  const before = draft.found.length;
  reportArchive(archive, draft);
  const names = draft.found.length > 0 ? correctNames(archive) : 0;
  if (names > 0)
    draft.find(
      'name',
      `${counted(names, 'name')} of parts ${names === 1 ? 'was' : 'were'} damaged; the rest of the document calls them otherwise.`,
    );
  resize(archive, job, draft);
  correctMembers(archive, job, draft);
  const pictures = await mendPictures(archive, job, draft);
  const parts = new Map<string, Buffer>();
  for (const member of archive.members) if (member.state !== 'lost') parts.set(member.name, member.data);
  const partial = new Set(archive.members.filter(({ state }) => state === 'part').map(({ name }) => name));
  const faults = faultyXml(parts, job.limits.nesting, partial);
  for (const [path, fault] of faults) {
    const offset = archive.members.find((member) => member.name === path)?.offset ?? null;
    draft.find('xml', `The text of the part ${path} breaks off or is garbled (${fault}).`, offset);
  }
  findStructureDamage(job.format, parts, draft);
  job.progress(0.6);
  const kind = programs[job.format] ?? 'document';
  if (draft.found.length === 0) {
    draft.kept.push(...contentMeasures(job.format, measureContent(job.format, parts)));
    return draft.healthy(`Nothing is wrong with this ${kind}; it is returned unchanged.`);
  }
  const sound = new Map([...parts].filter(([path]) => !faults.has(path)));
  const isEmpty = isWholeButEmpty(job.format, archive);
  const held = [...parts.keys()];
  if (draft.found.length === before) return verify(job, draft, bytes, kind, { sound, own: new Set(held), isEmpty });
  const pack = rebuild(job, draft, archive, parts, { faults, pictures });
  if (!pack) return draft.unrepairable(`Too little of this ${kind} is left: its main part is gone.`);
  job.deadline.check();
  const promised = promisedText(job.format, archive);
  if (promised > 2000 && readText(job.format, pack.parts) < promised * 0.02) {
    return draft.unrepairable(`Less than one fiftieth of this ${kind} could be read, which is too little to hand out.`);
  }
  const output = writeArchive(orderParts(pack.parts), bodiesOf(archive));
  const own = new Set(held.filter((path) => !pack.lost.has(path)));
  return verify(job, draft, output, kind, { sound, own, isEmpty });
}

/** The archive as it was before it was changed as a whole on its way, and its bytes. */
function openArchive(job: EngineJob, draft: Draft): { archive: Archive; bytes: Buffer } {
  const read = (bytes: Buffer) => ({ archive: readArchive(bytes, job.limits, job.deadline, isKnownPart), bytes });
  const wholeIn = ({ archive }: { archive: Archive }) =>
    archive.members.filter(({ state, name }) => state === 'whole' && isKnownPart(name)).length;
  const stop = endBeforeTail(job.bytes);
  if (stop !== null) {
    const count = job.bytes.length - stop;
    draft.find('tail', `Behind the end of the document there are ${count} bytes that do not belong to it.`, stop);
    draft.step('Cut off what came after', `${counted(count, 'byte')} behind the end of the document were left out.`);
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
  if (undone) tellUndone(draft, undone, 0);
  return best;
}

/** Brings members back whole that are shorter or longer than they were. */
function resize(archive: Archive, job: EngineJob, draft: Draft): void {
  const { returned, taken } = resizeMembers(archive, job.deadline.effort, (name) => (isXml(name) ? xmlText : null));
  if (returned > 0)
    draft.step('Put line ends back', `In ${counted(returned, 'part')} bytes that a transfer had taken were put back.`);
  if (taken > 0)
    draft.step('Take out foreign bytes', `In ${counted(taken, 'part')} bytes that do not belong there were taken out.`);
}

/** Whether a document without a word or picture was so from the beginning: all of its text is there. */
function isWholeButEmpty(format: string, archive: Archive): boolean {
  const texts = archive.members.filter(({ name }) => textParts[format]?.test(name));
  return texts.length > 0 && texts.every(({ state }) => state === 'whole');
}

/** Bytes of a part that say enough about how its elements stand in each other. */
const grammarBytes = 1 << 20;

/** Effort for setting wrong bits right, in units: for one part, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { part: 2500, all: 5000, least: 1500, lessPerMegabyte: 800 };

/** The small parts that lead to the others first, then those with the text, then the rest. */
function correctionRank(format: string, { name }: Member): number {
  return /\.rels$|^\[Content_Types\]\.xml$/.test(name) ? 0 : textParts[format]?.test(name) ? 1 : 2;
}

/** Sets wrong bits in packed XML parts right, judged by what the parts that are in order look like. */
function correctMembers(archive: Archive, job: EngineJob, draft: Draft): void {
  const damaged = archive.members.filter(({ name, packed }) => packed && isXml(name));
  if (damaged.length === 0) return;
  damaged.sort((left, right) => correctionRank(job.format, left) - correctionRank(job.format, right));
  const whole = archive.members.filter(({ name, state }) => state === 'whole' && isXml(name));
  const known = learnVocabulary(whole.map(({ data }) => data.subarray(0, grammarBytes)));
  const { least, all, lessPerMegabyte } = correctionEffort;
  const megabytes = damaged.reduce((sum, { packed }) => sum + (packed?.bytes.length ?? 0), 0) / 1e6;
  const effort = job.deadline.effort.share(Math.max(least, all - lessPerMegabyte * megabytes));
  let bits = 0;
  let alignedParts = 0;
  for (const member of damaged) {
    const { packed, expected } = member;
    // No DEFLATE data grows more than 1032 times: a larger size is damage itself.
    if (!packed || packed.stored || expected > 1 << 24 || expected > packed.bytes.length * 1032 || effort.isSpent)
      continue;
    const part = { packed: packed.bytes, size: expected, crc: packed.crc };
    const corrected = correctBits(part, known, effort.share(correctionEffort.part));
    if (!corrected) continue;
    bits += corrected.bits;
    const { aligned, exact, text } = corrected;
    const options = { maxOutput: expected, deadline: job.deadline, clip: true };
    const data = exact ? text : inflateSalvage(corrected.packed, options).data;
    member.data = aligned && tagged(aligned) > tagged(data) * 1.02 ? aligned : data;
    if (member.data === aligned) alignedParts++;
    if (member.data.length > 0 && member.state === 'lost') member.state = 'part';
    if (exact) member.state = 'whole';
  }
  if (bits > 0)
    draft.step(
      'Set bits right',
      `${counted(bits, 'wrong bit')} in the packed text ${bits === 1 ? 'was' : 'were'} found by what the text must look like, and set right.`,
    );
  if (alignedParts > 0)
    draft.step(
      'Line up the rest',
      `In ${counted(alignedParts, 'part')} a piece is gone; the text behind it was put back in its place.`,
    );
}

/** Bytes of a text that are whole tags: how much of it makes sense. */
function tagged(data: Buffer): number {
  let sum = 0;
  for (const [tag] of data
    .toString('latin1')
    .matchAll(/<\/?[A-Za-z][\w:.-]{0,60}(?:\s+[\w:.-]{1,60}="[^"<]{0,400}")*\s*\/?>/g))
    sum += tag.length;
  return sum;
}

function reportArchive(archive: Archive, draft: Draft): void {
  for (const problem of archive.problems) draft.find(problem.kind, problem.detail, problem.offset);
  for (const member of archive.members)
    if (member.problem) draft.find(member.problem.kind, member.problem.detail, member.offset);
}

function rebuild(
  job: EngineJob,
  draft: Draft,
  archive: Archive,
  parts: Map<string, Buffer>,
  { faults, pictures }: { faults: ReadonlyMap<string, string>; pictures: ReadonlyMap<string, string> },
): OfficePackage | null {
  const lost = new Set(archive.members.filter((member) => member.state === 'lost').map((member) => member.name));
  const pack: OfficePackage = { format: job.format, parts, lost, draft };
  draft.step('Collect parts', `${counted(parts.size, 'part')} of the document could be read.`);
  const strings = archive.members.find(({ name, state }) => name === stringsPath && state === 'part');
  if (strings) pack.stringsBefore = textsBeforeDamage(strings.data);
  let mended = 0;
  const samples = faults.size > 0 ? [...parts].filter(([path]) => isXml(path)) : [];
  const textsOf = (isFaulty: boolean) =>
    samples
      .filter(([path]) => faults.has(path) === isFaulty)
      .map(([, data]) => decodeXml(data.subarray(0, grammarBytes)));
  const grammar = learnGrammar(textsOf(false), textsOf(true));
  const partial = new Set(archive.members.filter(({ state }) => state === 'part').map(({ name }) => name));
  for (const [path] of faults) {
    job.deadline.check();
    const result = mendXml(decodeXml(parts.get(path) ?? Buffer.alloc(0)), job.limits.nesting, grammar, shellFor(path));
    if (/<[A-Za-z_][^<>]*>/.test(result.xml.replace(/^<\?xml[^>]*\?>/, ''))) parts.set(path, Buffer.from(result.xml));
    else {
      parts.delete(path);
      lost.add(path);
    }
    if (parts.has(path) && !partial.has(path)) reportGarbled(path, result, draft);
    mended++;
  }
  if (mended > 0)
    draft.step(
      'Close the text',
      `${counted(mended, 'part')} that broke off or were garbled were closed where they broke.`,
    );
  reportPartial(archive, pictures, draft);
  standInForLost(pack);
  if (job.format === 'xlsx') completeWorkbook(pack);
  if (job.format === 'pptx') completePresentation(pack);
  const main = findMainPart(job.format, parts);
  if (main === null) return null;
  const relations = rebuildRelationships(pack, main);
  if (relations > 0)
    draft.step('Rebuild links', `The links between the parts were rebuilt in ${counted(relations, 'place')}.`);
  if (rebuildContentTypes(pack)) draft.step('Rebuild types', 'The table that tells what each part is was rebuilt.');
  return pack;
}

/** More end tags than this are not lost one by one, but with what stood between them. */
const mostClosed = 2;

/** Says what is known to be missing in a part that is not as it was written, although the file holds it as it was stored. */
function reportGarbled(path: string, { dropped, closed, ended }: Mended, draft: Draft): void {
  const say = (detail: string) => draft.lost.push({ unit: 'parts', count: 1, detail: `${path}: ${detail}` });
  if (ended) say('its text ends in the middle, and what came after is gone');
  else if (dropped > 0 || closed > mostClosed) say('some of it was garbled and had to be left out');
}

/** Says how much of each part that came back only in part is there, in percent of the size that the file promises; of `pictures` what is known. */
function reportPartial(archive: Archive, pictures: ReadonlyMap<string, string>, draft: Draft): void {
  const partial = archive.members.filter((member) => member.state === 'part');
  for (const member of partial.slice(0, 12)) {
    const share = member.expected > 0 ? Math.min(100, Math.round((100 * member.data.length) / member.expected)) : null;
    const told = pictures.get(member.name);
    const whole = /\.(?:xml|rels)$/.test(member.name) ? 'some characters may differ' : 'some of it may differ';
    const detail = `${member.name}: ${told ?? (share === null || share >= 100 ? whole : `${share} % could be read`)}`;
    draft.lost.push({ unit: 'parts', count: 1, detail });
  }
  if (partial.length > 12) draft.lost.push({ unit: 'parts', count: partial.length - 12, detail: 'read only in part' });
}

const textParts: Record<string, RegExp> = {
  docx: /^word\/document\d*\.xml$/,
  xlsx: /^xl\/(?:worksheets\/[^/]+|sharedStrings)\.xml$/,
  pptx: /^ppt\/slides\/[^/]+\.xml$/,
};

/** Bytes of text parts that the headers promise, and that were brought back. */
function promisedText(format: string, archive: Archive): number {
  const members = archive.members.filter((member) => textParts[format]?.test(member.name));
  return members.reduce((sum, member) => sum + Math.min(member.expected, 1 << 30), 0);
}

function readText(format: string, parts: ReadonlyMap<string, Buffer>): number {
  return [...parts].reduce((sum, [path, data]) => sum + (textParts[format]?.test(path) ? data.length : 0), 0);
}

/** How content that is as it was stands in the file, by that content. */
const bodiesOf = ({ members }: Archive): Map<Buffer, Body> =>
  new Map(members.flatMap(({ data, body }) => (body ? [[data, body] as const] : [])));

/** Content types first, then the package's relationships, as the office programs write and some readers expect. */
function orderParts(parts: ReadonlyMap<string, Buffer>): { name: string; data: Buffer }[] {
  const rank = (name: string) => (name === '[Content_Types].xml' ? 0 : name === '_rels/.rels' ? 1 : 2);
  return [...parts].map(([name, data]) => ({ name, data })).sort((left, right) => rank(left.name) - rank(right.name));
}

/** Notes and footers of fewer words are not worth a document of which all else is gone. */
const fewWords = 50;

/** Whether every part with the text itself only stands in for one that is lost, and holds no word: nothing would be to be seen. */
function isBare(format: string, parts: ReadonlyMap<string, Buffer>, own: ReadonlySet<string>): boolean {
  const texts = [...parts].filter(([path]) => textParts[format]?.test(path));
  if (texts.some(([path]) => own.has(path) && path !== stringsPath)) return false;
  const { words, cells } = measureContent(format, new Map(texts));
  return words + cells === 0;
}

/** What is known of the damaged file: its sound parts, those of its own that came back at all, and whether it never held a word. */
type Facts = { sound: ReadonlyMap<string, Buffer>; own: ReadonlySet<string>; isEmpty: boolean };

/** Opens the result with another reader, checks every part that is not one of the `sound` ones as it was, and counts what is in it. */
function verify(job: EngineJob, draft: Draft, output: Buffer, kind: string, facts: Facts): Outcome {
  const { sound, isEmpty } = facts;
  const parts = new Map<string, Buffer>();
  try {
    for (const [name, data] of Object.entries(unzipSync(output)))
      parts.set(name, Buffer.from(data.buffer, data.byteOffset, data.length));
  } catch (error) {
    if (error instanceof LimitError) throw error;
    return draft.unrepairable(`The rebuilt ${kind} could not be opened again, so it is not handed out.`);
  }
  const changed = new Map([...parts].filter(([path, data]) => !sound.get(path)?.equals(data)));
  const faults = faultyXml(changed, job.limits.nesting);
  if (faults.size > 0) {
    draft.note(
      `Details for support: ${[...faults]
        .slice(0, 3)
        .map(([path, fault]) => `${path}: ${fault}`)
        .join('; ')}`,
    );
    return draft.unrepairable(`The rebuilt ${kind} is still not readable, so it is not handed out.`);
  }
  const content = measureContent(job.format, parts);
  if (content.words + content.media + content.cells === 0 && !(isEmpty && draft.lost.length === 0)) {
    return draft.unrepairable(`No text, cell or picture of this ${kind} could be brought back.`);
  }
  if (content.words < fewWords && isBare(job.format, parts, facts.own)) {
    return draft.unrepairable(`Nothing of what stands in this ${kind} itself could be brought back.`);
  }
  draft.kept.push(...contentMeasures(job.format, content));
  const amount = counted(content.words, 'word');
  draft.step(
    'Check the result',
    `The repaired file was opened again: ${amount} and ${counted(content.media, 'picture')} can be read.`,
  );
  return draft.done(
    { kind: 'bytes', bytes: output },
    {
      repaired: `The ${kind} was repaired with everything in it: ${amount} can be read.`,
      partly: `The ${kind} opens again and ${amount} can be read, but parts of it were lost.`,
    },
  );
}
