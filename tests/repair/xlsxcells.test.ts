import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { repairBytes } from './support/run';

const [sheet, strings] = ['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml'];
const table = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-table.xlsx.gz')));
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

/** The table with a part of it changed, as it is handed out. */
async function repaired(part: string, from: RegExp, to: string) {
  const before = textOf(table[part]);
  expect(before).toMatch(from);
  const damaged = zipSync({ ...table, [part]: Buffer.from(before.replace(from, to)) });
  const { report, output } = await repairBytes(Buffer.from(damaged), 'table.xlsx');
  return { report, xml: textOf(unzipSync(output ?? Buffer.alloc(0))[sheet]) };
}

it.each(['99999', '-1', 'q7'])('empties a cell whose text has the number %s, and tells it', async (number) => {
  const { report, xml } = await repaired(sheet, /(<c [^>]*t="s"[^>]*><v>)\d+/, `$1${number}`);
  expect(report.verdict, report.summary).toBe('partly');
  expect(report.lost).toContainEqual({ unit: 'texts', count: 1, detail: 'texts of cells that could not be read' });
  expect(xml).not.toContain(`<v>${number}</v>`);
  expect(xml.match(/<c[\s>]/g)?.length).toBe(textOf(table[sheet]).match(/<c[\s>]/g)?.length);
});

it('takes a format that is not there from a cell, and leaves its value', async () => {
  const { report, xml } = await repaired(sheet, /(<c [^>]*s=")\d+("[^>]*><v>)/, '$17777$2');
  expect(report.verdict, report.summary).toBe('partly');
  expect(xml).not.toContain('s="7777"');
  expect(xml.match(/<v>/g)?.length).toBe(textOf(table[sheet]).match(/<v>/g)?.length);
});

it('tells that texts may be those of others where one is gone from their table', async () => {
  const { report } = await repaired(strings, /<si>.*?<\/si>/s, '');
  expect(report.verdict, report.summary).toBe('partly');
  expect(report.lost.map(({ detail }) => detail).join()).toContain(`${strings}: some of it may differ`);
});

it('leaves cells alone that name no text, and tables of another vocabulary', async () => {
  const empty = await repaired(sheet, /<c ([^>]*t="s"[^>]*)><v>\d+<\/v><\/c>/, '<c $1><v></v></c>');
  expect(empty.report.verdict, empty.report.summary).toBe('healthy');
  const draft = '<sst xmlns="http://schemas.microsoft.com/office/excel/2006/2">';
  const other = await repaired(strings, /<sst [^>]*>.*<\/sst>/s, `${draft}<sstItem><t>a</t></sstItem></sst>`);
  expect(other.report.verdict, other.report.summary).toBe('healthy');
});

/** The table without one of its texts in any other cell than the first that shows it. */
const shownOnce = (xml: string, number: string) =>
  xml.replace(new RegExp(`(t="s"[^>]*><v>)${number}<`, 'g'), '$10<').replace(/(t="s"[^>]*><v>)\d+</, `$1${number}<`);

it('gives a cell its type back whose text no other cell shows', async () => {
  const whole = shownOnce(textOf(table[sheet]), '7');
  const damaged = whole.replace(/t="s"([^>]*><v>7<)/, 't="q"$1');
  expect(damaged).not.toBe(whole);
  const { report, output } = await repairBytes(
    Buffer.from(zipSync({ ...table, [sheet]: Buffer.from(damaged) })),
    'table.xlsx',
  );
  expect(report.verdict, report.summary).toBe('repaired');
  const xml = textOf(unzipSync(output ?? Buffer.alloc(0))[sheet]);
  expect(xml.match(/t="s"[^>]*><v>7</g)).toHaveLength(1);
  expect(xml.match(/<v>/g)?.length).toBe(whole.match(/<v>/g)?.length);
});

it('keeps a number that is none as text, and tells it', async () => {
  const { report, xml } = await repaired(sheet, /( t="n"[^>]*><v>)(\d)/, '$1x$2');
  expect(report.verdict, report.summary).toBe('partly');
  expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'cells', count: 1 }));
  expect(xml).toMatch(/t="str"[^>]*><v>x\d/);
});

it('names a column in capitals where one cell alone does not', async () => {
  const { report, xml } = await repaired(sheet, /<c r="B9"/, '<c r="b9"');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(xml).toBe(textOf(table[sheet]));
});
