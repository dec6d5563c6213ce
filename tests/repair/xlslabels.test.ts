import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { biff, readRecords, writeRecord } from '../../lib/repair/formats/ole/biff';
import { mendLabels } from '../../lib/repair/formats/ole/xlslabels';
import { repairBytes } from './support/run';

/** Cells with texts of their own, in characters of two bytes; `miscount` is added to how many each says that it has. */
function labels(texts: readonly string[], miscount: (index: number) => number = () => 0): Buffer {
  return Buffer.concat(
    texts.map((text, index) => {
      const head = Buffer.alloc(9);
      head.writeUInt16LE(index, 0);
      head.writeUInt16LE(text.length + miscount(index), 6);
      head[8] = 1;
      return writeRecord(biff.label, Buffer.concat([head, Buffer.from(text, 'utf16le')]));
    }),
  );
}

const texts = Array.from({ length: 60 }, (_, index) => `ferry number ${index} leaves`);
const mended = (data: Buffer) => mendLabels(data, readRecords(data).records);

it('takes a wrong bit out of a letter, and out of a count of characters', () => {
  const wrong = texts.with(7, 'fer\u0872y number 7 leaves');
  const { data, letters, counts } = mended(labels(wrong, (index) => (index === 9 ? 8 : 0)));
  expect([letters, counts]).toEqual([1, 1]);
  expect(data.equals(labels(texts))).toBe(true);
});

it('leaves texts in other scripts, and counts of a program that counts otherwise', () => {
  for (const data of [labels(texts), labels(texts.with(3, '東京の渡し船')), labels(texts, () => 1)])
    expect(mended(data)).toEqual({ data, letters: 0, counts: 0 });
});

it('calls a workbook partly repaired of which a letter was wrong', async () => {
  const whole = gunzipSync(readFileSync('tests/repair/fixtures/sheetjs-table.xls.gz'));
  const word = Buffer.from('jasmine', 'utf16le');
  const bad = Buffer.from(whole);
  const at = whole.indexOf(word);
  expect(at).toBeGreaterThan(0);
  bad[at + 7] = 0x80;
  const { report } = await repairBytes(bad, 'a.xls');
  expect(report.verdict, report.summary).toBe('partly');
});
