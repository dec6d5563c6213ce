import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { BiffRecord, biff } from '../../lib/repair/formats/ole/biff';
import { placedCells } from '../../lib/repair/formats/ole/xlsplaces';
import { repairBytes } from './support/run';

/** Numbers in three columns of twenty rows, of which the last two stand in one record every other row. */
function sheet(rows = 20): BiffRecord[] {
  const record = (type: number, ...numbers: number[]) => {
    const data = Buffer.alloc(numbers.length * 2);
    for (const [index, value] of numbers.entries()) data.writeUInt16LE(value, index * 2);
    return new BiffRecord(type, -1, data);
  };
  const single = (row: number, column: number) => record(biff.number, row, column, 15, 0, 0, 0, row);
  return Array.from({ length: rows }, (_, row) =>
    row % 2 === 0
      ? [single(row, 0), record(biff.multipleRk, row, 1, 15, row, 0, 15, row, 0, 2)]
      : [single(row, 0), single(row, 1), single(row, 2)],
  ).flat();
}

const hex = (records: readonly BiffRecord[]) => records.map(({ type, data }) => `${type} ${data.toString('hex')}`);

/** The sheet with one number of a record, at a place in it, another one. */
function changed(index: number, at: number, change: (value: number) => number): BiffRecord[] {
  return sheet().map((record, place) => {
    if (place !== index) return record;
    const data = Buffer.from(record.data);
    data.writeUInt16LE(change(data.readUInt16LE(at)), at);
    return new BiffRecord(record.type, record.offset, data);
  });
}

describe('a cell that stands between others', () => {
  it.each([
    ['row', 12, 0, 0x400],
    ['row, of several in one record', 11, 0, 0x1000],
    ['column', 8, 2, 0x40],
    ['column beyond all', 8, 2, 0x200],
  ])('gets back its %s', (_, index, at, bit) => {
    const placed = placedCells(changed(index, at, (value) => value ^ bit));
    expect([placed.set, placed.open]).toEqual([1, 0]);
    expect(hex(placed.records)).toEqual(hex(sheet()));
  });

  it('is known again where its type has a wrong bit', () => {
    const records = sheet().map((record, place) =>
      place === 7 ? new BiffRecord(record.type ^ 0x2000, -1, record.data) : record,
    );
    const placed = placedCells(records);
    expect(placed.set).toBe(1);
    expect(hex(placed.records)).toEqual(hex(sheet()));
  });

  it('stays where no bit tells its place', () => {
    const records = changed(12, 0, () => 0x5a5a);
    expect(placedCells(records)).toEqual({ records, set: 0, open: 0 });
  });
});

describe('cells in an order of their own', () => {
  it('stay', () => {
    for (const records of [sheet().reverse(), sheet(3), [...sheet(), ...sheet()]])
      expect(placedCells(records)).toMatchObject({ set: 0, open: 0 });
  });
});

describe('a workbook', () => {
  const whole = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-table.xls.gz'));

  it('with a wrong bit in the row of a cell is not called sound, nor whole when it is set right', async () => {
    const at = whole.indexOf(Buffer.from('fd000a0048000000', 'hex')) + 4;
    expect(at).toBeGreaterThan(4);
    const bad = Buffer.from(whole);
    bad[at + 1] = 4;
    const { report } = await repairBytes(bad, 'a.xls');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found.map(({ detail }) => detail).join()).toContain('other rows or columns');
    expect(report.steps.map(({ name }) => name)).toContain('Set places of cells right');
  });

  it('whose part has another name is looked into, too, and is not written twice', async () => {
    const at = whole.indexOf(Buffer.from('Workbook', 'utf16le'));
    const bad = Buffer.from(whole);
    bad[at] = 'V'.charCodeAt(0);
    bad[whole.indexOf(Buffer.from('fd000a0048000000', 'hex')) + 5] = 4;
    const { report, output } = await repairBytes(bad, 'a.xls');
    expect(report.found.map(({ detail }) => detail).join()).toContain('other rows or columns');
    const names = CFB.read(output ?? Buffer.alloc(0), { type: 'buffer' }).FileIndex.map(({ name }) => name);
    expect(names).toContain('Workbook');
    expect(names).not.toContain('Vorkbook');
  });
});
