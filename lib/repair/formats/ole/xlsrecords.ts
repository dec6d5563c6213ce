import { type BiffRecord, biff } from './biff';

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

/** A record that asks for a password is the second of a workbook (2.1.7.20.3), which is not taken apart then; of any other readers think that all is encrypted. */
const isForeign = ({ type }: BiffRecord): boolean => type === biff.filePass;

const isLong = ({ type, length }: BiffRecord): boolean => length >= (leastLengths.get(type) ?? 0);

/** Whether a record can stand in a sheet. */
export const isOfSheet = (record: BiffRecord): boolean =>
  !ofWorkbook.has(record.type) && isLong(record) && !isForeign(record);

/** Whether a record can stand in the part of the workbook itself: one that is long enough, and a format whose text ends it (2.4.126; of one byte less in Excel 5). */
export function isOfWorkbook(record: BiffRecord): boolean {
  if (!isLong(record) || isForeign(record)) return false;
  if (record.type !== biff.format) return true;
  const { data, length } = record;
  const count = record.u16(2);
  const wide = length > 4 && ((data[4] ?? 0) & 1) === 1;
  return length === 5 + count * (wide ? 2 : 1) || length === 3 + (data[2] ?? 0);
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
