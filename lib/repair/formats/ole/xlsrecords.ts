import { Buffer } from '../../host/bytes';
import { BiffRecord, biff, writeRecord } from './biff';

/** Records that belong to the workbook itself and stand in no sheet ([MS-XLS] 2.1.7.20.3): code page, fonts, formats, styles, lists, country, colours, windows. */
const ofWorkbook = new Set<number>([
  0x22,
  biff.font,
  0x3d,
  0x42,
  0x5c,
  biff.boundSheet,
  0x8c,
  0x92,
  0x9c,
  0xda,
  biff.xf,
  0xe1,
  0xeb,
  biff.sst,
  biff.extSst,
  0x13d,
  0x293,
  biff.format,
]);

/** Bytes that records have at least, by type (2.4, and as Excel 5 writes them): what is shorter stops readers that trust it. */
const leastLengths = new Map<number, number>(
  Object.entries({
    2: [0x22, 0x42, 0x55, 0x81, 0x82, 0x92],
    3: [0x207, biff.format],
    4: [0x8c, 0xa0, 0x225, 0x293, 0x1ae],
    8: [0x80, 0x85, biff.label, biff.richLabel, biff.error],
    9: [0x1d],
    10: [0x200, 0x23e, 0x7d, 0x41, 0x3d],
    15: [biff.font],
    16: [biff.xf],
    22: [biff.formula],
    34: [0xa1],
  }).flatMap(([length, types]) => types.map((type) => [type, Number(length)] as const)),
);

const isLong = ({ type, length }: BiffRecord): boolean => length >= (leastLengths.get(type) ?? 0);

/** Whether a record can stand in a sheet. */
export const isOfSheet = (record: BiffRecord): boolean => !ofWorkbook.has(record.type) && isLong(record);

/** Whether a record can stand in the part of the workbook itself: one that is long enough, and a format whose text ends it (2.4.126; of one byte less in Excel 5). */
export function isOfWorkbook(record: BiffRecord): boolean {
  if (!isLong(record)) return false;
  if (record.type !== biff.format) return true;
  const { data, length } = record;
  const count = record.u16(2);
  const wide = length > 4 && ((data[4] ?? 0) & 1) === 1;
  return length === 5 + count * (wide ? 2 : 1) || length === 3 + (data[2] ?? 0);
}

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
/** Of the cells so many, in parts, name formats that are not there only where these are lost. */
const manyBeyond = 0.05;

/**
 * The records of sheets with formats that are there, and how many there have to be: a number that a wrong bit changed becomes the one of
 * most cells; where many cells name formats beyond the last, these are lost.
 */
export function withFormats(
  sheets: readonly (readonly BiffRecord[])[],
  count: number,
): { sheets: BiffRecord[][]; needed: number } {
  const named = new Map<number, number>();
  for (const record of sheets.flat())
    for (const at of placesOfFormats(record)) named.set(record.u16(at), (named.get(record.u16(at)) ?? 0) + 1);
  const all = [...named.values()].reduce((sum, times) => sum + times, 0);
  const beyond = [...named].filter(([format]) => format >= count && format < mostFormats);
  const isLost = beyond.reduce((sum, [, times]) => sum + times, 0) > all * manyBeyond;
  const most = isLost
    ? beyond.filter(([, times]) => times > all * manyBeyond * manyBeyond).map(([format]) => format)
    : [];
  const needed = Math.max(count, styles + 1, ...most.map((format) => format + 1));
  const usual = [...named].filter(([format]) => format < needed).sort((left, right) => right[1] - left[1])[0]?.[0];
  const sound = sheets.map((records) => records.map((record) => withFormat(record, needed, usual ?? styles)));
  return { sheets: sound, needed };
}

/** The record with its numbers of formats below `needed`. */
function withFormat(record: BiffRecord, needed: number, usual: number): BiffRecord {
  const wrong = placesOfFormats(record).filter((at) => record.u16(at) >= needed);
  if (wrong.length === 0) return record;
  const data = Buffer.from(record.data);
  for (const at of wrong) data.writeUInt16LE(usual, at);
  return new BiffRecord(record.type, record.offset, data);
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

/** Characters that no program writes into a cell: controls, halves of pairs, code points given to nothing. */
const strange = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Cn}]/u;
/** Strange characters that show that a text was written over; a single one may be what somebody pasted, unless it is half of a pair, on which readers stop. */
const enoughStrange = 2;

const strangeIn = (text: string) => [...text.matchAll(new RegExp(strange, 'gu'))];

/** Whether something was written over a text: characters in it stand in no cell. */
export const isStrange = (text: string): boolean =>
  strange.test(text) && (strangeIn(text).length >= enoughStrange || /\p{Cs}/u.test(text));

/** The text with one mark for a lost character in the place of the words that something was written over; the same where nothing was. */
export function withoutStrange(text: string): string {
  if (!isStrange(text)) return text;
  const places = strangeIn(text);
  const last = places.at(-1);
  const before = text.slice(0, places[0]?.index).replace(/\S*$/, '');
  const behind = text.slice((last?.index ?? 0) + (last?.[0].length ?? 0)).replace(/^\S*/, '');
  return `${before}\ufffd${behind}`;
}
