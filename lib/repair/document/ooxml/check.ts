import type { Buffer } from '../../host/bytes';
import { type Draft, LimitError } from '../../report';
import { hasType, readContentTypes } from './contenttypes';
import { contentTypesPath, findMainPart, partText, stringsPath } from './package';
import { isPlainXml } from './plain';
import { readRelationships, referredIds, relationshipsPath } from './relationships';
import { decodeXml } from './text';
import { xmlFault } from './wellformed';

const xmlPart = /\.(?:xml|rels)$/i;

/** Paths of XML parts that are not well-formed, each with the fault. In `damaged` ones lost end tags may nest elements without end. */
export function faultyXml(
  parts: ReadonlyMap<string, Buffer>,
  nesting: number,
  damaged: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const faults = new Map<string, string>();
  for (const [path, data] of parts) {
    if (!xmlPart.test(path)) continue;
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
export function findStructureDamage(format: string, parts: ReadonlyMap<string, Buffer>, draft: Draft): void {
  const types = partText(parts, contentTypesPath);
  if (types === null) draft.find('types', 'The table that tells what each part of the document is was missing.');
  if (!parts.has('_rels/.rels'))
    draft.find('relations', 'The list that leads a program to the document inside the file was missing.');
  const main = findMainPart(format, parts);
  if (main === null) {
    draft.find('main', 'The main part of the document was missing.');
    return;
  }
  if (types !== null && !hasType(readContentTypes(types), main)) {
    draft.find('types', 'The table that tells what each part of the document is does not name the main part.');
  }
  const known = readRelationships(partText(parts, relationshipsPath(main)) ?? '', main);
  const ids = new Set(known.map(({ id }) => id));
  const dangling = referredIds(partText(parts, main) ?? '').filter(({ id }) => !ids.has(id));
  if (dangling.length > 0) {
    draft.find(
      'relations',
      `The document refers to ${dangling.length} parts, such as pictures or sheets, that the file no longer names.`,
    );
  }
  if (format === 'xlsx' && !parts.has(stringsPath) && usesStrings(parts))
    draft.find('part', 'The table with the texts of the cells, which the sheets refer to, was missing.');
  for (const relation of known) {
    if (relation.path === null || parts.has(relation.path) || !/\/(?:slide|worksheet)$/.test(relation.type)) continue;
    draft.find('part', `The part ${relation.path}, which the document leads to, was missing.`);
  }
}

/** Whether a cell of any sheet has its text in the shared table, wherever the workbook keeps that. */
function usesStrings(parts: ReadonlyMap<string, Buffer>): boolean {
  if ([...parts.keys()].some((path) => /sharedStrings[^/]*\.xml$/i.test(path))) return false;
  return [...parts].some(
    ([path, data]) => /^xl\/worksheets\/[^/]+\.xml$/.test(path) && /\st=["']s["']/.test(decodeXml(data)),
  );
}
