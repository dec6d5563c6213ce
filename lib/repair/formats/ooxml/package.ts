import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { completeContentTypes, readContentTypes, writeContentTypes } from './contenttypes';
import { isOwned, leadsToOwn, ownersOf, withoutUnled } from './owned';
import {
  completeRelationships,
  countGarbled,
  nowhere,
  ownerOf,
  type Relationship,
  readRelationships,
  relationshipsPath,
  relationTo,
  writeRelationships,
} from './relationships';
import { emptySlidePart, emptyWordPart, placeholderPicture, theme, worksheet } from './templates';
import { decodeXml } from './text';

/** A package being put together again: parts by path, XML kept as bytes until it is looked at. */
export type OfficePackage = {
  format: string;
  parts: Map<string, Buffer>;
  /** Paths whose content is gone altogether. */
  lost: Set<string>;
  told: DocumentTold;
  /** How many shared texts of a workbook stand before the place where their table is damaged. */
  stringsBefore?: number;
};

export const contentTypesPath = '[Content_Types].xml';

/** Where workbooks keep the texts of their cells. */
export const stringsPath = 'xl/sharedStrings.xml';

/** Main parts by format, where every program puts them. */
export const mainParts: Record<string, string> = {
  docx: 'word/document.xml',
  xlsx: 'xl/workbook.xml',
  pptx: 'ppt/presentation.xml',
};

/** The text of a part, or null when it is not there. */
export function partText(parts: ReadonlyMap<string, Buffer>, path: string): string | null {
  const data = parts.get(path);
  return data ? decodeXml(data) : null;
}

/** The path of the main part: where the package's relationships say, or else where the programs put it; null when neither is there. */
export function findMainPart(format: string, parts: ReadonlyMap<string, Buffer>): string | null {
  const relations = readRelationships(partText(parts, '_rels/.rels') ?? '', '');
  const named = relations.find((relation) => relation.type.endsWith('/officeDocument'))?.path;
  if (named && parts.has(named)) return named;
  const usual = mainParts[format] ?? '';
  if (parts.has(usual)) return usual;
  const pattern = format === 'docx' ? /^word\/document\d*\.xml$/ : null;
  return [...parts.keys()].find((path) => pattern?.test(path)) ?? null;
}

/** Paths that hold content, without the package's own bookkeeping. */
function contentPaths(parts: ReadonlyMap<string, Buffer>): string[] {
  return [...parts.keys()].filter((path) => path !== contentTypesPath && !path.endsWith('.rels'));
}

/** Parts that hold what a person wrote, placed or chose; all others are made anew by programs. */
const isPartOfContent =
  /\/(?:media|slides|slideLayouts|slideMasters|worksheets|drawings|tables|theme)\/|header|footer|document\.xml$|chart|embeddings|sharedStrings|notes|comments|^\w+\/(?:styles|numbering)\.xml$/;

/** Gives every part whose content was lost a stand-in that keeps the rest readable, where the format has one. */
export function standInForLost(pack: OfficePackage): void {
  const lost = new Set(pack.lost);
  for (const [path, data] of pack.parts) {
    if (!path.endsWith('.rels')) continue;
    const owner = ownerOf(path);
    for (const relation of readRelationships(decodeXml(data), owner)) {
      if (relation.path && relation.path !== 'NULL' && !pack.parts.has(relation.path)) lost.add(relation.path);
    }
  }
  const missing: string[] = [];
  for (const path of lost) {
    if (pack.parts.has(path)) continue;
    const standIn = standInFor(path);
    if (standIn) pack.parts.set(path, standIn);
    if (isPartOfContent.test(path)) missing.push(path);
  }
  if (missing.length > 0) {
    pack.told.lost.push({ how: 'parts.gone', count: missing.length, names: missing });
    pack.told.steps.push({ kind: 'fill' });
  }
}

function standInFor(path: string): Buffer | null {
  if (/\/media\/[^/]+\.(?:png|jpe?g|gif|bmp|tiff?)$/i.test(path)) return placeholderPicture;
  if (/^word\/header\d*\.xml$/.test(path)) return Buffer.from(emptyWordPart('hdr'));
  if (/^word\/footer\d*\.xml$/.test(path)) return Buffer.from(emptyWordPart('ftr'));
  if (/^xl\/worksheets\/[^/]+\.xml$/.test(path)) return Buffer.from(worksheet());
  if (/^ppt\/slides\/[^/]+\.xml$/.test(path)) return Buffer.from(emptySlidePart('sld'));
  if (/^ppt\/slideLayouts\/[^/]+\.xml$/.test(path)) return Buffer.from(emptySlidePart('sldLayout'));
  if (/^ppt\/slideMasters\/[^/]+\.xml$/.test(path)) return Buffer.from(emptySlidePart('sldMaster'));
  if (/\/theme\/[^/]+\.xml$/.test(path)) return Buffer.from(theme());
  return null;
}

/** Parts of a presentation must each lead to the one above: slide to layout, layout to master, master to theme. */
const chain: [RegExp, RegExp][] = [
  [/^ppt\/slides\/[^/]+\.xml$/, /^ppt\/slideLayouts\/[^/]+\.xml$/],
  [/^ppt\/slideLayouts\/[^/]+\.xml$/, /^ppt\/slideMasters\/[^/]+\.xml$/],
  [/^ppt\/slideMasters\/[^/]+\.xml$/, /^ppt\/theme\/[^/]+\.xml$/],
];

/** Rebuilds relationships where they are missing or lead nowhere; the number of relationship parts that were written anew. */
export function rebuildRelationships(pack: OfficePackage, main: string): number {
  let rebuilt = 0;
  let [nowheres, guesses] = [0, 0];
  const paths = contentPaths(pack.parts);
  const owners = ownersOf(pack.parts);
  for (const part of ['', ...paths.filter((path) => path.endsWith('.xml') || path.endsWith('.vml'))]) {
    const at = relationshipsPath(part);
    const before = partText(pack.parts, at);
    const known = readRelationships(before ?? '', part);
    const xml = part === '' ? '' : (partText(pack.parts, part) ?? '');
    // Loose properties aside, a package names one main document; a second one would make programs refuse it.
    const visible = part === '' ? paths.filter((path) => path === main || path.startsWith('docProps/')) : paths;
    const isFree = (path: string) => (owners.get(path) ?? part) === part;
    const complete = completeRelationships(part, xml, known, visible, { leadsToOwn, isFree });
    for (const { path } of complete) if (path !== null && isOwned(path)) owners.set(path, part);
    nowheres += leaveOutUnled(pack, part, xml, complete);
    linkUp(pack, part, complete, paths);
    if (complete.length === 0 && before === null) continue;
    const same =
      complete.length === known.length &&
      complete.every(({ id, type, path }, index) => {
        const old = known[index];
        return id === old?.id && type === old.type && path === old.path;
      });
    if (same && before !== null && countGarbled(before, part) === 0) continue;
    pack.parts.set(at, Buffer.from(writeRelationships(complete)));
    rebuilt++;
    const ids = new Set(known.map(({ id }) => id));
    guesses += complete.filter(({ isGuess }) => isGuess).length;
    nowheres += complete.filter(({ id, target }) => target === nowhere && !ids.has(id)).length;
  }
  if (nowheres > 0) pack.told.lost.push({ how: 'links.gone', count: nowheres });
  if (guesses > 0) pack.told.lost.push({ how: 'links.guessed', count: guesses });
  return rebuilt;
}

/** Takes out of a sheet what leads to drawings and tables that are gone; 1 where there was any. */
function leaveOutUnled(pack: OfficePackage, part: string, xml: string, links: readonly Relationship[]): number {
  if (!/^xl\/worksheets\/[^/]+\.xml$/.test(part)) return 0;
  const left = withoutUnled(xml, new Set(links.map(({ id }) => id)));
  if (left === xml) return 0;
  pack.parts.set(part, Buffer.from(left));
  return 1;
}

/** Parts of a presentation that do not lead to the one above, though there is one. */
export function notLinkedUp(parts: ReadonlyMap<string, Buffer>): string[] {
  const paths = [...parts.keys()];
  return chain.flatMap(([owner, above]) =>
    paths.some((path) => above.test(path))
      ? paths.filter((part) => owner.test(part) && !linksOf(parts, part).some(({ path }) => above.test(path ?? '')))
      : [],
  );
}

const linksOf = (parts: ReadonlyMap<string, Buffer>, part: string): Relationship[] =>
  readRelationships(partText(parts, relationshipsPath(part)) ?? '', part);

/** Notes of slides, which lead to their slide as it leads to them (ECMA-376 part 1, 13.3.5). */
const notes = /^ppt\/notesSlides\/[^/]+\.xml$/;

/** Parts that are asked what they lead to, for each that leads nowhere. */
const mostAsked = 500;

/** Leads a part of a presentation to the one above, a guess where there are several, of which most others of its kind lead to the first; and a slide to its notes. */
function linkUp(pack: OfficePackage, part: string, relations: Relationship[], paths: readonly string[]): void {
  const [owner, above] = chain.find(([owners]) => owners.test(part)) ?? [];
  if (!owner || !above || relations.some(({ path }) => path !== null && above.test(path))) return;
  const candidates = paths.filter((path) => above.test(path));
  if (candidates.length === 0) return;
  const counts = new Map(candidates.map((path) => [path, 0]));
  for (const other of candidates.length > 1 ? paths.filter((path) => owner.test(path)).slice(0, mostAsked) : [])
    for (const { path } of linksOf(pack.parts, other))
      if (path !== null && counts.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const [target = ''] = candidates.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  const add = (path: string, isGuess: boolean) => {
    const used = new Set(relations.map(({ id }) => id));
    let number = 1;
    while (used.has(`rId${number}`)) number++;
    relations.push({ ...relationTo(`rId${number}`, part, path), isGuess });
  };
  add(target, candidates.length > 1);
  const own = above.test('ppt/slideLayouts/slideLayout1.xml') ? paths.filter((path) => notes.test(path)) : [];
  const noted = own.slice(0, mostAsked).find((path) => linksOf(pack.parts, path).some((link) => link.path === part));
  if (noted !== undefined && !relations.some(({ path }) => path === noted)) add(noted, false);
}

/** Completes or rebuilds the table of content types; true when it had to be written anew. */
export function rebuildContentTypes(pack: OfficePackage): boolean {
  const types = readContentTypes(partText(pack.parts, contentTypesPath) ?? '');
  const changed = completeContentTypes(types, [...pack.parts.keys()]);
  if (changed) pack.parts.set(contentTypesPath, Buffer.from(writeContentTypes(types)));
  return changed;
}
