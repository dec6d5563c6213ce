import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { repairBytes } from './support/run';

const slides = { file: 'libreoffice-slides.pptx', path: 'ppt/presentation.xml' };
const sheets = { file: 'sheetjs-table.xlsx', path: 'xl/workbook.xml' };
const titles = 'docProps/app.xml';

const packageOf = (file: string) => unzipSync(gunzipSync(readFileSync(`tests/repair/fixtures/${file}.gz`)));
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

/** The file with something else in its main part, and that part as it was. */
function changed({ file, path }: typeof slides, from: string, to: string, without = ''): [Buffer, string] {
  const { [without]: _, ...parts } = packageOf(file);
  const whole = textOf(parts[path]);
  expect(whole).toContain(from);
  return [Buffer.from(zipSync({ ...parts, [path]: Buffer.from(whole.replace(from, to)) })), whole];
}

it.each([
  ['a slide has the number of another one', slides, '"262" r:id="rId9"', '"257" r:id="rId9"'],
  ['a slide is led to by the link of another one', slides, '"258" r:id="rId5"', '"258" r:id="rId3"'],
  ['a slide is led to by the link of the next one', slides, '"258" r:id="rId5"', '"258" r:id="rId6"'],
  ['a sheet has the number of another one', sheets, 'sheetId="2"', 'sheetId="1"'],
  ['a sheet is led to by the link of another one', sheets, 'sheetId="2" r:id="rId2"', 'sheetId="2" r:id="rId1"'],
  ['a sheet has the name of another one', sheets, 'name="S0"', 'name="s1"'],
])('a list in which %s is set right', async (_, where, from, to) => {
  const [damaged, whole] = changed(where, from, to);
  const { report, output } = await repairBytes(damaged, where.file);
  expect(report.verdict, report.summary).toBe('repaired');
  expect(report.found.map(({ detail }) => detail).join()).toContain('says the same as another one');
  const main = textOf(unzipSync(output ?? new Uint8Array())[where.path]);
  if (from.startsWith('"262"')) expect(main).toContain('id="264" r:id="rId9"');
  else expect(main).toBe(whole);
  expect((await repairBytes(output ?? Buffer.alloc(0), where.file)).report).toMatchObject({
    verdict: 'healthy',
    found: [],
  });
});

it('a sheet gets a name that is a guess where nothing tells it, and the workbook is not called whole', async () => {
  const [damaged] = changed(sheets, 'name="S1"', 'name="S0"', titles);
  const { report, output } = await repairBytes(damaged, 'a.xlsx');
  expect(report.verdict, report.summary).toBe('partly');
  expect(textOf(unzipSync(output ?? new Uint8Array())[sheets.path])).toContain('name="Sheet1" sheetId="2"');
});

it('numbers of slides are those that its sections list', async () => {
  const numbers = [256, 257, 258, 259, 260, 261, 262, 263].map((number) => `<p14:sldId id="${number}"/>`).join('');
  const sections = `<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst><p14:section name="a" id="{1}"><p14:sldIdLst>${numbers}</p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>`;
  const parts = packageOf(slides.file);
  const whole = textOf(parts[slides.path]).replace('</p:presentation>', sections);
  const damaged = whole.replace('id="256" r:id', 'id="259" r:id');
  const bytes = Buffer.from(zipSync({ ...parts, [slides.path]: Buffer.from(damaged) }));
  const { report, output } = await repairBytes(bytes, 'a.pptx');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(textOf(unzipSync(output ?? new Uint8Array())[slides.path])).toBe(whole);
});
