import { lostByte } from '../../core/flips/likeness';
import { type DocumentTold, find } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';
import { hasType, readContentTypes } from './contenttypes';
import { contentTypesPath, findMainPart, partText, stringsPath } from './package';
import { isPlainXml } from './plain';
import { readRelationships, referredIds, relationshipsPath } from './relationships';
import { decodeXml } from './text';
import { xmlFault } from './wellformed';

const xmlPart = /\.(?:xml|rels)$/i;

/** Paths of XML parts that are not well-formed, each with the fault, and `damaged` ones of which bytes are not known. In these lost end tags may nest elements without end. */
export function faultyXml(
  parts: ReadonlyMap<string, Buffer>,
  nesting: number,
  damaged: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const faults = new Map<string, string>();
  for (const [path, data] of parts) {
    if (!xmlPart.test(path)) continue;
    // Its tags may all be there: what is left of words that lost letters has to go all the same.
    if (damaged.has(path) && data.includes(lostByte)) {
      faults.set(path, 'some of its characters are not known');
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

/** Notes what a package lacks that every office program needs; never what programs are known to leave out. */
export function findStructureDamage(format: string, parts: ReadonlyMap<string, Buffer>, told: DocumentTold): void {
  const types = partText(parts, contentTypesPath);
  if (types === null) find(told, { kind: 'types.missing' });
  if (!parts.has('_rels/.rels')) find(told, { kind: 'relations.missing' });
  const main = findMainPart(format, parts);
  if (main === null) {
    find(told, { kind: 'main' });
    return;
  }
  if (types !== null && !hasType(readContentTypes(types), main)) find(told, { kind: 'types.unnamed' });
  const known = readRelationships(partText(parts, relationshipsPath(main)) ?? '', main);
  const ids = new Set(known.map(({ id }) => id));
  const dangling = referredIds(partText(parts, main) ?? '').filter(({ id }) => !ids.has(id));
  if (dangling.length > 0) find(told, { kind: 'relations.dangling', count: dangling.length });
  if (format === 'xlsx' && !parts.has(stringsPath) && usesStrings(parts)) find(told, { kind: 'part.strings' });
  for (const { path, type } of known)
    if (path !== null && !parts.has(path) && /\/(?:slide|worksheet)$/.test(type))
      find(told, { kind: 'part.missing', part: path });
}

/** Whether a cell of any sheet has its text in the shared table, wherever the workbook keeps that. */
function usesStrings(parts: ReadonlyMap<string, Buffer>): boolean {
  if ([...parts.keys()].some((path) => /sharedStrings[^/]*\.xml$/i.test(path))) return false;
  return [...parts].some(
    ([path, data]) => /^xl\/worksheets\/[^/]+\.xml$/.test(path) && /\st=["']s["']/.test(decodeXml(data)),
  );
}
