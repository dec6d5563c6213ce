import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { writeRecord } from '../../lib/repair/formats/ole/biff';
import { wordClass, writePlainDocument } from '../../lib/repair/formats/ole/docwrite';
import { undoExchangedTables } from '../../lib/repair/formats/ole/exchangedtables';
import { beginning, workbookReach } from '../../lib/repair/formats/ole/reach';
import { lostBefore } from '../../lib/repair/formats/ole/shifts';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { Effort } from '../../lib/repair/report/effort';
import { exchanged } from './support/exchanged';
import { repairBytes } from './support/run';

const fixture = (name: string) => gunzipSync(readFileSync(new URL(`fixtures/${name}.gz`, import.meta.url)));
const table = fixture('libreoffice-table.xls');
const slides = fixture('libreoffice-slides.ppt');

describe('pieces of a workbook or presentation that changed places', () => {
  it.each([
    ['cells', table, 'table.xls', [4, 9], 512],
    ['more cells', table, 'table.xls', [12, 20], 512],
    ['clusters', table, 'table.xls', [1, 3], 4096],
    ['slides', slides, 'slides.ppt', [1, 4], 4096],
  ] as const)('go back, as the records show: %s', async (_, whole, name, pair, size) => {
    const { report, output } = await repairBytes(exchanged(whole, [pair], size), name);
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });
});

describe('a document with objects inside, whose streams have the same names', () => {
  const text = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `The ${word} lay at anchor for day ${index} of the voyage`).join('\r');
  const inside = (name: string, size: number) => [
    { path: ['ObjectPool', name, 'CompObj'], data: Buffer.alloc(size, 7) },
    ...writePlainDocument(text('raft', 8)).map(({ path, data }) => ({ path: ['ObjectPool', name, ...path], data })),
  ];
  const whole = writeOle(
    [...writePlainDocument(text('harbour', 120)), ...inside('_1', 100), ...inside('_2', 140)],
    wordClass,
  );
  const words = (report: { kept: { unit: string; count: number }[] }) =>
    report.kept.find(({ unit }) => unit === 'words')?.count ?? 0;

  it('comes back without its header', async () => {
    const { report } = await repairBytes(Buffer.from(whole).fill(0, 0, 512), 'letter.doc');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(words(report)).toBeGreaterThan(1000);
  });

  it('is not replaced by one of them where the header of its text is lost', async () => {
    const { report } = await repairBytes(Buffer.from(whole).fill(0, 0, 2048), 'letter.doc');
    expect(report.verdict, report.summary).toBe('partly');
    expect(words(report)).toBeGreaterThan(1000);
  });
});

describe('pieces of a file into which bytes were put', () => {
  it.each([7, 300])('are not taken for exchanged ones: %i bytes', async (count) => {
    const at = slides.length >> 1;
    const bytes = Buffer.concat([slides.subarray(0, at), Buffer.alloc(count, 0x5a), slides.subarray(at)]);
    const { report } = await repairBytes(bytes, 'slides.ppt');
    expect(report.found.map(({ kind }) => kind)).not.toContain('exchanged');
  });
});

describe('a compound file with many tables that lost its beginning', () => {
  it.each([512, 4096, 65_536])('tells that it lost %i bytes', (count) => {
    const whole = writeOle([{ path: ['Data'], data: Buffer.alloc(250_000, 5) }], wordClass);
    expect(lostBefore(whole.subarray(count))).toBe(count);
  });
});

describe('a file in which very many sectors look like a lost one of the directory', () => {
  it('is copied for no more exchanges than there is effort for', () => {
    const size = 512;
    const root = table.indexOf(Buffer.from('Root Entry', 'utf16le'));
    const directory = table.subarray(root, root + size);
    const sectors = 400;
    const bytes = Buffer.concat([
      table.subarray(0, size),
      ...Array.from({ length: sectors }, () => directory),
      Buffer.alloc(size, 0x20),
    ]);
    bytes.writeUInt32LE(0, 44);
    bytes.writeInt32LE(0, 48);
    const copies = vi.spyOn(Buffer, 'from');
    const undone = undoExchangedTables(
      bytes,
      () => [0, sectors],
      () => 1,
      new Effort(400),
    );
    expect(undone).toBeNull();
    const whole = copies.mock.calls.filter(([what]) => (what as unknown as Buffer).length === bytes.length);
    expect(whole.length).toBeLessThan(60);
    copies.mockRestore();
  });
});

describe('the records of a workbook', () => {
  const begin = writeRecord(0x809, Buffer.from('0006050000000000000000000000000000', 'hex').subarray(0, 16));
  const number = (row: number) =>
    writeRecord(0x203, Buffer.concat([Buffer.from([row, 0, 0, 0, 15, 0]), Buffer.alloc(8)]));
  const end = writeRecord(0x0a, Buffer.alloc(0));

  it('end before bytes that are none, though these would lead to the next one', () => {
    const sound = Buffer.concat([begin, number(0), number(1), number(2), end]);
    expect(workbookReach(sound, beginning).at).toBe(sound.length);
    const cells = Buffer.concat([number(1), number(2)]);
    const swallowed = Buffer.concat([begin, number(0), writeRecord(0, cells), number(3), end]);
    expect(workbookReach(swallowed, beginning).at).toBe(begin.length + number(0).length);
  });
});
