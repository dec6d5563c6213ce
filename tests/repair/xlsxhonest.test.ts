import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const png = await picture(40, 30, 3).png().toBuffer();

/** A workbook as openpyxl orders it: sheets first, and what leads to them last. */
function workbook(): Buffer {
  const random = randomFrom(11);
  const sheet = () => {
    const rows = Array.from({ length: 120 }, (_, row) => {
      const cells = ['A', 'B', 'C', 'D'].map(
        (column) => `<c r="${column}${row + 1}" s="1" t="n"><v>${Math.floor(random() * 1e6) / 100}</v></c>`,
      );
      return `<row r="${row + 1}">${cells.join('')}</row>`;
    });
    return strToU8(
      `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    );
  };
  const names = [1, 2, 3];
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${links}/${type}" Target="${target}"/>`;
  const relations = (inner: string) =>
    strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`,
    );
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return Buffer.from(
    zipSync({
      ...Object.fromEntries(names.map((number) => [`xl/worksheets/sheet${number}.xml`, sheet()])),
      'xl/sharedStrings.xml': strToU8(
        `<sst xmlns="${main}" count="300" uniqueCount="300">${Array.from({ length: 300 }, (_, index) => `<si><t>Quantity of item ${index} (${Math.floor(random() * 1e9)})</t></si>`).join('')}</sst>`,
      ),
      'xl/media/image1.png': new Uint8Array(png),
      'xl/styles.xml': strToU8(
        `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf/></cellXfs></styleSheet>`,
      ),
      '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
      'xl/workbook.xml': strToU8(
        `<workbook xmlns="${main}" xmlns:r="${links}"><sheets>${names.map((number) => `<sheet name="Part ${number}" sheetId="${number}" r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relations(
        names.map((number) => relation(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`)).join('') +
          relation('rId9', 'styles', 'styles.xml') +
          relation('rId10', 'sharedStrings', 'sharedStrings.xml'),
      ),
      '[Content_Types].xml': strToU8(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${names.map((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${kind}.worksheet+xml"/>`).join('')}<Default Extension="png" ContentType="image/png"/><Override PartName="/xl/sharedStrings.xml" ContentType="${kind}.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
      ),
    }),
  );
}

describe('a workbook that is cut off between two sheets', () => {
  it('is not called repaired with everything in it', async () => {
    const bytes = workbook();
    const second = bytes.indexOf('xl/worksheets/sheet2.xml') - 30;
    const { report, output } = await repairBytes(bytes.subarray(0, second), 'cut.xlsx');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ detail }) => detail).join(' ')).toContain('xl/workbook.xml');
    expect(Object.keys(unzipSync(output ?? Buffer.alloc(0)))).toContain('xl/worksheets/sheet1.xml');
  });

  it('is healthy when it is not', async () => {
    expect((await repairBytes(workbook(), 'whole.xlsx')).report.verdict).toBe('healthy');
  });
});

/** Overwrites the packed data of a part with noise between two shares of it. */
function overwrite(bytes: Buffer, name: string, from: number, to: number): void {
  const begin = bytes.indexOf(name) + name.length;
  const end = Math.min(
    ...['PK\u0003\u0004', 'PK\u0001\u0002'].map((mark) => bytes.indexOf(mark, begin, 'latin1') >>> 0),
  );
  const [first, last] = [from, to].map((share) => Math.floor(begin + (end - begin) * share)) as [number, number];
  randomBytes(randomFrom(7), last - first).copy(bytes, first);
}

describe('a workbook of which no cell is left', () => {
  const sheets = ['sheet1', 'sheet2', 'sheet3'].map((name) => `xl/worksheets/${name}.xml`);

  it('gives its texts where they are all there', async () => {
    const bytes = workbook();
    for (const name of sheets) overwrite(bytes, name, 0.03, 1);
    const { report, output } = await repairBytes(bytes, 'sheetless.xlsx');
    expect(report.verdict, report.summary).toBe('partly');
    const parts = unzipSync(output ?? Buffer.alloc(0));
    expect(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).toContain('Quantity of item 299');
  });

  it('is not handed out for a picture where they are damaged, too', async () => {
    const bytes = workbook();
    for (const name of sheets) overwrite(bytes, name, 0.03, 1);
    overwrite(bytes, 'xl/sharedStrings.xml', 0.5, 1);
    const { report } = await repairBytes(bytes, 'garbled.xlsx');
    expect(report.verdict, report.summary).toBe('unrepairable');
  });
});
