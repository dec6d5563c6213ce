import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { biff, readRecords, writeRecord } from '../../lib/repair/formats/ole/biff';
import { writeSharedStrings } from '../../lib/repair/formats/ole/sharedstrings';
import { checkWorkbook, rebuildWorkbook } from '../../lib/repair/formats/ole/xls';

const rows = 60;
const formats = 22;
const [plain, date, money] = [15, 18, 21] as const;
const end = writeRecord(biff.eof, Buffer.alloc(0));

function beginning(kind: number): Buffer {
  const data = Buffer.from('00060500bb0dcc07c100000006030000', 'hex');
  data.writeUInt16LE(kind, 2);
  return writeRecord(biff.beginning, data);
}

function number(row: number, column: number, format: number): Buffer {
  const data = Buffer.alloc(14);
  for (const [index, value] of [row, column, format].entries()) data.writeUInt16LE(value, index * 2);
  data.writeDoubleLE(43_900 + row, 6);
  return writeRecord(biff.number, data);
}

/** A row of two numbers in one record, both of format `format` ([MS-XLS] 2.4.175). */
function numbers(row: number, column: number, format: number): Buffer {
  const data = Buffer.alloc(18);
  for (const [at, value] of [row, column, format].entries()) data.writeUInt16LE(value, at * 2);
  data.writeUInt16LE(format, 10);
  data.writeUInt16LE(column + 1, 16);
  return writeRecord(biff.multipleRk, data);
}

/** A workbook with days, sums and two more numbers in each row; `inside` stands behind the cells of its sheet. */
function workbook(formatOf: (row: number, column: number) => number, inside: readonly Buffer[] = []): Buffer {
  const written = Array.from({ length: rows }, (_, row) => [
    number(row, 0, formatOf(row, 0)),
    number(row, 1, formatOf(row, 1)),
    numbers(row, 2, formatOf(row, 2)),
  ]);
  const xfs = Array.from({ length: formats }, () => writeRecord(biff.xf, Buffer.alloc(20)));
  const head = (place: number) => {
    const name = Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 0x41]);
    name.writeUInt32LE(place);
    const list = writeRecord(biff.boundSheet, name);
    return Buffer.concat([beginning(5), ...xfs, list, writeSharedStrings(['light'], 1), end]);
  };
  return Buffer.concat([head(head(0).length), beginning(0x10), ...written.flat(), ...inside, end]);
}

const usual = (_row: number, column: number) => [date, money, plain][column] ?? plain;
const wrongAt = (row: number, column: number, format: number) => (r: number, c: number) =>
  r === row && c === column ? format : usual(r, c);

function found(bytes: Buffer) {
  const told = nothingToldYet();
  checkWorkbook(bytes, told);
  return told.damages.map(({ kind }) => kind);
}

/** Formats of the numbers of a column in a rebuilt workbook. */
function rebuiltFormats(bytes: Buffer, column: number): Set<number> {
  const rebuilt = rebuildWorkbook(bytes, nothingToldYet()) ?? Buffer.alloc(0);
  expect(found(rebuilt)).toEqual([]);
  const cells = readRecords(rebuilt).records.filter(({ type }) => type === biff.number || type === biff.multipleRk);
  return new Set(cells.filter((record) => record.u16(2) === column).map((record) => record.u16(4)));
}

describe('a cell that names a format which is not there', () => {
  it.each([
    ['of a day, by a wrong bit', 0, date ^ 0x400, date],
    ['of a sum, by a wrong bit', 1, money ^ 0x8000, money],
    ['among several in one record', 2, plain ^ 0x100, plain],
    ['of a day, written over', 0, 0xa5c3, date],
  ])('is found and gets the one it had: %s', (_, column, wrong, right) => {
    const bad = workbook(wrongAt(7, column, wrong));
    expect(found(bad)).toEqual(['cells.formats']);
    expect(rebuiltFormats(bad, column)).toEqual(new Set([right]));
  });

  it('has the title of a column keep its own format', () => {
    const title = 17;
    const bad = workbook((row, column) => (row === 0 ? title : row === 1 && column === 0 ? title ^ 0x200 : date));
    expect(rebuiltFormats(bad, 0)).toEqual(new Set([title, date]));
  });

  it('is told in the remarks', () => {
    const told = nothingToldYet();
    rebuildWorkbook(workbook(wrongAt(7, 0, 0xa5c3)), told);
    expect(told.remarks).toEqual([{ kind: 'formatGuess', count: 1 }]);
  });
});

describe('a sound workbook', () => {
  it('is not called damaged', () => {
    expect(found(workbook(usual))).toEqual([]);
  });

  it('is not called damaged for the numbers in its charts, nor where its program writes no formats for any cell', () => {
    const chart = [beginning(0x20), number(0, 0, 99), number(1, 0, 99), end];
    expect(found(workbook(usual, chart))).toEqual([]);
    expect(found(workbook(() => 40))).toEqual([]);
  });

  it('is not called damaged for widths of columns of eleven bytes, as Spreadsheet::WriteExcel writes them', () => {
    const width = writeRecord(biff.columnInfo, Buffer.from('0000000024050f00000000', 'hex'));
    expect(found(workbook(usual, [width, width]))).toEqual([]);
  });
});
