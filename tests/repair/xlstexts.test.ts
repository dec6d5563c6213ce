import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { BiffRecord, biff, readRecords, writeRecord } from '../../lib/repair/formats/ole/biff';
import { sharedParts, sharedStrings } from '../../lib/repair/formats/ole/sharedparts';
import { writeSharedStrings } from '../../lib/repair/formats/ole/sharedstrings';
import { rebuildWorkbook } from '../../lib/repair/formats/ole/xls';

const count = 2500;
const texts = Array.from({ length: count }, (_, index) => `keeper ${index} of the harbour`);
const beginning = (kind: number) => {
  const data = Buffer.from('00060500bb0dcc07c100000006030000', 'hex');
  data.writeUInt16LE(kind, 2);
  return writeRecord(biff.beginning, data);
};
const end = writeRecord(biff.eof, Buffer.alloc(0));

/** Bytes that a string of the shared ones takes: its length, its width and two for each character ([MS-XLS] 2.5.293). */
const sizeOf = (text: string) => 3 + text.length * 2;

/** The index of the shared strings (2.4.107): the place of each hundredth one. */
function indexOf(table: Buffer, start: number): Buffer {
  const entries: Buffer[] = [];
  const { records } = readRecords(table);
  let [part, at] = [0, 8];
  for (const [number, text] of texts.entries()) {
    if (at === records[part]?.length) [part, at] = [part + 1, 0];
    if (number % 100 === 0) {
      const entry = Buffer.alloc(8);
      entry.writeUInt32LE(start + (records[part]?.offset ?? 0) + 4 + at);
      entries.push(entry);
    }
    at += sizeOf(text);
  }
  return writeRecord(biff.extSst, Buffer.concat([Buffer.from([100, 0]), ...entries]));
}

/** A workbook of one sheet that shows every text, and where its shared strings lie. */
function workbook(isIndexed: boolean): { bytes: Buffer; from: number; to: number } {
  const head = [beginning(5), ...Array.from({ length: 8 }, () => writeRecord(biff.xf, Buffer.alloc(20)))];
  const from = Buffer.concat(head).length;
  const table = writeSharedStrings(texts, count);
  const cells = texts.map((_, row) => {
    const cell = Buffer.alloc(10);
    cell.writeUInt16LE(row, 0);
    cell.writeUInt32LE(row, 6);
    return writeRecord(biff.labelSst, cell);
  });
  const index = isIndexed ? [indexOf(table, from)] : [];
  return {
    bytes: Buffer.concat([...head, table, ...index, end, beginning(0x10), ...cells, end]),
    from,
    to: from + table.length,
  };
}

/** The texts of a workbook that was put together again. */
function rebuiltTexts(bytes: Buffer): (string | undefined)[] {
  const rebuilt = rebuildWorkbook(bytes, nothingToldYet()) ?? Buffer.alloc(0);
  const { records } = readRecords(rebuilt);
  const globals = records.slice(
    0,
    records.findIndex(({ type }) => type === biff.eof),
  );
  expect(records.filter(({ type }) => type === biff.labelSst).length).toBe(count);
  return sharedStrings(sharedParts(rebuilt, globals), count - 1).strings;
}

/** How many texts came back, all of which stand at their number. */
function kept(bytes: Buffer): number {
  const read = rebuiltTexts(bytes);
  const filled = read.flatMap((text, number) => (text ? [[number, text] as const] : []));
  expect(filled.every(([number, text]) => texts[number] === text)).toBe(true);
  return filled.length;
}

describe('shared strings of workbooks', () => {
  const lostAtMost = (bytes: number, around: number) =>
    count - Math.ceil(bytes / sizeOf('keeper 10 of the harbour')) - around;

  it('are read behind a lost record header, between the places that the index names', () => {
    const { bytes, from } = workbook(true);
    const second = readRecords(bytes).records.filter(({ type }) => type === biff.continued)[4];
    const at = (second?.offset ?? from) - 2000;
    bytes.fill(0, at, at + 4096);
    expect(kept(bytes)).toBeGreaterThanOrEqual(lostAtMost(4096, 100));
  });

  it.each([true, false])('are read where their beginning is lost, with an index or without: %s', (isIndexed) => {
    const { bytes } = workbook(isIndexed);
    bytes.fill(0, 0, 4096);
    expect(kept(bytes)).toBeGreaterThanOrEqual(lostAtMost(4096, 100));
  });

  it('are left alone where nothing is lost, two empty ones among them', () => {
    const table = writeSharedStrings(['one', '', '', 'two'], 4);
    const record = new BiffRecord(biff.sst, 0, table, 4, table.length - 4);
    expect(sharedStrings(sharedParts(table, [record]), 3)).toEqual({ strings: ['one', '', '', 'two'], complete: true });
  });
});
