import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { findMainPart, partText } from './package';
import { readRelationships, relationshipsPath } from './relationships';
import { escapeXml, unescapeXml } from './text';

/** A sheet or slide in the list of all: the tag as it stands and where, and the values of its attributes. */
type Item = { at: number; tag: string; number: string; link: string; name: string | null };

/** How a list is written (ECMA-376 part 1, 18.2.19 and 18.2.20, and 19.2.1.33 and 19.2.1.34): the list, its items, the attribute of their number and what that may be, and what links lead to. */
type Kind = { list: string; item: RegExp; number: string; least: number; most: number; links: RegExp };
const kinds: Readonly<Record<string, Kind>> = {
  xlsx: {
    list: 'sheets',
    item: /<(?:\w+:)?sheet\s[^<>]*>/g,
    number: 'sheetId',
    least: 1,
    most: 65_534,
    links: /\/(?:work|chart|dialog)sheet$/,
  },
  pptx: {
    list: 'sldIdLst',
    item: /<(?:\w+:)?sldId\s[^<>]*>/g,
    number: 'id',
    least: 256,
    most: 2_147_483_647,
    links: /\/slide$/,
  },
};

/** More sheets or slides than these have no list that anybody wrote. */
const mostItems = 10_000;

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? null;

/** The tag with another value of an attribute. */
const withValue = (tag: string, name: string, value: string): string =>
  tag.replace(new RegExp(`(\\s${name}\\s*=\\s*["'])[^"']*`), (_, head: string) => `${head}${escapeXml(value)}`);

const link = '\\w+:id';

/**
 * Sets the list of sheets or slides right where two of them have one number, one link or one name, for which programs refuse the file or
 * show one of them twice: numbers are any that are free, links lead to the only sheet or slide that nothing leads to, names are those that
 * the properties of the document list (22.2.2.19). What nothing tells is told. Main parts that are `damaged` are left to others.
 */
export function mendLists(
  format: string,
  parts: Map<string, Buffer>,
  damaged: ReadonlySet<string>,
  told: DocumentTold,
): void {
  const kind = kinds[format];
  const main = findMainPart(format, parts);
  if (!kind || main === null || damaged.has(main)) return;
  const xml = partText(parts, main) ?? '';
  const items = itemsOf(xml, kind);
  if (items.length === 0 || items.length > mostItems) return;
  const before = items.map(({ tag }) => tag);
  const numbers = setNumbers(items, kind, xml);
  const links = setLinks(items, kind, parts, main, told);
  const names = format === 'xlsx' ? setNames(items, partText(parts, 'docProps/app.xml') ?? '', main, told) : 0;
  const count = numbers + links + names;
  if (count === 0) return;
  find(told, { kind: 'relations.doubled', count });
  told.steps.push({ kind: 'list', count });
  let [text, from] = ['', 0];
  for (const [index, { at, tag }] of items.entries()) {
    text += xml.slice(from, at) + tag;
    from = at + (before[index]?.length ?? 0);
  }
  parts.set(main, Buffer.from(asUtf8(text + xml.slice(from))));
}

/** What stands in the first element of a local name, and where. */
function insideOf(xml: string, name: string): { at: number; inner: string } {
  const begin = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^<>]*)?>`).exec(xml);
  const at = begin ? begin.index + begin[0].length : xml.length;
  const end = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g');
  end.lastIndex = at;
  return { at, inner: xml.slice(at, end.exec(xml)?.index ?? at) };
}

function itemsOf(xml: string, { list, item, number }: Kind): Item[] {
  const { at, inner } = insideOf(xml, list);
  return [...inner.matchAll(item)].map(({ 0: tag, index }) => ({
    at: at + index,
    tag,
    number: attribute(tag, number) ?? '',
    link: attribute(tag, link) ?? '',
    name: attribute(tag, 'name'),
  }));
}

/** Places of the items whose value another one before them has. */
function doubled(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [index];
  });
}

/** Sections of a presentation name its slides once more ([MS-PPTX] 2.4.3.4). */
const sectioned = /<p14:sldId\s[^<>]*>/g;

/** Gives items of one number others: of sections those that stand there in the same place, else any; nothing else asks for them. */
function setNumbers(items: Item[], { number, least, most }: Kind, xml: string): number {
  const twice = doubled(items.map((item) => item.number));
  if (twice.length === 0 || items.some((item) => item.number === '')) return 0;
  const taken = new Set(items.map((item) => item.number));
  const section = [...xml.matchAll(sectioned)].map(([tag]) => attribute(tag, 'id') ?? '');
  const differing = items.flatMap((item, index) => (item.number === section[index] ? [] : [index]));
  const isListed = section.length === items.length && differing.length === twice.length;
  let free = Math.max(least, ...items.map((item) => Number(item.number) || 0));
  if (free >= most) free = least;
  for (const index of isListed ? differing : twice) {
    const listed = isListed ? section[index] : undefined;
    while (listed === undefined && taken.has(String(free))) free++;
    const item = items[index];
    if (item) item.tag = withValue(item.tag, number, listed ?? String(free));
    taken.add(listed ?? String(free));
  }
  return twice.length;
}

const lastNumber = (path: string): number => Number(/(\d+)\D*$/.exec(path)?.[1] ?? -1);

/** Leads one of two items with one link to the only part of their kind that none leads to; which of the two, the order of the parts' numbers tells. */
function setLinks(
  items: Item[],
  { links }: Kind,
  parts: ReadonlyMap<string, Buffer>,
  main: string,
  told: DocumentTold,
): number {
  const twice = doubled(items.map((item) => item.link));
  if (twice.length === 0) return 0;
  const known = readRelationships(partText(parts, relationshipsPath(main)) ?? '', main);
  const asked = new Set(items.map((item) => item.link));
  const pathOf = new Map(known.map(({ id, path }) => [id, path ?? '']));
  const unled = known.filter(({ id, type, path }) => links.test(type) && !asked.has(id) && path && parts.has(path));
  const [relation, ...more] = unled;
  const [second = -1, ...others] = twice;
  if (!relation || more.length > 0 || others.length > 0) {
    told.lost.push({ how: 'links.gone', count: twice.length });
    return twice.length;
  }
  const first = items.findIndex((item) => item.link === items[second]?.link);
  const isAscending = (place: number) => {
    const all = items.map((item, index) => lastNumber((index === place ? relation.path : pathOf.get(item.link)) ?? ''));
    return all.every((number, index) => index === 0 || number > (all[index - 1] ?? 0));
  };
  const fitting = [first, second].filter(isAscending);
  if (fitting.length !== 1) told.lost.push({ how: 'links.guessed', count: 1 });
  const item = items[fitting.length === 1 ? (fitting[0] ?? second) : second];
  if (item) item.tag = withValue(item.tag, link, relation.id);
  return 1;
}

/** The list of names of parts in the properties of a document, and a name in it. */
const titles = 'TitlesOfParts';
const title = /<(?:\w+:)?lpstr(?:\s[^<>]*)?>([^<]*)</g;

/** Gives sheets of one name others, since programs refuse two of one name, whatever its capitals (18.2.19). */
function setNames(items: Item[], properties: string, main: string, told: DocumentTold): number {
  const names = items.map(({ name }) => unescapeXml(name ?? ''));
  const folded = names.map((name) => name.toLowerCase());
  const twice = doubled(folded);
  if (twice.length === 0) return 0;
  const listed = [...insideOf(properties, titles).inner.matchAll(title)].map(([, text = '']) => unescapeXml(text));
  const differing = names.flatMap((name, index) => (name === listed[index] ? [] : [index]));
  const isListed =
    differing.length === twice.length &&
    doubled(listed.slice(0, names.length).map((name) => name.toLowerCase())).length === 0;
  const taken = new Set(folded);
  let free = 1;
  for (const index of isListed ? differing : twice) {
    while (!isListed && taken.has(`sheet${free}`)) free++;
    const name = isListed ? (listed[index] ?? '') : `Sheet${free}`;
    taken.add(name.toLowerCase());
    const item = items[index];
    if (item) item.tag = withValue(item.tag, 'name', name);
  }
  if (!isListed) told.lost.push({ how: 'parts.differing', count: 1, part: main, of: 'some characters' });
  return twice.length;
}
