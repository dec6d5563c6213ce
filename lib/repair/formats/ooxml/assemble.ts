import type { Archive } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Loss } from '../../report/facts/document';
import { asUtf8 } from './encoding';
import { completeFormats } from './formats';
import { grammarBytes, learnGrammar, shellFor } from './grammar';
import { type Mended, mendXml } from './mend';
import { isXml } from './open';
import {
  findMainPart,
  type OfficePackage,
  rebuildContentTypes,
  rebuildRelationships,
  standInForLost,
  stringsPath,
} from './package';
import { completePresentation, completeWorkbook, textsBeforeDamage } from './parts';
import type { PictureStates } from './photos';
import { setQuotes } from './quotes';
import { isRootWrong, mendRoot } from './roots';
import { settleSheets } from './sheetcells';
import { decodeXml } from './text';

/** All of a part, in per cent. */
const whole = 100;

/** What was read of a damaged package: its parts by path, faults of those that are no XML any more, and what became of its pictures. */
export type Survey = {
  archive: Archive;
  parts: Map<string, Buffer>;
  faults: ReadonlyMap<string, string>;
  pictures: PictureStates;
};

/** Puts the parts together to a package that programs open: null when its main part is gone. */
export function assemble(job: EngineJob, told: DocumentTold, survey: Survey): OfficePackage | null {
  const { archive, parts, pictures } = survey;
  const lost = new Set(archive.members.filter((member) => member.state === 'lost').map((member) => member.name));
  const pack: OfficePackage = { format: job.format, parts, lost, told };
  told.steps.push({ kind: 'collect', count: parts.size });
  const strings = archive.members.find(({ name, state }) => name === stringsPath && state === 'part');
  if (strings) pack.stringsBefore = textsBeforeDamage(strings.data);
  closeParts(job, pack, survey);
  mendRoots(pack);
  if (job.format === 'xlsx') {
    const partial = archive.members.filter(({ state }) => state === 'part').map(({ name }) => name);
    const damaged = new Set([...survey.faults.keys(), ...partial]);
    settleSheets(parts, damaged, told);
    completeFormats(pack, damaged);
  }
  tellPartial(archive, pictures, told);
  standInForLost(pack);
  if (job.format === 'xlsx') completeWorkbook(pack);
  if (job.format === 'pptx') completePresentation(pack);
  const main = findMainPart(job.format, parts);
  if (main === null) return null;
  const relations = rebuildRelationships(pack, main);
  if (relations > 0) told.steps.push({ kind: 'links', count: relations });
  if (rebuildContentTypes(pack)) told.steps.push({ kind: 'types' });
  return pack;
}

/** An element, whatever stands in it: a part without any holds nothing. */
const anyElement = /<[A-Za-z_][^<>]*>/;

/** Makes every part that is no XML any more well-formed; those of which no element is left are lost. */
export function closeParts(
  job: EngineJob,
  { parts, lost, told }: Pick<OfficePackage, 'parts' | 'lost' | 'told'>,
  { archive, faults }: Pick<Survey, 'archive' | 'faults'>,
): void {
  const samples = faults.size > 0 ? [...parts].filter(([path]) => isXml(path)) : [];
  const textsOf = (isFaulty: boolean) =>
    samples
      .filter(([path]) => faults.has(path) === isFaulty)
      .map(([, data]) => decodeXml(data.subarray(0, grammarBytes)));
  const grammar = learnGrammar(textsOf(false), textsOf(true));
  const partial = new Set(archive.members.filter(({ state }) => state === 'part').map(({ name }) => name));
  for (const path of faults.keys()) {
    job.deadline.check();
    const source = decodeXml(parts.get(path) ?? Buffer.alloc(0));
    const { xml, doubtful } = partial.has(path) ? { xml: source, doubtful: 0 } : setQuotes(source);
    const result = mendXml(xml, job.limits.nesting, grammar, shellFor(path, job.format));
    if (anyElement.test(result.xml.replace(/^<\?xml[^>]*\?>/, ''))) parts.set(path, Buffer.from(asUtf8(result.xml)));
    else {
      parts.delete(path);
      lost.add(path);
    }
    if (parts.has(path) && !partial.has(path)) tellGarbled(path, result, doubtful, told);
  }
  if (faults.size > 0) told.steps.push({ kind: 'close', count: faults.size });
}

/** Gives parts the roots that programs look for. */
function mendRoots({ parts, told }: OfficePackage): void {
  let count = 0;
  for (const [path, data] of parts) {
    if (!isRootWrong(path, data)) continue;
    parts.set(path, mendRoot(path, data));
    count++;
  }
  if (count > 0) told.steps.push({ kind: 'roots', count });
}

/** More end tags than this are not lost one by one, but with what stood between them. */
const mostClosed = 2;

/** Tells what is known to be missing in a part that is not as it was written, although the file holds it as it was stored. */
function tellGarbled(part: string, { dropped, closed, ended }: Mended, doubtful: number, { lost }: DocumentTold): void {
  if (ended) lost.push({ how: 'parts.ended', count: 1, part });
  else if (dropped > 0 || closed > mostClosed) lost.push({ how: 'parts.garbled', count: 1, part });
  else if (doubtful > 0) lost.push({ how: 'parts.differing', count: 1, part, of: 'some characters' });
}

/** Parts that are told one by one. */
const mostTold = 12;

/** Tells how much of each part that came back only in part is there, in percent of the size that the file promises; of pictures what is known. */
export function tellPartial(archive: Archive, pictures: PictureStates, { lost }: DocumentTold): void {
  const partial = archive.members.filter((member) => member.state === 'part');
  for (const { name: part, expected, data } of partial.slice(0, mostTold)) {
    const state = pictures.get(part);
    const percent = expected > 0 ? Math.min(whole, Math.round((whole * data.length) / expected)) : whole;
    const loss: Loss =
      percent >= whole
        ? { how: 'parts.differing', count: 1, part, of: isXml(part) ? 'some characters' : 'some of it' }
        : { how: 'parts.share', count: 1, part, percent };
    lost.push(state ? { how: 'parts.picture', count: 1, part, state } : loss);
  }
  if (partial.length > mostTold) lost.push({ how: 'parts.others', count: partial.length - mostTold });
}
