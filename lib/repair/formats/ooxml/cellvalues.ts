import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { partText, stringsPath } from './package';
import { isStandard } from './renamed';

const sheetPath = /^xl\/worksheets\/[^/]+\.xml$/;

/** A cell that has a value, behind its formula where it has one (ECMA-376 part 1, 18.3.1.4): what stands before its attributes, these, what stands up to the value, and that. */
const cells =
  /(<(?:\w+:)?c)((?:\s[^<>]*?)?)(>(?:<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?<(?:\w+:)?v(?:\s[^<>]*)?>)([^<]*)(?=<\/(?:\w+:)?v>)/g;
const typeOf = /\st=(["'])([^"'<>]*)\1/;
/** What a cell can be (18.18.11). */
const types = new Set(['b', 'd', 'e', 'inlineStr', 'n', 's', 'str']);
/** A number as XML Schema writes it (part 2, 3.2.5), with what some programs write for numbers that are none. */
const number = /^\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|-?INF|-?Infinity|NaN)?\s*$/i;

/** How often cells show each of the shared texts. */
function textsShown(parts: ReadonlyMap<string, Buffer>): Map<string, number> {
  const shown = new Map<string, number>();
  for (const path of parts.keys()) {
    if (!sheetPath.test(path)) continue;
    for (const [, , attributes = '', , value = ''] of (partText(parts, path) ?? '').matchAll(cells))
      if (typeOf.exec(attributes)?.[2] === 's') shown.set(value, (shown.get(value) ?? 0) + 1);
  }
  return shown;
}

const columnOf = (attributes: string): string => /\sr=["']([A-Za-z]+)/.exec(attributes)?.[1] ?? '';

/** Fewer cells of a column than these say nothing of another one, nor do they where more than one in so many is of another type. */
const enough = { cells: 5, others: 10 };

/** The columns of which nearly all cells show shared texts. */
function textColumns(xml: string): Set<string> {
  const counts = new Map<string, { texts: number; others: number }>();
  for (const [, , attributes = ''] of xml.matchAll(cells)) {
    const column = columnOf(attributes);
    const count = counts.get(column) ?? { texts: 0, others: 0 };
    counts.set(column, count);
    if (typeOf.exec(attributes)?.[2] === 's') count.texts++;
    else count.others++;
  }
  const isOfTexts = ([column, { texts, others }]: [string, { texts: number; others: number }]) =>
    column !== '' && texts >= enough.cells && others * enough.others <= texts;
  return new Set([...counts].filter(isOfTexts).map(([column]) => column));
}

/**
 * Sets cells right of which programs refuse the sheet, or read nothing: those of a type that there is not show the shared text that their
 * number is of where no other cell does, or as a guess where their column shows texts; others, and numbers that are none, are kept as text and told. Parts that are
 * `damaged` are left to others.
 */
export function mendValues(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  let [all, wrong] = [0, 0];
  let shown: Map<string, number> | null = null;
  const texts = countOf(damaged.has(stringsPath) ? '' : (partText(parts, stringsPath) ?? ''));
  for (const path of parts.keys()) {
    const xml = sheetPath.test(path) && !damaged.has(path) ? (partText(parts, path) ?? '') : '';
    if (!isStandard(xml)) continue;
    const before = all;
    let columns: Set<string> | null = null;
    const mended = xml.replace(cells, (whole, head: string, attributes: string, between: string, value: string) => {
      const type = typeOf.exec(attributes)?.[2] ?? 'n';
      if (type === 'n' ? number.test(value) : types.has(type)) return whole;
      all++;
      if (type !== 'n') shown ??= textsShown(parts);
      if (type !== 'n') columns ??= textColumns(xml);
      const isNumber = type !== 'n' && /^\d+$/.test(value) && Number(value) < texts;
      const isOnly = isNumber && !shown?.has(value);
      const isText = isOnly || (isNumber && columns?.has(columnOf(attributes)));
      if (!isOnly) wrong++;
      return `${head}${attributes.replace(typeOf, '')} t="${isText ? 's' : 'str'}"${between}${value}`;
    });
    if (all > before) parts.set(path, Buffer.from(asUtf8(mended)));
  }
  if (all > 0) find(told, { kind: 'cells', count: all });
  if (wrong > 0) told.lost.push({ how: 'cells.wrong', count: wrong });
}

const countOf = (strings: string): number => strings.match(/<(?:\w+:)?si[\s/>]/g)?.length ?? 0;
