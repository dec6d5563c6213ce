import { dirname, joinPaths, normalizePath, parsePath, relativePath } from '../../host/files';
import { escapeXml, unescapeXml } from './text';
import { isInnerRelation, officeRelationships, partKind, relationshipNamespace } from './vocabulary';

/** One relationship (ECMA-376 part 2, 9.3): `target` as written, `path` the part it leads to, null for one outside the package; a guess where others may be meant. */
export type Relationship = { id: string; type: string; target: string; path: string | null; isGuess?: boolean };

/** Where the relationships of a part are kept; '' stands for the package itself. */
export function relationshipsPath(part: string): string {
  const { dir, base } = parsePath(part);
  return joinPaths(dir, '_rels', `${base}.rels`);
}

/** The part that relationships are kept of there; the way back from `relationshipsPath`. */
export const ownerOf = (path: string): string => path.replace(/(^|\/)_rels\/([^/]*)\.rels$/, '$1$2');

/** Elements of a relationships part that lack what they need, or are named like another one. */
export function countGarbled(xml: string, part: string): number {
  return [...xml.matchAll(/<(?:\w+:)?Relationship\s/g)].length - readRelationships(xml, part).length;
}

/** Where the types of relationships begin, in the two editions of the standard and for what is of the package. */
const typeNamespaces = [officeRelationships, 'http://purl.oclc.org/ooxml/officeDocument/relationships'];

/** Parts that programs look for by the type of what leads to them. */
const lookedFor =
  /^(?:word\/(?:document|styles|numbering)|xl\/(?:workbook|styles|sharedStrings|worksheets\/[^/]+)|ppt\/(?:presentation|slides\/[^/]+|slideLayouts\/[^/]+|slideMasters\/[^/]+))\.xml$/;

/** The type that a relationship must have by the part that it leads to; null where that is not told, or it has it. */
export function rightType({ type, path }: Relationship): string | null {
  const expected = path !== null && lookedFor.test(path) ? partKind(path)?.relation : undefined;
  if (expected === undefined) return null;
  const tail = expected.slice(officeRelationships.length);
  return typeNamespaces.some((namespace) => type === `${namespace}${tail}`) ? null : expected;
}

/** Reads a relationships part, skipping elements that lost what they need. */
export function readRelationships(xml: string, part: string): Relationship[] {
  const found = new Map<string, Relationship>();
  for (const [, attributes = ''] of xml.matchAll(/<(?:\w+:)?Relationship\s([^<>]*?)\/?>/g)) {
    const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
    const read = (name: string) => unescapeXml(attribute(name) ?? '');
    const id = read('Id');
    const target = read('Target');
    const type = read('Type');
    if (!id || !type || attribute('Target') === undefined || found.has(id)) continue;
    const external = read('TargetMode') === 'External';
    found.set(id, { id, type, target, path: external ? null : resolveTarget(target, part) });
  }
  return [...found.values()];
}

/** Whether there is a part at a path. */
type Has = { has(path: string): boolean };

/** The part that a relationship of `part` leads to though it says that its target lies outside of the package (ECMA-376 part 2, 6.5.3.4); null for any other. */
export function meantInside({ type, target, path }: Relationship, part: string, parts: Has): string | null {
  if (path !== null || !isInnerRelation(type)) return null;
  const inside = resolveTarget(target, part);
  return parts.has(inside) ? inside : null;
}

function resolveTarget(target: string, part: string): string {
  const clean = target.replace(/\\/g, '/').split('#')[0] ?? '';
  const joined = clean.startsWith('/') ? clean.slice(1) : joinPaths(dirname(part), clean);
  try {
    return decodeURIComponent(normalizePath(joined));
  } catch {
    return normalizePath(joined);
  }
}

/** Writes a relationships part. */
export function writeRelationships(relationships: readonly Relationship[]): string {
  const items = relationships.map(({ id, type, target, path }) => {
    const mode = path === null ? ' TargetMode="External"' : '';
    return `<Relationship Id="${escapeXml(id)}" Type="${escapeXml(type)}" Target="${escapeXml(target)}"${mode}/>`;
  });
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationshipNamespace}">${items.join('')}</Relationships>`;
}

/** A relationship from `part` to the part at `path`. */
export function relationTo(id: string, part: string, path: string): Relationship {
  const type = partKind(path)?.relation ?? `${officeRelationships}/customXml`;
  const target = part === '' ? path : relativePath(dirname(part), path);
  return { id, type, target, path };
}

/** How the elements that refer to other parts name them, and where those parts lie. */
const references: [RegExp, RegExp][] = [
  [/headerReference$/, /^word\/header\d*\.xml$/],
  [/footerReference$/, /^word\/footer\d*\.xml$/],
  [/^(?:a:blip|v:imagedata|v:fill|asvg:svgBlip|pic:blip)$/, /^\w+\/media\/[^/]+$/],
  [/^c:chart$/, /\/charts\/chart[^/]*\.xml$/],
  [/^(?:\w+:)?sheet$/, /^xl\/worksheets\/[^/]+\.xml$/],
  [/^p:sldId$/, /^ppt\/slides\/[^/]+\.xml$/],
  [/^p:sldMasterId$/, /^ppt\/slideMasters\/[^/]+\.xml$/],
  [/^p:sldLayoutId$/, /^ppt\/slideLayouts\/[^/]+\.xml$/],
  [/^p:notesMasterId$/, /^ppt\/notesMasters\/[^/]+\.xml$/],
  [/^(?:\w+:)?drawing$/, /^xl\/drawings\/[^/]+\.xml$/],
  [/^(?:\w+:)?legacyDrawing$/, /^xl\/drawings\/[^/]+\.vml$/],
  [/^(?:\w+:)?tablePart$/, /^xl\/tables\/[^/]+\.xml$/],
  [/OLEObject$|oleObj$/, /\/embeddings\//],
];

/** Parts that a part of this kind leads to without naming an identifier. */
const implied: [RegExp, RegExp][] = [
  [/^$/, /^(?:word\/document\d*\.xml|xl\/workbook\.xml|ppt\/presentation\.xml|docProps\/(?:app|core|custom)\.xml)$/],
  [
    /^word\/document\d*\.xml$/,
    /^word\/(?:styles|settings|webSettings|fontTable|numbering|footnotes|endnotes|comments|theme\/[^/]+)\.xml$/,
  ],
  [/^xl\/workbook\.xml$/, /^xl\/(?:styles|sharedStrings|theme\/[^/]+)\.xml$/],
  [/^ppt\/presentation\.xml$/, /^ppt\/(?:presProps|viewProps|tableStyles|theme\/theme1)\.xml$/],
];

/** Parts that a part needs and does not lead to, nor any other one. */
export function notLedTo(part: string, known: readonly Relationship[], paths: Iterable<string>): string[] {
  const rule = implied.find(([owner]) => owner.test(part))?.[1];
  const led = new Set(known.map(({ path }) => path));
  return rule ? [...paths].filter((path) => rule.test(path) && lookedFor.test(path) && !led.has(path)) : [];
}

/** Whether an element refers to a part of a kind that is known. */
export const isReference = (element: string): boolean => references.some(([name]) => name.test(element));

const reference = /\s(?:r|d\dp\d|ns\d|rel):(?:id|embed|link|pict|href|dm|lo|qs|cs)\s*=\s*["']([^"']+)["']/g;
const openTag = /<([\w:.-]+)(?=\s)[^<>]*$/;

/** Identifiers a part refers to, each with the element that does. */
export function referredIds(xml: string): { id: string; element: string }[] {
  const found: { id: string; element: string }[] = [];
  // What stands in a tag counts once its end is found.
  let pending: string[] = [];
  let element: string | undefined;
  const passOver = (between: string) => {
    const mark = /[<>]/.exec(between)?.[0];
    if (mark === undefined) return;
    if (mark === '>' && element) for (const id of pending) found.push({ id, element });
    pending = [];
    const open = between.lastIndexOf('<');
    element = open < 0 ? undefined : openTag.exec(`${between.slice(open)} `)?.[1];
  };
  let behind = 0;
  for (const { 0: whole, 1: id = '', index } of xml.matchAll(reference)) {
    passOver(xml.slice(behind, index));
    behind = index + whole.length;
    if (/[<>]/.test(id)) passOver(id);
    else pending.push(id);
  }
  passOver(xml.slice(behind));
  return found;
}

/** Target of a relationship that nothing is left of but that it is used. */
export const nowhere = 'about:blank';

const byNumber = new Intl.Collator('en', { numeric: true });

/** Parts whose numbers say nothing of the order in which they are asked for. */
const isUnordered = /\/(?:media|charts|embeddings)\//;

/** Which elements lead to parts that belong to one other alone, and whether such a part is to be had for the one that is completed. */
export type Ownership = { leadsToOwn(element: string): boolean; isFree(path: string): boolean };

/** The part that an element most likely leads to; of several that are left the first, and where all are taken the last, if it can be shared. */
function meantBy(
  element: string,
  paths: readonly string[],
  taken: ReadonlySet<string | null>,
  { leadsToOwn, isFree }: Ownership,
): { path: string | null; isGuess: boolean } {
  const pattern = references.find(([name]) => name.test(element))?.[1];
  const candidates = pattern ? paths.filter((path) => pattern.test(path) && isFree(path)).sort(byNumber.compare) : [];
  const shared = leadsToOwn(element) ? null : (candidates.at(-1) ?? null);
  const path = candidates.find((candidate) => !taken.has(candidate)) ?? shared;
  const isGuess = path !== null && candidates.length > 1 && (isUnordered.test(path) || taken.has(path));
  return { path, isGuess };
}

/** A relationship for an identifier of which nothing tells where it led. */
function toNowhere(id: string, element: string): Relationship {
  const type = `${officeRelationships}/${isReference(element) ? 'image' : 'hyperlink'}`;
  return { id, type, target: nowhere, path: null };
}

/**
 * Completes the relationships of a part: implied parts it must lead to, and a target for every identifier it uses but nobody defines, but
 * for those of parts that belong to it alone and are gone.
 */
export function completeRelationships(
  part: string,
  xml: string,
  known: Relationship[],
  paths: readonly string[],
  ownership: Ownership,
): Relationship[] {
  const present = new Set(paths);
  const result = known
    .map((relation) => ({ ...relation, path: meantInside(relation, part, present) ?? relation.path }))
    .filter(({ path }) => path === null || path === 'NULL' || present.has(path))
    .map((relation) => ({ ...relation, type: rightType(relation) ?? relation.type }));
  const ids = new Set(result.map((relation) => relation.id));
  const wanted = referredIds(xml).sort((left, right) => byNumber.compare(left.id, right.id));
  // A part that is looked for by an identifier which nothing asks for is still to be had.
  const asked = new Set(wanted.map(({ id }) => id));
  const isByName = (path: string | null) => references.some(([, pattern]) => path !== null && pattern.test(path));
  const taken = new Set(result.filter(({ id, path }) => asked.has(id) || !isByName(path)).map(({ path }) => path));
  const gone = new Set(known.filter(({ path }) => path !== null && !present.has(path)).map(({ id }) => id));
  for (const { id, element } of wanted) {
    const isOwn = ownership.leadsToOwn(element);
    if (ids.has(id) || (isOwn && gone.has(id))) continue;
    ids.add(id);
    const { path, isGuess } = meantBy(element, paths, taken, ownership);
    if (path !== null) result.push({ ...relationTo(id, part, path), isGuess });
    else if (!isOwn) result.push(toNowhere(id, element));
    if (path !== null) taken.add(path);
  }
  const rule = implied.find(([owner]) => owner.test(part))?.[1];
  let next = 1;
  for (const path of rule ? paths.filter((candidate) => rule.test(candidate)).sort(byNumber.compare) : []) {
    if (taken.has(path)) continue;
    while (ids.has(`rId${next}`)) next++;
    ids.add(`rId${next}`);
    result.push(relationTo(`rId${next}`, part, path));
  }
  return result;
}
