import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { xmlFault } from '@/lib/repair/formats/ooxml/wellformed';
import { repairBytes } from './support/run';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const links = (list: readonly [string, string, string][]) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const type = 'application/vnd.openxmlformats-officedocument';
const rows =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Number</t></is></c></row><row r="2"><c r="A2"><v>5</v></c></row>';
const shape = (n: number) =>
  `<v:shape id="_x0000_s${1025 + n}" type="#_x0000_t202" style="position:absolute;margin-left:${59 + 7 * n}pt;margin-top:${3 + 11 * n}pt;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:AutoFill>False</x:AutoFill><x:Row>${n}</x:Row><x:Column>${n % 5}</x:Column></x:ClientData></v:shape>`;
const vml = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">${Array.from({ length: 40 }, (_, n) => shape(n)).join('')}</xml>`;
const drawing = `${head}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`;

/** A workbook of two sheets with a table, a drawing and an older drawing each. */
function workbook(): Record<string, string> {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="${type}.vmlDrawing"/><Override PartName="/xl/workbook.xml" ContentType="${type}.spreadsheetml.sheet.main+xml"/>${[1, 2].map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${type}.spreadsheetml.worksheet+xml"/><Override PartName="/xl/tables/table${n}.xml" ContentType="${type}.spreadsheetml.table+xml"/><Override PartName="/xl/drawings/drawing${n}.xml" ContentType="${type}.drawing+xml"/>`).join('')}</Types>`,
    '_rels/.rels': links([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/><sheet name="Two" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': links([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
    ]),
  };
  for (const n of [1, 2]) {
    parts[`xl/worksheets/sheet${n}.xml`] =
      `${head}<worksheet xmlns="${main}" xmlns:r="${relations}"><sheetData>${rows}</sheetData><drawing r:id="rId1"/><legacyDrawing r:id="rId2"/><tableParts count="1"><tablePart r:id="rId3"/></tableParts></worksheet>`;
    parts[`xl/worksheets/_rels/sheet${n}.xml.rels`] = links([
      ['rId1', 'drawing', `../drawings/drawing${n}.xml`],
      ['rId2', 'vmlDrawing', `../drawings/vmlDrawing${n}.vml`],
      ['rId3', 'table', `../tables/table${n}.xml`],
    ]);
    parts[`xl/drawings/drawing${n}.xml`] = drawing;
    parts[`xl/drawings/vmlDrawing${n}.vml`] = vml;
    parts[`xl/tables/table${n}.xml`] =
      `${head}<table xmlns="${main}" id="${n}" name="T${n}" displayName="T${n}" ref="A1:A2"><tableColumns count="1"><tableColumn id="1" name="Number"/></tableColumns></table>`;
  }
  return parts;
}

/** The workbook without some of its parts. */
function packed(...paths: string[]): Buffer {
  const parts = Object.entries(workbook()).filter(([path]) => !paths.includes(path));
  return Buffer.from(zipSync(Object.fromEntries(parts.map(([path, text]) => [path, Buffer.from(text)]))));
}

/** What comes of it. */
const without = (...paths: string[]) => repaired(packed(...paths));

async function repaired(workbook: Buffer) {
  const { report, output } = await repairBytes(workbook, 'a.xlsx');
  const made = output ? unzipSync(output) : {};
  const read = (path: string) => Buffer.from(made[path] ?? []).toString('utf8');
  return { report, read };
}

describe('a sheet of a workbook', () => {
  it('whose table is gone gets no table of another sheet', async () => {
    const { report, read } = await without('xl/tables/table2.xml');
    expect(report.verdict).toBe('partly');
    expect(read('xl/worksheets/_rels/sheet2.xml.rels')).not.toContain('table');
    expect(read('xl/worksheets/sheet2.xml')).not.toContain('tablePart');
    expect(read('xl/worksheets/sheet2.xml')).toContain('<drawing r:id="rId1"/>');
    expect(read('xl/worksheets/sheet1.xml')).toContain('<tableParts count="1"><tablePart r:id="rId3"/></tableParts>');
    expect(report.lost.map(({ unit }) => unit)).toContain('links');
  });

  it('that lost its list and all that it led to leads nowhere', async () => {
    const { report, read } = await without(
      'xl/worksheets/_rels/sheet2.xml.rels',
      'xl/tables/table2.xml',
      'xl/drawings/drawing2.xml',
      'xl/drawings/vmlDrawing2.vml',
    );
    expect(report.verdict).toBe('partly');
    expect(read('xl/worksheets/_rels/sheet2.xml.rels')).not.toMatch(/table1|rawing1/);
    expect(read('xl/worksheets/sheet2.xml')).not.toMatch(/tablePart|rawing/);
  });

  it('that lost its list gets back what no other sheet leads to', async () => {
    const { read } = await without('xl/worksheets/_rels/sheet1.xml.rels');
    const list = read('xl/worksheets/_rels/sheet1.xml.rels');
    expect(list).toContain('../tables/table1.xml');
    expect(list).toContain('../drawings/drawing1.xml');
    expect(list).toMatch(/relationships\/vmlDrawing" Target="..\/drawings\/vmlDrawing1.vml"/);
    expect(list).not.toMatch(/table2|rawing2/);
  });
});

describe('an older drawing of a sheet', () => {
  const path = 'xl/drawings/vmlDrawing1.vml';
  const inside = (bytes: Buffer) => bytes.indexOf(path) + path.length + 300;

  it('comes back from one wrong byte', async () => {
    const bytes = packed();
    bytes[inside(bytes)] = (bytes[inside(bytes)] ?? 0) ^ 0xff;
    const { report, read } = await repaired(bytes);
    expect(report.verdict).toBe('repaired');
    expect(read(path)).toBe(vml);
  });

  it('of which a piece is gone is handed out as markup that programs read', async () => {
    const bytes = packed();
    bytes.fill(0, inside(bytes), inside(bytes) + 60);
    const { report, read } = await repaired(bytes);
    expect(report.verdict).toBe('partly');
    expect(xmlFault(read(path), 100)).toBe(null);
  });
});
