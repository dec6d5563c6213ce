import { lostByte } from '../../core/flips/likeness';
import type { Archive } from '../../core/zip/read';
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
import { closeParts, tellPartial } from '../ooxml/assemble';
import { faultyXml, xmlDamage } from '../ooxml/check';
import { correctMembers } from '../ooxml/correct';
import type { OoxmlParts } from '../ooxml/examine';
import { equateNames } from '../ooxml/names';
import { lockedArchive, mendArchive, openArchive } from '../ooxml/open';
import { mendPictures } from '../ooxml/photos';
import {
  amountsOf,
  contentPath,
  isDefined,
  isOdfPart,
  kindOf,
  kindPath,
  manifestPath,
  measureContent,
  ownPaths,
} from './content';
import { isLocked } from './locked';
import { isOfFormatsAlone, listedPaths, manifestFor, missingParts } from './manifest';

/** What is known of the damaged package: its sound parts, and whether it may never have held a word. */
export type OdfKnown = { sound: ReadonlyMap<string, Buffer>; isEmpty: boolean };
export type OdfExamined = DocumentExamined<OoxmlParts | null, OdfKnown>;

/** Of content of which so much is gone, fewer words than so many for each byte that it had are next to nothing; documents have about one for 40. */
const mostUnknown = 0.3;
const leastWords = 0.0005;

/** Surveys ODT, ODS and ODP (ODF 1.3): the ZIP archive first, then its XML, as that of other office packages. */
export async function examineOdf({ job }: DocumentReading): Promise<OdfExamined> {
  const lockedAll = lockedArchive(job);
  if (lockedAll) return lockedAll;
  const told = nothingToldYet();
  const { archive, bytes } = openArchive(job, told, isOdfPart);
  const before = told.damages.length;
  const equated = equateNames(archive, namesTold(archive));
  if (equated > 0) find(told, { kind: 'name.capitals', count: equated });
  // Only what the package says of itself could tell a wrong name, and it says little.
  mendArchive(archive, job, told, () => 0);
  if (isLocked(archive)) return lockedPackage(bytes, job, told);
  correctMembers(archive, job, told);
  const pictures = await mendPictures(archive, job, told);
  const parts = new Map(archive.members.flatMap(({ name, state, data }) => (state === 'lost' ? [] : [[name, data]])));
  const faults = tellFaults(job, archive, parts, told);
  if (told.damages.length === 0) return untouched(told, amountsOf(job.format, measureContent(parts)));
  const sound = new Map([...parts].filter(([path]) => !faults.has(path)));
  if (told.damages.length === before)
    return survived(told, { kind: 'archive', bytes }, { known: { sound, isEmpty: true } });
  if (!parts.has(contentPath)) return gone(told, 'mainGone');
  told.steps.push({ kind: 'collect', count: parts.size });
  const lost = new Set(archive.members.filter(({ state }) => state === 'lost').map(({ name }) => name));
  const unknown = unknownShare(archive);
  closeParts(job, { parts, lost, told }, { archive, faults });
  tellPartial(archive, pictures, told);
  if (!parts.has(contentPath)) return gone(told, 'mainGone');
  const promised = archive.members.find(({ name }) => name === contentPath)?.expected ?? 0;
  if (unknown > mostUnknown && measureContent(parts).words < promised * leastWords) return gone(told, 'littleRead');
  completePackage(job.format, parts, lost, told);
  const known = new Map(archive.members.flatMap(({ data, body }) => (body ? [[data, body] as const] : [])));
  return survived(told, { kind: 'parts', parts, known }, { known: { sound, isEmpty: told.lost.length === 0 } });
}

/** What parts are called: those of every package, and those that its list names. */
function namesTold({ members }: Archive): string[] {
  const list = members.find(({ name }) => name.toLowerCase() === manifestPath.toLowerCase())?.data;
  return [...ownPaths, ...(list ? listedPaths(list) : [])];
}

/** Without the password only the archive can be judged and written anew; parts that are not whole cannot be set right. */
function lockedPackage(bytes: Buffer, job: EngineJob, told: DocumentTold): OdfExamined {
  told.remarks.push({ kind: 'password', of: job.format });
  if (told.damages.length === 0) return untouched(told, [], { verdict: 'healthy', how: 'password' });
  const isOnlyTail = told.damages.every(({ kind }) => kind === 'tail');
  const end = { verdict: 'repaired', how: 'passwordCleaned' } as const;
  if (isOnlyTail) return survived(told, { kind: 'archive', bytes }, { end });
  return gone(told, 'passwordDamaged');
}

/** The share of the content that is not known, from 0 to 1. */
function unknownShare({ members }: Archive): number {
  const content = members.find(({ name, state }) => name === contentPath && state === 'part');
  if (!content || content.expected === 0) return 0;
  let known = 0;
  for (const byte of content.data) if (byte !== lostByte) known++;
  return 1 - Math.min(1, known / content.expected);
}

/** Tells what is wrong with the parts: XML that is none, and parts that no package does without. */
function tellFaults(
  job: EngineJob,
  archive: Archive,
  parts: ReadonlyMap<string, Buffer>,
  told: DocumentTold,
): ReadonlyMap<string, string> {
  const partial = new Set(archive.members.filter(({ state }) => state === 'part').map(({ name }) => name));
  const written = new Map(
    [...parts].filter(([path, { length }]) => length > 0 || partial.has(path) || isDefined(path)),
  );
  const faults = faultyXml(written, job.limits.nesting, partial);
  for (const [part, fault] of faults) {
    const offset = archive.members.find(({ name }) => name === part)?.offset ?? 0;
    find(told, xmlDamage(part, parts.get(part), fault, offset));
  }
  if (!parts.has(contentPath) && !isOfFormatsAlone(parts)) find(told, { kind: 'main' });
  if (!parts.has(manifestPath)) find(told, { kind: 'types.missing' });
  for (const part of missingParts(parts)) find(told, { kind: 'part.missing', part });
  const kind = parts.get(kindPath)?.toString('latin1').trim();
  if (kind !== undefined && kind !== kindOf(job.format, parts)) find(told, { kind: 'types.kind' });
  return faults;
}

/** Says again of which kind the package is and what it holds, where that is gone, and tells which parts are. */
function completePackage(
  format: string,
  parts: Map<string, Buffer>,
  lost: ReadonlySet<string>,
  told: DocumentTold,
): void {
  const kind = kindOf(format, parts);
  const gone = new Set([...lost, ...missingParts(parts)]);
  const missing = [...gone].filter((path) => path !== manifestPath && path !== kindPath);
  if (missing.length > 0) told.lost.push({ how: 'parts.gone', count: missing.length, names: missing });
  if (parts.get(kindPath)?.toString('latin1') !== kind) parts.set(kindPath, Buffer.from(kind));
  if (parts.has(manifestPath) && missing.length === 0) return;
  parts.set(manifestPath, manifestFor(kind, [...parts.keys()]));
  told.steps.push({ kind: 'types' });
}
