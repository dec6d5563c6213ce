import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { stylesPath } from './formats';
import { partText, stringsPath } from './package';
import { isStandard } from './renamed';

const sheetPath = /^xl\/worksheets\/[^/]+\.xml$/;

/** A cell with its attributes and, where it has one, its value behind its formula (ECMA-376 part 1, 18.3.1.4). */
const cells =
  /<((?:\w+:)?)c(\s[^<>]*?)?\/?>(?:((?:<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?)<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)<\/(?:\w+:)?v>)?/g;

/** What the cells of a workbook can refer to: shared texts that are there, those that their table promises, and formats; null where that is not known. */
type Tables = { texts: number | null; promised: number; formats: number | null };

/**
 * Takes out of cells what leads nowhere: numbers of shared texts that the table does not have (18.4.8), and of formats that it does not have
 * (18.8.10); programs refuse the sheet for them. Texts that the table promises and lost are left to those who complete it. Tables that are
 * `damaged` tell nothing.
 */
export function mendCells(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  const tables = readTables(parts, damaged);
  if (tables.texts === null && tables.formats === null) return;
  let [wrong, beyond, formats] = [0, 0, 0];
  for (const path of parts.keys()) {
    if (!sheetPath.test(path) || damaged.has(path)) continue;
    const before = wrong + formats;
    const xml = (partText(parts, path) ?? '').replace(
      cells,
      (whole: string, prefix: string, given = '', formula = '', value?: string) => {
        let attributes: string = given;
        const format = /\ss="([^"]*)"/.exec(attributes)?.[1];
        if (format !== undefined && tables.formats !== null && !isBelow(format, tables.formats)) {
          formats++;
          attributes = attributes.replace(/\ss="[^"]*"/, '');
        }
        const isShared = value !== undefined && value.trim() !== '' && /\st="s"/.test(attributes);
        const isLost = isShared && tables.texts !== null && !isBelow(value, tables.texts);
        if (isLost && isBelow(value, tables.promised)) beyond++;
        else if (isLost) {
          wrong++;
          return `<${prefix}c${attributes.replace(/\st="s"/, '')}>${formula}`;
        }
        return attributes === given
          ? whole
          : `<${prefix}c${attributes}${whole.slice(prefix.length + 2 + given.length)}`;
      },
    );
    if (wrong + formats > before) parts.set(path, Buffer.from(asUtf8(xml)));
  }
  if (wrong + beyond > 0) find(told, { kind: 'cells.texts', count: wrong + beyond });
  if (formats > 0) find(told, { kind: 'cells.formats', count: formats });
  if (wrong > 0) told.lost.push({ how: 'texts.unread', count: wrong });
  // Where texts are gone from the table, those behind them belong to other cells.
  if (beyond > 0) told.lost.push({ how: 'parts.differing', count: 1, part: stringsPath, of: 'some of it' });
  if (formats > 0) told.lost.push({ how: 'formatting.part', count: formats });
}

/** Whether a number is one of a table of so many entries. */
const isBelow = (number: string, count: number): boolean =>
  /^\s*\+?\d+(?:\.0*)?\s*$/.test(number) && Number(number) < count;

function readTables(parts: ReadonlyMap<string, Buffer>, damaged: ReadonlySet<string>): Tables {
  const textOf = (path: string) => {
    const text = damaged.has(path) ? null : partText(parts, path);
    return text !== null && isStandard(text) ? text : null;
  };
  const strings = textOf(stringsPath);
  const texts = strings === null ? null : (strings.match(/<(?:\w+:)?si[\s/>]/g)?.length ?? 0);
  const promised = Number(/<(?:\w+:)?sst\s[^<>]*?uniqueCount="(\d{1,7})"/.exec(strings ?? '')?.[1] ?? 0);
  const styles = textOf(stylesPath) ?? '';
  const begin = /<(?:\w+:)?cellXfs(?:\s[^<>]*)?>/.exec(styles);
  const end = /<\/(?:\w+:)?cellXfs\s*>/.exec(styles);
  const listed = begin && end ? styles.slice(begin.index, end.index).match(/<(?:\w+:)?xf[\s/>]/g) : null;
  return { texts, promised, formats: listed ? listed.length : null };
}
