import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const whole = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-table.xlsx.gz'));
const path = 'xl/worksheets/sheet1.xml';
const sheetOf = (bytes: Uint8Array | null) => Buffer.from(unzipSync(bytes ?? new Uint8Array())[path] ?? []).toString();
const sheet = sheetOf(whole);
const packed = (xml: string) => Buffer.from(zipSync({ ...unzipSync(whole), [path]: Buffer.from(xml) }));

function changed(from: string, to: string): Buffer {
  expect(sheet).toContain(from);
  return packed(sheet.replace(from, to));
}

describe('a workbook in which', () => {
  it.each([
    ['a cell says the column of the next one', '<c r="B9"', '<c r="C9"'],
    ['a cell says another row', '<c r="B9"', '<c r="B19"'],
    ['a column is garbled', '<c r="C9"', '<c r="?9"'],
    ['a row is doubled', '<row r="9"', '<row r="8"'],
    ['a row lies far away', '<row r="9"', '<row r="5009"'],
    ['a number of a row is garbled', '<row r="9"', '<row r="x"'],
  ])('%s gets its places back', async (_, from, to) => {
    const { report, output } = await repairBytes(changed(from, to), 'a.xlsx');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ detail }) => detail).join()).toContain('other rows or columns');
    expect(sheetOf(output)).toBe(sheet);
    expect((await repairBytes(output ?? Buffer.alloc(0), 'a.xlsx')).report.verdict).toBe('healthy');
  });

  it('nothing tells the place of a cell is called partly repaired', async () => {
    const { report } = await repairBytes(changed('<c r="D9"', '<c r="?9"'), 'a.xlsx');
    expect(report.verdict, report.summary).toBe('partly');
  });

  it('rows and cells leave their places out, or count from zero, is sound', async () => {
    const bare = sheet.replace(/(<(?:row|c)) r="[^"]*"/g, '$1');
    const fromZero = sheet.replace(/(<(?:row r="|c r="[A-Z]))(\d+)"/g, (_, head, row) => `${head}${Number(row) - 1}"`);
    for (const xml of [bare, fromZero])
      expect((await repairBytes(packed(xml), 'a.xlsx')).report).toMatchObject({ verdict: 'healthy', found: [] });
  });
});
