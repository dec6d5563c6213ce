import { differInOneBit } from '../../core/bits';
import { Buffer } from '../../host/bytes';
import { BiffRecord, biff, writeRecord } from './biff';

/** Types of records with the format of one cell, which stands behind its row and column. */
const single = new Set<number>([
  biff.labelSst,
  biff.number,
  biff.rk,
  biff.label,
  biff.richLabel,
  biff.blank,
  biff.error,
  biff.formula,
]);

/** Where a record names formats of cells (2.4.122 and the records of cells). */
function placesOfFormats({ type, length }: BiffRecord): number[] {
  if (single.has(type)) return length >= 6 ? [4] : [];
  const step = type === biff.multipleRk ? 6 : type === biff.multipleBlank ? 2 : 0;
  if (step === 0) return [];
  return Array.from({ length: Math.max(0, Math.floor((length - 6) / step)) }, (_, index) => 4 + index * step);
}

/** Formats that a workbook has at most, and those that stand before the ones of cells (2.4.353). */
const mostFormats = 4050;
const styles = 15;
/** Of the cells so many, in parts, name formats that are not there only where these are lost, unless they are as few as wrong bits make. */
const manyBeyond = 0.05;
const fewBeyond = 3;

/**
 * Records of cells that name formats which are not there, so that readers stop on them. Where most do, a program wrote them so, and they
 * are no damage; nor are those of charts, in which the number says nothing (2.5.13).
 */
export function countBeyond(sheets: readonly (readonly BiffRecord[])[], count: number): number {
  const records = sheets.flatMap(cellsOutsideCharts);
  const beyond = records.filter((record) => namesBeyond(record, count)).length;
  return beyond * 2 < records.length ? beyond : 0;
}

const namesBeyond = (record: BiffRecord, count: number) =>
  placesOfFormats(record).some((at) => record.u16(at) >= count);

/** The records with formats of cells of a sheet, without those of substreams inside it. */
export function cellsOutsideCharts(records: readonly BiffRecord[]): BiffRecord[] {
  let depth = 0;
  return records.filter((record) => {
    if (record.type === biff.beginning) depth++;
    else if (record.type === biff.eof) depth--;
    return depth <= 1 && placesOfFormats(record).length > 0;
  });
}

/** The records of sheets with formats that are there, how many of these there have to be, and how many numbers of formats were set. */
export type WithFormats = { sheets: BiffRecord[][]; needed: number; set: number };

/**
 * A number of a format that a wrong bit changed becomes one that is used in its column, or in its sheet; where many cells name formats
 * beyond the last, these are lost.
 */
export function withFormats(sheets: readonly (readonly BiffRecord[])[], count: number): WithFormats {
  const named = new Map<number, number>();
  for (const record of sheets.flat()) for (const at of placesOfFormats(record)) addTo(named, record.u16(at));
  const all = [...named.values()].reduce((sum, times) => sum + times, 0);
  const beyond = [...named].filter(([format]) => format >= count && format < mostFormats);
  const isLost = beyond.reduce((sum, [, times]) => sum + times, 0) > Math.max(all * manyBeyond, fewBeyond);
  const most = isLost
    ? beyond.filter(([, times]) => times > all * manyBeyond * manyBeyond).map(([format]) => format)
    : [];
  const needed = Math.max(count, styles + 1, ...most.map((format) => format + 1));
  const usual = byUse(named).find((format) => format < needed) ?? styles;
  const setter = new FormatSetter(needed, usual);
  return { sheets: sheets.map((records) => setter.sheet(records)), needed, set: setter.set };
}

const addTo = (uses: Map<number, number>, format: number) => uses.set(format, (uses.get(format) ?? 0) + 1);

/** Numbers of formats, the one used most first. */
const byUse = (uses: ReadonlyMap<number, number>): number[] =>
  [...uses].sort((left, right) => right[1] - left[1]).map(([format]) => format);

/** Sets numbers of formats that are not there. */
class FormatSetter {
  /** Numbers that were set. */
  set = 0;
  readonly #needed: number;
  readonly #usual: number;

  constructor(needed: number, usual: number) {
    this.#needed = needed;
    this.#usual = usual;
  }

  sheet(records: readonly BiffRecord[]): BiffRecord[] {
    if (!records.some((record) => namesBeyond(record, this.#needed))) return [...records];
    const columns = new Map<number, Map<number, number>>();
    const inSheet = new Map<number, number>();
    for (const record of records) {
      for (const [index, at] of placesOfFormats(record).entries()) {
        const format = record.u16(at);
        if (format >= this.#needed) continue;
        const column = record.u16(2) + index;
        const inColumn = columns.get(column) ?? new Map<number, number>();
        addTo(inColumn, format);
        columns.set(column, inColumn);
        addTo(inSheet, format);
      }
    }
    const ofSheet = byUse(inSheet);
    return records.map((record) => {
      if (!namesBeyond(record, this.#needed)) return record;
      const data = Buffer.from(record.data);
      for (const [index, at] of placesOfFormats(record).entries()) {
        const ofColumn = byUse(columns.get(record.u16(2) + index) ?? new Map());
        if (record.u16(at) >= this.#needed) data.writeUInt16LE(this.#instead(record.u16(at), ofColumn, ofSheet), at);
      }
      return new BiffRecord(record.type, record.offset, data);
    });
  }

  /** The format one wrong bit away, or else the usual one of the column. */
  #instead(wrong: number, ofColumn: readonly number[], ofSheet: readonly number[]): number {
    this.set++;
    const near = [...ofColumn, ...ofSheet].find((format) => differInOneBit(format, wrong));
    return near ?? ofColumn[0] ?? this.#usual;
  }
}

/** Plain formats of cells ([MS-XLS] 2.4.353) from number `from` up to `needed`, with fonts (2.4.122) where there are none. */
export function plainFormats(from: number, needed: number, hasFonts: boolean): Buffer[] {
  const name = 'Arial';
  const font = Buffer.alloc(16 + name.length);
  for (const [index, value] of [200, 0, 0x7fff, 400].entries()) font.writeUInt16LE(value, index * 2);
  font[14] = name.length;
  font.write(name, 16, 'latin1');
  const formats = Array.from({ length: Math.max(0, needed - from) }, (_, index) => {
    const format = Buffer.alloc(20);
    // The first fifteen are styles, which the formats of cells build on.
    format.writeUInt16LE(from + index < styles ? 0xfff5 : 0x0001, 4);
    format.writeUInt16LE(0x20, 6);
    format.writeUInt16LE(0x20c0, 18);
    return writeRecord(biff.xf, format);
  });
  return [...(hasFonts ? [] : Array.from({ length: 4 }, () => writeRecord(biff.font, font))), ...formats];
}
