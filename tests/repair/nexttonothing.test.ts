import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';

const kinds: [string, () => Promise<Buffer>][] = [
  ['jpg', () => picture(900, 700, 3).jpeg({ quality: 85 }).toBuffer()],
  ['png', () => picture(900, 700, 3).png().toBuffer()],
  ['tif', () => picture(900, 700, 3).toColourspace('b-w').tiff({ compression: 'none' }).toBuffer()],
];

/** The beginning of a file, without the directory that libvips writes at its end: one in front of the data leads to a strip of all rows. */
function cut(format: string, bytes: Buffer, share: number): Buffer {
  if (format !== 'tif') return bytes.subarray(0, Math.floor(bytes.length * share));
  const [width, height] = [900, 700];
  const entries = [
    [256, 3, 1, width],
    [257, 3, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 1, 122],
    [277, 3, 1, 1],
    [278, 3, 1, height],
    [279, 4, 1, width * height],
  ];
  const head = Buffer.alloc(122);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries.length, 8);
  for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    head.writeUInt16LE(tag, 10 + index * 12);
    head.writeUInt16LE(type, 12 + index * 12);
    head.writeUInt32LE(count, 14 + index * 12);
    head.writeUInt32LE(value, 18 + index * 12);
  }
  return Buffer.concat([head, bytes.subarray(8, 8 + Math.floor(width * height * share))]);
}

describe.each(kinds)('of a cut %s', (format, make) => {
  it('with less than 2 % of its content nothing is handed out', async () => {
    const { report, output } = await repairBytes(cut(format, await make(), 0.012), `photo.${format}`);
    expect([report.verdict, output]).toEqual(['unrepairable', null]);
  });

  it('with a fifth of it that is', async () => {
    const { report } = await repairBytes(cut(format, await make(), 0.2337), `photo.${format}`);
    expect(report.verdict, report.summary).toBe('partly');
  });
});

describe('of a document of which a piece is written over that all else copies from', () => {
  it.each([
    ['docx-letter.docx', 300, 512],
    ['docx-letter.docx', 600, 1024],
    ['libreoffice-letter.docx', 600, 1024],
  ])('a title alone is not handed out: %s from %i', async (name, from, bytes) => {
    const bad = gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
    const start = bad.indexOf('word/document.xml') + 'word/document.xml'.length + from;
    const { report, output } = await repairBytes(Buffer.from(bad).fill(0, start, start + bytes), name);
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });
});

/** A document that is a form: a table of many empty cells, with a word before some rows; its text has one word for some 5,000 bytes. */
function form(): Buffer {
  const parts = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/docx-letter.docx.gz')));
  const letter = strFromU8(parts['word/document.xml'] ?? new Uint8Array());
  const cell = (text: string, width: number) =>
    `<w:tc><w:tcPr><w:tcW w:type="dxa" w:w="${width}"/></w:tcPr><w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p></w:tc>`;
  const rows = Array.from({ length: 90 }, (_, row) => {
    const cells = Array.from({ length: 12 }, (_, column) => cell('', 500 + ((row * 37 + column * 101) % 400)));
    return `<w:tr>${cell(row % 9 === 0 ? 'Signature' : '', 900)}${cells.join('')}</w:tr>`;
  });
  const body = letter.indexOf('>', letter.indexOf('<w:body')) + 1;
  const text = `${letter.slice(0, body)}<w:tbl>${rows.join('')}</w:tbl><w:sectPr/></w:body></w:document>`;
  return Buffer.from(zipSync({ ...parts, 'word/document.xml': strToU8(text) }));
}

it('of a form with few words that lost half of it, the other half is handed out', async () => {
  const whole = form();
  const start = whole.indexOf('word/document.xml') + 'word/document.xml'.length;
  const length = whole.indexOf('PK\x03\x04', start, 'latin1') - start;
  const from = start + Math.floor(length / 2);
  const { report, output } = await repairBytes(Buffer.from(whole).fill(0, from, from + 256), 'form.docx');
  expect(report.verdict, report.summary).toBe('partly');
  expect(output).not.toBeNull();
});

describe('of a workbook whose texts are gone', () => {
  it('the numbers of rows alone are not handed out', async () => {
    const row = (number: number) =>
      `<row r="${number}"><c r="A${number}"><v>${number}</v></c>${Array.from({ length: 60 }, (_, cell) => `<c r="B${cell}" t="s"><v>${number * 60 + cell}</v></c>`).join('')}</row>`;
    const texts = Array.from({ length: 2000 }, (_, index) => `<si><t>harbour light ${index * 7919}</t></si>`).join('');
    const part = (name: string) =>
      `<?xml version="1.0"?><${name} xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`;
    const parts = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/sheetjs-table.xlsx.gz')));
    for (const name of Object.keys(parts)) if (/sheet[2-9]\.xml/.test(name)) delete parts[name];
    const whole = Buffer.from(
      zipSync({
        ...parts,
        'xl/worksheets/sheet1.xml': strToU8(
          `${part('worksheet')}<sheetData>${Array.from({ length: 20 }, (_, index) => row(index + 1)).join('')}</sheetData></worksheet>`,
        ),
        'xl/sharedStrings.xml': strToU8(`${part('sst')}${texts}</sst>`),
      }),
    );
    const from = whole.indexOf('xl/sharedStrings.xml') + 20;
    const end = whole.indexOf('PK\x03\x04', from, 'latin1');
    whole.fill(0, from, end < 0 ? whole.indexOf('PK\x01\x02', from, 'latin1') : end);
    const { report, output } = await repairBytes(whole, 'table.xlsx');
    expect([report.verdict, output]).toEqual(['unrepairable', null]);
  });
});
