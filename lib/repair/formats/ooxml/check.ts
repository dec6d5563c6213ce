import { lostByte } from '../../core/flips/likeness';
import { type DocumentTold, find } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';
import type { Damage } from '../../report/facts/document';
import { countMistyped, hasType, readContentTypes } from './contenttypes';
import { falseEncoding } from './encoding';
import { contentTypesPath, findMainPart, notLinkedUp, partText, stringsPath } from './package';
import { isPlainXml } from './plain';
import {
  countGarbled,
  isReference,
  meantInside,
  notLedTo,
  ownerOf,
  type Relationship,
  readRelationships,
  referredIds,
  relationshipsPath,
  rightType,
} from './relationships';
import { isRootWrong } from './roots';
import { decodeXml } from './text';
import { isKnownRelation } from './vocabulary';
import { xmlFault } from './wellformed';

/** Letters of a name that are told. */
const longestName = 20;

const xmlPart = /\.(?:xml|rels)$/i;

/** Paths of XML parts that are not well-formed, each with the fault, and `damaged` ones of which bytes are not known. In these lost end tags may nest elements without end. */
export function faultyXml(
  parts: ReadonlyMap<string, Buffer>,
  nesting: number,
  damaged: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const faults = new Map<string, string>();
  for (const [path, data] of parts) {
    if (!xmlPart.test(path) && !(damaged.has(path) && path.endsWith('.vml'))) continue;
    // Its tags may all be there: what is left of words that lost letters has to go all the same.
    if (damaged.has(path) && data.includes(lostByte)) {
      faults.set(path, 'some of its characters are not known');
      continue;
    }
    if (falseEncoding(data) !== null) {
      faults.set(path, 'it is not in the encoding that it names');
      continue;
    }
    if (isPlainXml(data, nesting)) continue;
    const fault = damaged.has(path) ? damagedFault(data, nesting) : xmlFault(decodeXml(data), nesting);
    if (fault !== null) faults.set(path, fault);
  }
  return faults;
}

function damagedFault(data: Buffer, nesting: number): string | null {
  try {
    return xmlFault(decodeXml(data), nesting);
  } catch (error) {
    if (error instanceof LimitError) return 'its elements do not end';
    throw error;
  }
}

/** What is wrong with a part that is no XML as it stands. */
export function xmlDamage(part: string, data: Buffer | undefined, fault: string, offset: number): Damage {
  const encoding = data ? falseEncoding(data) : null;
  if (encoding === null) return { kind: 'xml', part, fault, offset };
  return { kind: 'xml.encoding', part, encoding: encoding.slice(0, longestName), offset };
}

/** Notes what a package lacks that every office program needs; never what programs are known to leave out. */
export function findStructureDamage(format: string, parts: ReadonlyMap<string, Buffer>, told: DocumentTold): void {
  const types = partText(parts, contentTypesPath);
  if (types === null) find(told, { kind: 'types.missing' });
  if (!parts.has('_rels/.rels')) find(told, { kind: 'relations.missing' });
  for (const [part, data] of parts) if (isRootWrong(part, data)) find(told, { kind: 'xml.root', part });
  const main = findMainPart(format, parts);
  if (main === null) {
    find(told, { kind: 'main' });
    return;
  }
  if (types !== null && !hasType(readContentTypes(types), main)) find(told, { kind: 'types.unnamed' });
  else if (types !== null) checkTypes(types, parts, main, told);
  checkRelationships(parts, main, told);
  const dangling = danglingIn(parts, main).length + danglingAside(parts, main);
  if (dangling > 0) find(told, { kind: 'relations.dangling', count: dangling });
  const above = notLinkedUp(parts).length;
  if (above > 0) find(told, { kind: 'relations.above', count: above });
  if (format === 'xlsx' && !parts.has(stringsPath) && usesStrings(parts)) find(told, { kind: 'part.strings' });
}

/** What a part refers to by identifiers that its list of links does not have. */
function danglingIn(parts: ReadonlyMap<string, Buffer>, path: string): { id: string; element: string }[] {
  const known = readRelationships(partText(parts, relationshipsPath(path)) ?? '', path);
  const ids = new Set(known.map(({ id }) => id));
  return referredIds(partText(parts, path) ?? '').filter(({ id }) => !ids.has(id));
}

/** Parts beside the main one that show pictures, tables and more by identifiers. */
const showing =
  /^(?:word\/(?:header|footer)\d*|ppt\/(?:slides|slideLayouts|slideMasters)\/[^/]+|xl\/worksheets\/[^/]+)\.xml$/;

/** How often such parts refer to pictures and the like that no list of links has. */
function danglingAside(parts: ReadonlyMap<string, Buffer>, main: string): number {
  const asides = [...parts.keys()].filter((path) => path !== main && showing.test(path));
  const isLookedFor = ({ element }: { element: string }) => isReference(element);
  return asides.reduce((sum, path) => sum + danglingIn(parts, path).filter(isLookedFor).length, 0);
}

/** Counts the parts that have another type than they must, and those that the main part leads to and that have none. */
function checkTypes(text: string, parts: ReadonlyMap<string, Buffer>, main: string, told: DocumentTold): void {
  const types = readContentTypes(text);
  const reached = readRelationships(partText(parts, relationshipsPath(main)) ?? '', main);
  const bare = reached.filter(({ path }) => path !== null && parts.has(path) && !hasType(types, path)).length;
  const count = bare + countMistyped(types, parts.keys());
  if (count > 0) find(told, { kind: 'types.wrong', count });
}

/** Holds the lists that lead from part to part against what they lead to (ECMA-376 part 2, 9.3). */
function checkRelationships(parts: ReadonlyMap<string, Buffer>, main: string, told: DocumentTold): void {
  let [garbled, mistyped, outside] = [0, 0, 0];
  if (!parts.has(relationshipsPath(main))) {
    const unled = notLedTo(main, [], parts.keys()).length;
    if (unled > 0) find(told, { kind: 'relations.unled', count: unled });
  }
  for (const [path, data] of parts) {
    if (!path.endsWith('.rels')) continue;
    const owner = ownerOf(path);
    const xml = decodeXml(data);
    garbled += countGarbled(xml, owner);
    const known = readRelationships(xml, owner);
    outside += known.filter((relation) => meantInside(relation, owner, parts) !== null).length;
    mistyped += known.filter((relation) => rightType(relation) !== null).length;
    if (owner === '' && !known.some((relation) => relation.path === main)) find(told, { kind: 'relations.main' });
    const isMain = owner === '' || owner === main;
    checkTargets(parts, isMain ? known : needed(known, partText(parts, owner) ?? ''), owner === '', told);
    if (owner !== main) continue;
    const unled = notLedTo(main, known, parts.keys()).length;
    if (unled > 0) find(told, { kind: 'relations.unled', count: unled });
  }
  if (outside > 0) find(told, { kind: 'relations.outside', count: outside });
  if (garbled > 0) find(told, { kind: 'relations.garbled', count: garbled });
  if (mistyped > 0) find(told, { kind: 'relations.types', count: mistyped });
}

/** Parts that the package leads to, or its main part by a kind of link that is known, and that are not there. */
function checkTargets(
  parts: ReadonlyMap<string, Buffer>,
  known: Relationship[],
  isPackage: boolean,
  told: DocumentTold,
): void {
  for (const { path, type } of known)
    if (path !== null && path !== 'NULL' && (isPackage || isKnownRelation(type)) && !parts.has(path))
      find(told, { kind: 'part.missing', part: path });
}

/** Kinds of links of which a part says where it needs them: those that nothing asks for are left over. */
const asked = /\/(?:image|chart|drawing|package|table)$/;

/** The links of a part that it needs, by its own word or by their kind. */
function needed(known: Relationship[], xml: string): Relationship[] {
  const ids = new Set(referredIds(xml).map(({ id }) => id));
  return known.filter(({ id, type }) => ids.has(id) || !asked.test(type));
}

/** Whether a cell of any sheet has its text in the shared table, wherever the workbook keeps that. */
function usesStrings(parts: ReadonlyMap<string, Buffer>): boolean {
  if ([...parts.keys()].some((path) => /sharedStrings[^/]*\.xml$/i.test(path))) return false;
  return [...parts].some(
    ([path, data]) => /^xl\/worksheets\/[^/]+\.xml$/.test(path) && /\st=["']s["']/.test(decodeXml(data)),
  );
}
