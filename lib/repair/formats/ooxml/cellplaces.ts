import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { partText } from './package';

export const sheetPath = /^xl\/worksheets\/[^/]+\.xml$/;
/** A row, or a cell in it, with the place that it says it has (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4), which may be left out. */
const tags = /<(?:\w+:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr=(["'])([^"'<>]*)\2)?[^<>]*>/g;
const place = /^([A-Za-z]{1,3})(\d{1,7})$/;
/** Letters by which columns are numbered. */
const letters = 26;
const beforeA = 64;

/** A row with its cells, or a cell: where it says in the text that it is, from which offset on, and its number of a row or column; 0 or less where that is none. */
type Cell = { at: number; text: string; row: number; column: number };
type Row = { at: number; text: string; number: number; cells: Cell[] };
/** Texts that are set, by their offsets. */
type Changes = { at: number; length: number; by: string }[];

/**
 * Sets places of rows and cells right that are garbled, doubled or out of order, which programs refuse the sheet for: cells tell the row they
 * stand in, and neighbours the column where one is free between them. Where nothing tells, they stay, and are told.
 */
export function placeCells(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  let [set, open] = [0, 0];
  for (const path of parts.keys()) {
    if (!sheetPath.test(path) || damaged.has(path)) continue;
    const xml = partText(parts, path) ?? '';
    if (areInOrder(xml)) continue;
    const changes: Changes = [];
    open += placeRows(rowsOf(xml), changes);
    if (changes.length === 0) continue;
    set += changes.length;
    changes.sort((one, other) => one.at - other.at);
    let [text, from] = ['', 0];
    for (const { at, length, by } of changes) {
      text += xml.slice(from, at) + by;
      from = at + length;
    }
    parts.set(path, Buffer.from(asUtf8(text + xml.slice(from))));
  }
  if (set + open > 0) find(told, { kind: 'cells.places', count: set + open });
  if (set > 0) told.steps.push({ kind: 'cells.places', count: set });
  if (open > 0) told.lost.push({ how: 'cells.beside', count: open });
}

export function columnOf(name: string): number {
  let number = 0;
  for (const letter of name.toUpperCase()) number = number * letters + letter.charCodeAt(0) - beforeA;
  return number;
}

export function nameOf(column: number): string {
  let name = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / letters))
    name = String.fromCharCode(((left - 1) % letters) + beforeA + 1) + name;
  return name;
}

const rowNumber = (text: string): number => (/^\d{1,7}$/.test(text) ? Number(text) : -1);

/** Whether every row and cell stands behind the one before; those that leave their place out stand right behind it. Columns are named in capitals, or none is. */
function areInOrder(xml: string): boolean {
  // Some programs count rows from zero.
  let [row, column] = [-1, 0];
  let [areLower, areUpper] = [false, false];
  for (const [, kind, , text] of xml.matchAll(tags)) {
    if (kind === 'row') {
      const number = text === undefined ? Math.max(row, 0) + 1 : rowNumber(text);
      if (number <= row) return false;
      [row, column] = [number, 0];
      continue;
    }
    const found = text === undefined ? null : place.exec(text);
    if (text !== undefined && Number(found?.[2]) !== row) return false;
    const number = found ? columnOf(found[1] ?? '') : column + 1;
    areLower ||= /[a-z]/.test(found?.[1] ?? '');
    areUpper ||= /[A-Z]/.test(found?.[1] ?? '');
    if (number <= column || (areLower && areUpper)) return false;
    column = number;
  }
  return true;
}

/** The rows of a sheet in which each row and cell says its place; none of other sheets. */
function rowsOf(xml: string): Row[] {
  const rows: Row[] = [];
  for (const match of xml.matchAll(tags)) {
    const [whole, kind, quote = '', text] = match;
    if (text === undefined) return [];
    const at = match.index + whole.search(/\sr=["']/) + ' r='.length + quote.length;
    if (kind === 'row') rows.push({ at, text, number: rowNumber(text), cells: [] });
    else {
      const found = place.exec(text);
      rows.at(-1)?.cells.push({ at, text, row: Number(found?.[2] ?? 0), column: columnOf(found?.[1] ?? '') });
    }
  }
  return rows;
}

/** The row that most cells of one say that they are in; null where no two do. */
function rowByCells({ cells }: Row): number | null {
  const counts = new Map<number, number>();
  for (const { row } of cells) counts.set(row, (counts.get(row) ?? 0) + 1);
  const [most] = [...counts].sort((one, other) => other[1] - one[1]);
  return most && most[1] > 1 && most[1] * 2 > cells.length && most[0] > 0 ? most[0] : null;
}

/** Notes what is to be set; how many places nothing tells. */
function placeRows(rows: readonly Row[], changes: Changes): number {
  let open = 0;
  let before = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    const behind = (next && (rowByCells(next) ?? next.number)) || Number.POSITIVE_INFINITY;
    const isBetween = (number: number) => number > before && (number < behind || behind <= before);
    const only = behind - before === 2 ? before + 1 : 0;
    const number = [rowByCells(row) ?? 0, row.number, only].find(isBetween);
    if (number === undefined) {
      open++;
      continue;
    }
    if (number !== row.number) changes.push({ at: row.at, length: row.text.length, by: String(number) });
    before = number;
    open += placeInRow(row.cells, number, changes);
  }
  return open;
}

/** The only column between two; 0 where there are more or none. */
const onlyBetween = (before: number, behind: number): number => (behind - before === 2 ? before + 1 : 0);

function placeInRow(cells: readonly Cell[], row: number, changes: Changes): number {
  const columns = cells.map(({ column }) => column);
  const before = (index: number) => columns[index - 1] ?? 0;
  const behind = (index: number) => columns[index + 1] ?? Number.POSITIVE_INFINITY;
  let open = 0;
  for (const [index, column] of columns.entries()) {
    if (column > before(index) && column < behind(index)) continue;
    // Behind the next one, a cell may be right, and that one wrong.
    const isNext = column > before(index) && (behind(index) <= before(index) || column < behind(index + 1));
    const own = onlyBetween(before(index), behind(index));
    if (isNext && (own === 0 || onlyBetween(column, behind(index + 1)) > 0)) {
      if (own > 0) open++;
      continue;
    }
    if (own > 0) columns[index] = own;
    else open++;
  }
  for (const [index, { at, text }] of cells.entries()) {
    const by = `${nameOf(columns[index] ?? 0)}${row}`;
    if ((columns[index] ?? 0) > 0 && by !== text) changes.push({ at, length: text.length, by });
  }
  return open;
}
