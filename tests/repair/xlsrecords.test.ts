import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { type BiffRecord, biff, readRecords, writeRecord } from '../../lib/repair/formats/ole/biff';
import { sharedParts, sharedStrings } from '../../lib/repair/formats/ole/sharedparts';
import { writeSharedStrings } from '../../lib/repair/formats/ole/sharedstrings';
import { holdsStrangeText, measureWorkbook, rebuildWorkbook } from '../../lib/repair/formats/ole/xls';
import { repairBytes } from './support/run';

const formats = 20;
const count = 400;
const texts = Array.from({ length: count }, (_, index) => `keeper ${index} of the harbour light`);
const empty = Buffer.alloc(0);
const end = writeRecord(biff.eof, empty);
const beginning = (kind: number) => {
  const data = Buffer.from('00060500bb0dcc07c100000006030000', 'hex');
  data.writeUInt16LE(kind, 2);
  return writeRecord(biff.beginning, data);
};
const cell = (row: number, format = 17) => {
  const data = Buffer.alloc(10);
  data.writeUInt16LE(row, 0);
  data.writeUInt16LE(format, 4);
  data.writeUInt32LE(row, 6);
  return writeRecord(biff.labelSst, data);
};
const head = Buffer.concat([
  beginning(5),
  writeRecord(0x42, Buffer.from([0xb0, 4])),
  ...Array.from({ length: formats }, () => writeRecord(biff.xf, Buffer.alloc(20))),
]);

/** A workbook of one sheet whose list of sheets is lost, with what stands in the sheet before its cells, and cells of formats. */
const workbook = (table: Buffer, inside: readonly Buffer[] = [], format = (_row: number) => 17) =>
  Buffer.concat([head, table, end, beginning(0x10), ...inside, ...texts.map((_, row) => cell(row, format(row))), end]);

const rebuilt = (bytes: Buffer) => rebuildWorkbook(bytes, nothingToldYet()) ?? empty;

/** The records of the workbook itself, and those of its sheet. */
function partsOf(bytes: Buffer): { globals: BiffRecord[]; sheet: BiffRecord[] } {
  const { records } = readRecords(bytes);
  const border = records.findIndex(({ type }) => type === biff.eof);
  return { globals: records.slice(0, border), sheet: records.slice(border + 1) };
}

const ofType = (records: readonly BiffRecord[], type: number) => records.filter((record) => record.type === type);

describe('a rebuilt workbook', () => {
  const table = writeSharedStrings(texts, count);

  it('names formats that are there in all of its cells, where a wrong bit changed one', () => {
    const { globals, sheet } = partsOf(rebuilt(workbook(table, [], (row) => (row === 7 ? 4113 : 17))));
    expect(ofType(globals, biff.xf).length).toBe(formats);
    expect(new Set(ofType(sheet, biff.labelSst).map((record) => record.u16(4)))).toEqual(new Set([17]));
  });

  it('gets the formats anew that many of its cells name and that are lost', () => {
    const { globals, sheet } = partsOf(rebuilt(workbook(table, [], (row) => (row % 2 === 0 ? 30 : 17))));
    expect(ofType(globals, biff.xf).length).toBe(31);
    expect(ofType(sheet, biff.labelSst).filter((record) => record.u16(4) === 30).length).toBe(count / 2);
  });

  it('has no records of the workbook itself in its sheet, and none that are too short for what they are', () => {
    const country = writeRecord(0x8c, Buffer.from([1, 0]));
    const zoom = writeRecord(0xa0, Buffer.from([1, 0]));
    const { sheet } = partsOf(rebuilt(workbook(table, [country, zoom])));
    expect(ofType(sheet, 0x8c)).toEqual([]);
    expect(ofType(sheet, 0xa0)).toEqual([]);
    expect(ofType(sheet, biff.labelSst).length).toBe(count);
  });

  it('begins as what it is where a wrong bit changed that', () => {
    const bad = workbook(table);
    bad[4 + 3] = 0x20;
    const written = rebuilt(bad);
    expect(written.readUInt16LE(4 + 2)).toBe(5);
    expect(measureWorkbook(written)).toMatchObject({ sheets: 1, cells: count, words: count * 6 });
  });

  it('has a mark in the place of what was written over a text', () => {
    const strange = texts.map((text, index) =>
      index === 5 ? 'keeper 5 of the har\ud8c8\uddd7\u0001\udab8 light' : text,
    );
    const bytes = workbook(writeSharedStrings(strange, count));
    expect(holdsStrangeText(workbook(table))).toBe(false);
    expect(holdsStrangeText(bytes)).toBe(true);
    const told = nothingToldYet();
    const written = rebuildWorkbook(bytes, told) ?? empty;
    const { strings } = sharedStrings(sharedParts(written, partsOf(written).globals), count - 1);
    expect(strings[5]).toBe('keeper 5 of the \ufffd light');
    expect(strings[6]).toBe(texts[6]);
    expect(told.lost).toContainEqual({ how: 'texts.unread', count: 1 });
  });
});

describe('a sheet', () => {
  const table = writeSharedStrings(texts, count);
  const whole = workbook(table, [writeRecord(0x0c, Buffer.from([100, 0])), writeRecord(0x0d, Buffer.from([1, 0]))]);
  // The last record of shared strings lost bytes, and reaches into the sheet.
  const at = head.length + table.length - 900;

  it.each([40, 100, 131, 300])('that the table before it reaches into stays, %i bytes of which are gone', (bytes) => {
    const bad = Buffer.concat([whole.subarray(0, at), whole.subarray(at + bytes)]);
    const { sheets, cells } = measureWorkbook(rebuilt(bad));
    expect({ sheets, cells }).toEqual({ sheets: 1, cells: count });
  });

  // Its own length is 14 bytes ([MS-XLS] 2.4.90).
  it.each([0xffff, 0x3ff, 90])('stays behind its reach, the length of which is told as %i', (length) => {
    const reach = writeRecord(biff.dimensions, Buffer.alloc(14));
    const bad = workbook(table, [reach]);
    bad.writeUInt16LE(length, bad.indexOf(reach) + 2);
    const told = nothingToldYet();
    const written = rebuildWorkbook(bad, told) ?? empty;
    expect(told.lost).toEqual([]);
    expect(ofType(partsOf(written).sheet, biff.dimensions).map((record) => record.length)).toEqual([14]);
    expect(measureWorkbook(written)).toMatchObject({ sheets: 1, cells: count });
  });

  it('whose beginning is lost with the end of the workbook itself is told by its cells', () => {
    const from = head.length + table.length;
    const bad = Buffer.concat([whole.subarray(0, from), whole.subarray(from + 4 + 20)]);
    const { sheets, cells } = measureWorkbook(rebuilt(bad));
    expect({ sheets, cells }).toEqual({ sheets: 1, cells: count });
  });
});

it('of which header, tables and the beginning are gone, a workbook comes back by its cells', async () => {
  const bad = workbook(writeSharedStrings(texts, count)).subarray(2048);
  const { report, output } = await repairBytes(bad, 'light.xls');
  expect(report).toMatchObject({ verdict: 'partly', format: 'xls' });
  expect(report.kept).toContainEqual({ unit: 'cells', count });
  expect(output).not.toBeNull();
  // The same bytes under a name of another kind tell nothing.
  expect((await repairBytes(bad, 'light.doc')).report.verdict).toBe('unrepairable');
});
