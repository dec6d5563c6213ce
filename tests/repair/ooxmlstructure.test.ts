import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const partsOf = (bytes: Uint8Array) => unzipSync(bytes);
const text = (parts: Record<string, Uint8Array>, path: string) => Buffer.from(parts[path] ?? []).toString('utf8');

/** The package with one match in one part replaced. */
function changed(whole: Buffer, path: string, pattern: RegExp, by: string): Buffer {
  const parts = partsOf(whole);
  const before = text(parts, path);
  expect(before).toMatch(pattern);
  return Buffer.from(zipSync({ ...parts, [path]: Buffer.from(before.replace(pattern, by)) }));
}

const name = 'libreoffice-table.xlsx';
const types = '[Content_Types].xml';
const links = 'xl/_rels/workbook.xml.rels';

/** What programs go by inside a workbook: the part, what is changed, and into what. */
const wrong: [string, string, RegExp, string][] = [
  ['calls its workbook something else', types, /spreadsheetml\.sheet\.main\+xml/, 'spreadsheetml.sheet.maiq+xml'],
  ['calls a sheet some XML', types, /application\/vnd[\w.-]*\.worksheet\+xml/, 'application/xml'],
  ['has types in no language', types, /\sxmlns="[^"]*"/, ''],
  ['does not lead to its workbook', '_rels/.rels', /xl\/workbook\.xml/, 'xl/workbonk.xml'],
  [
    'leads to its workbook by a link of no kind',
    '_rels/.rels',
    /2006\/relationships\/officeDocument/,
    '2007/relationships/officeDocument',
  ],
  ['leads to a sheet by a link of no kind', links, /\/relationships\/worksheet"/, '/relationships/worksheez"'],
  ['has a link that leads nowhere', '_rels/.rels', /\sTarget="docProps\/core\.xml"/, ''],
  ['leads to texts that are not there', links, /sharedStrings\.xml/, 'sharedSxrings.xml'],
  ['leads to properties that are not there', '_rels/.rels', /docProps\/core\.xml/, 'docProps/cord.xml'],
  ['has texts in another language', 'xl/sharedStrings.xml', /spreadsheetml\/2006\/main/, 'spreadsheetml/2006/maim'],
  [
    'has a sheet of another name',
    'xl/worksheets/sheet1.xml',
    /<worksheet(.*)<\/worksheet>/s,
    '<worksheetx$1</worksheetx>',
  ],
  ['leads to its sheet outside of the file', links, /(?=Target="worksheets\/sheet1\.xml")/, 'TargetMode="External" '],
  ['does not lead to its texts', links, /<Relationship [^<>]*sharedStrings[^<>]*>/, ''],
  ['has a part that says to be in letters of two bytes', 'xl/workbook.xml', /encoding="UTF-8"/, 'encoding="UTF-16"'],
  ['has a part in an encoding that there is not', types, /encoding="UTF-8"/, 'encoding="UTG-8"'],
  ['asks for a sheet by another name than it has', links, /Id="(rId\d+)"(?=[^>]*worksheets)/, 'Id="$19"'],
];

describe('a workbook that', () => {
  it.each(wrong)('%s is mended', async (_, path, pattern, by) => {
    const whole = original(name);
    const { report, output } = await repairBytes(changed(whole, path, pattern, by), name);
    expect(report.verdict, report.summary).toBe('repaired');
    const [mended, before] = [partsOf(output ?? Buffer.alloc(0)), partsOf(whole)];
    expect(text(mended, 'xl/sharedStrings.xml')).toBe(text(before, 'xl/sharedStrings.xml'));
    expect(text(mended, 'xl/worksheets/sheet1.xml')).toBe(text(before, 'xl/worksheets/sheet1.xml'));
    expect((await repairBytes(output ?? Buffer.alloc(0), name)).report.verdict).toBe('healthy');
  });
});

/** The package with a part called otherwise by the archive. */
const renamed = (whole: Buffer, from: string, to: string) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(Object.entries(partsOf(whole)).map(([path, data]) => [path === from ? to : path, data])),
    ),
  );

describe('a part in other capitals than usual', () => {
  it('is in order where all call it so', async () => {
    const whole = changed(original(name), links, /sharedStrings\.xml/, 'SharedStrings.xml');
    const both = changed(whole, types, /sharedStrings\.xml/, 'SharedStrings.xml');
    const bytes = renamed(both, 'xl/sharedStrings.xml', 'xl/SharedStrings.xml');
    expect((await repairBytes(bytes, name)).report).toMatchObject({ verdict: 'healthy', notes: [] });
  });
});

describe('a part whose name has a wrong letter but looks like one of its kind', () => {
  it('gets the name by which the document leads to it', async () => {
    const whole = original(name);
    const { report, output } = await repairBytes(renamed(whole, 'docProps/app.xml', 'docProps/ipp.xml'), name);
    expect(report.verdict, report.summary).toBe('repaired');
    const mended = partsOf(output ?? Buffer.alloc(0));
    expect(Object.keys(mended).sort()).toEqual(Object.keys(partsOf(whole)).sort());
    expect(text(mended, '_rels/.rels')).toBe(text(partsOf(whole), '_rels/.rels'));
  });

  it('keeps it where a number is another one', async () => {
    const bytes = renamed(original(name), 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet3.xml');
    const { report } = await repairBytes(bytes, name);
    expect(report.verdict).not.toBe('healthy');
  });
});

/** The end record and the first entry of the list of parts (APPNOTE 4.3.12 and 4.3.16). */
const endOf = (bytes: Buffer) => bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
const listOf = (bytes: Buffer) => bytes.readUInt32LE(endOf(bytes) + 16);

const fields: [string, (bytes: Buffer) => void][] = [
  ['has a list of parts of another size', (bytes) => bytes.writeUInt32LE(0, endOf(bytes) + 12)],
  ['is spread over disks', (bytes) => bytes.writeUInt16LE(3, endOf(bytes) + 4)],
  [
    'has a part that is called encrypted',
    (bytes) => bytes.writeUInt16LE(bytes.readUInt16LE(listOf(bytes) + 8) | 1, listOf(bytes) + 8),
  ],
];

describe('an archive that', () => {
  it.each(fields)('%s is mended', async (_, damage) => {
    const whole = Buffer.from(zipSync(partsOf(original(name))));
    expect((await repairBytes(whole, name)).report.verdict).toBe('healthy');
    const bad = Buffer.from(whole);
    damage(bad);
    const { report, output } = await repairBytes(bad, name);
    expect(report.verdict).toBe('repaired');
    expect(Object.keys(partsOf(output ?? Buffer.alloc(0))).sort()).toEqual(Object.keys(partsOf(whole)).sort());
  });

  it('says too much of the size of a part that is whole is mended', async () => {
    const bad = Buffer.from(zipSync(partsOf(original(name))));
    const at = bad.indexOf('xl/worksheets/sheet1.xml', listOf(bad)) - 46;
    bad.writeUInt32LE(0x3fffffff, at + 24);
    expect((await repairBytes(bad, name)).report.verdict).toBe('repaired');
  });

  it('has a part twice, once with other content, is not healthy', async () => {
    const parts = partsOf(original(name));
    const twin = 'xl/workbook.xmm';
    const bad = Buffer.from(zipSync({ ...parts, [twin]: Buffer.from(text(parts, 'xl/workbook.xml').slice(0, 200)) }));
    for (let at = bad.indexOf(twin); at >= 0; at = bad.indexOf(twin, at + 1))
      bad.write('xl/workbook.xml', at, 'latin1');
    const { report, output } = await repairBytes(bad, name);
    expect(report.verdict).toBe('repaired');
    expect(text(partsOf(output ?? Buffer.alloc(0)), 'xl/workbook.xml')).toBe(text(parts, 'xl/workbook.xml'));
  });
});
