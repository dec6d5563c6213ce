import { differInOneBit } from '../../core/bits';
import { Buffer } from '../../host/bytes';
import { BiffRecord, biff, isKnownType, isSoundCell } from './biff';
import { cellsOutsideCharts } from './xlsformats';

/** Fewer cells do not show that a program writes them in the order of their rows; and as many may stand out of it, or such a part of them. */
const leastCells = 12;
const mostOut = { least: 3, share: 0.01 };
/** Columns are numbers of so many bits in one of two bytes ([MS-XLS] 2.5.51), rows of so many (2.5.66). */
const columns = 256;
const numberBits = 16;
/** Texts that a record of a cell may name, as far as its place counts. */
const anyText = 0xffffffff;

/** Records of a sheet with cells in their places again; how many were set, and how many more could belong in another place as well. */
export type Placed = { records: BiffRecord[]; set: number; open: number };

/**
 * Programs write the cells of a sheet by rows, and in a row by columns: a record that stands between two others, but not in its place between
 * theirs, has a wrong number of a row or column. It is the one of a single bit away with which it is in its place. Sheets that are written in another order, or of which more is wrong, stay as they are.
 */
export function placedCells(records: readonly BiffRecord[]): Placed {
  const named = new Map(records.flatMap((record) => withType(record)));
  const given = records.map((record) => named.get(record) ?? record);
  const made = new Set(named.values());
  const cells = cellsOutsideCharts(given).filter(({ length }) => length >= 6);
  const instead = new Map<BiffRecord, BiffRecord>();
  let open = 0;
  if (cells.length < leastCells || !isInOrder(cells.filter((cell) => !made.has(cell))))
    return { records: [...records], set: 0, open };
  let before = cells[0];
  for (let index = 1; index + 1 < cells.length; index++) {
    const [cell, behind] = [cells[index], cells[index + 1]];
    if (!before || !cell || !behind) break;
    if (made.has(cell)) {
      if (!follows(before, cell) || !follows(cell, behind)) continue;
      instead.set(cell, cell);
    }
    const isOut = !follows(before, cell) || !follows(cell, behind);
    if (!isOut || !follows(before, behind)) {
      before = cell;
      continue;
    }
    const places = placesNear(cell, before, behind);
    const [first] = places;
    if (first) instead.set(cell, first);
    if (places.length > 1) open++;
    before = instead.get(cell) ?? before;
  }
  const ofRecord = (record: BiffRecord) => instead.get(named.get(record) ?? record) ?? record;
  return { records: records.map(ofRecord), set: instead.size - open, open };
}

/** Cells of one length (2.4.149, 2.4.180, 2.4.220), by which a record of no known type may be one. */
const lengths: readonly (readonly [number, number])[] = [
  [biff.labelSst, 10],
  [biff.number, 14],
  [biff.rk, 10],
];

/** A record of no known type, and the cell that it is with one bit of its type turned; nothing of others. */
function withType(record: BiffRecord): [BiffRecord, BiffRecord][] {
  if (isKnownType(record.type)) return [];
  const fit = lengths.find(([type, length]) => length === record.length && differInOneBit(type, record.type));
  return fit ? [[record, new BiffRecord(fit[0], record.offset, record.data)]] : [];
}

function isInOrder(cells: readonly BiffRecord[]): boolean {
  let out = 0;
  for (const [index, cell] of cells.entries()) {
    const next = cells[index + 1];
    if (next && !follows(cell, next)) out++;
  }
  return out <= Math.max(mostOut.least, cells.length * mostOut.share);
}

const isOfMany = ({ type }: BiffRecord): boolean => type === biff.multipleRk || type === biff.multipleBlank;

/** Whether a record's cells stand behind those of another one. */
function follows(one: BiffRecord, other: BiffRecord): boolean {
  if (one.u16(0) !== other.u16(0)) return one.u16(0) < other.u16(0);
  return one.u16(isOfMany(one) ? one.length - 2 : 2) < other.u16(2);
}

/** The record with a bit of its row or columns turned, where that puts it between two others. */
function placesNear(cell: BiffRecord, before: BiffRecord, behind: BiffRecord): BiffRecord[] {
  const found: BiffRecord[] = [];
  for (const at of isOfMany(cell) ? [0, 2, cell.length - 2] : [0, 2]) {
    for (let bit = 0; bit < numberBits; bit++) {
      const data = Buffer.from(cell.data);
      data.writeUInt16LE(cell.u16(at) ^ (1 << bit), at);
      const made = new BiffRecord(cell.type, cell.offset, data);
      const isSound = made.u16(2) < columns && isSoundCell(made, anyText);
      if (isSound && follows(before, made) && follows(made, behind)) found.push(made);
    }
  }
  return found;
}
