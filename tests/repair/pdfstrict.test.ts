import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { harbour, onePage, pdfOf } from './support/pdfwriter';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A sound PDF with a classic table of objects, or with one in a stream. */
async function document(useObjectStreams: boolean): Promise<Buffer> {
  const made = await PDFDocument.create();
  const font = await made.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= 3; number++)
    for (let line = 0, page = made.addPage(); line < 20; line++)
      page.drawText(`${number}.${line} The harbour lights went out one after another`, {
        x: 40,
        y: 780 - line * 24,
        font,
        size: 11,
      });
  const bytes = Buffer.from(await made.save({ useObjectStreams }));
  return useObjectStreams ? bytes : withIdentifier(bytes);
}

/** The same with an identifier in its trailer, which stands behind all that the table names places of. */
function withIdentifier(bytes: Buffer): Buffer {
  const at = bytes.indexOf('>>', bytes.lastIndexOf('trailer'));
  const identifier = `/ID [<${'0f'.repeat(16)}> <${'0f'.repeat(16)}>]\n`;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(identifier), bytes.subarray(at)]);
}

/** The file with a match replaced by as many bytes, or more behind the last place that a table names. */
function replaced(bytes: Buffer, pattern: RegExp, by: (match: string) => string): Buffer {
  const text = bytes.toString('latin1');
  expect(text).toMatch(pattern);
  return Buffer.from(text.replace(pattern, by), 'latin1');
}

const sized = (more: number) => (match: string) => match.replace(/\d+/, (size) => String(Number(size) + more));

/** What strict readers such as qpdf complain of, while others look past it: the kinds that are found. */
const flaws: [string, boolean, string, (bytes: Buffer) => Buffer][] = [
  ['counts fewer objects than it has', false, 'table', (bytes) => replaced(bytes, /\/Size \d+/, sized(-1))],
  ['counts more objects than it has', false, 'table', (bytes) => replaced(bytes, /\/Size \d+/, sized(5))],
  ['has more entries in its table than it says', true, 'table', (bytes) => replaced(bytes, /\/Size \d+/, sized(-2))],
  ['has another generation of an object', false, 'table', (bytes) => replaced(bytes, /\n3 0 obj/, () => '\n3 4 obj')],
  ['has a garbled identifier', false, 'identifiers', (bytes) => replaced(bytes, /<0f0f/, () => '<zz0f')],
  ['does not say its version', false, 'head', (bytes) => replaced(bytes, /%PDF-1/, () => '%PDF-x')],
  ['goes on behind its end', false, 'tail', (bytes) => Buffer.concat([bytes, Buffer.alloc(1500, 'junk ')])],
  [
    'lacks the end of a bundle of objects',
    true,
    'object',
    (bytes) => replaced(bytes, /endstream\s+endobj/, (match) => match.replace('endobj', '      ')),
  ],
];

describe('a PDF that', () => {
  it.each([true, false])('is sound is told so, with object streams: %s', async (useObjectStreams) => {
    const { report } = await repairBytes(await document(useObjectStreams), 'file.pdf');
    expect(report.found).toEqual([]);
    expect(report.verdict).toBe('healthy');
  });

  it.each(flaws)('%s is mended', async (_, useObjectStreams, kind, damage) => {
    const whole = await document(useObjectStreams);
    const { report, output } = await repairBytes(damage(whole), 'file.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map((finding) => finding.kind)).toContain(kind);
    const mended = output ?? Buffer.alloc(0);
    expect(await scoreAgainst('pdf', whole, mended)).toBe(1);
    const again = await repairBytes(mended, 'file.pdf');
    expect(again.report.found).toEqual([]);
  });
});

/** The table of a document with its last entry naming no place. */
const unplaced = (bytes: Buffer) => replaced(bytes, /\d{10}(?= 00000 n \ntrailer)/, () => '0'.repeat(10));
const plain = (tree = '', page = '', further: readonly string[] = []) =>
  pdfOf(
    onePage(harbour, '', further).map((body, index) =>
      index === 1
        ? body.replace(']', `${tree}]`)
        : index === 2
          ? body.replace('/Type/Page', `/Type/Page${page}`)
          : body,
    ),
  );

describe('a PDF that a strict reader complains of', () => {
  it.each([
    ['for an entry of the table that leads nowhere', unplaced(plain('', '', ['42'])), 'table'],
    ['for a tree of pages that leads back to its beginning', plain(' 2 0 R'), 'pages'],
    [
      'as it does not say how many objects there are',
      replaced(plain(), /\/Size \d+/, (size) => ' '.repeat(size.length)),
      'table',
    ],
    ['for a word where a value should be', plain('', '/Rotate never'), 'object'],
    ['for a bracket that nothing opens', plain('', '/Rotate }0'), 'object'],
    ['for letters in digits', plain('', '/Mark<0q1f>'), 'object'],
    ['for such in its trailer', replaced(plain(), /\/Root/, () => ') /Root'), 'object'],
  ])('%s is mended', async (_, bytes, kind) => {
    const { report, output } = await repairBytes(bytes, 'file.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map((finding) => finding.kind)).toEqual([kind]);
    const again = await repairBytes(output ?? Buffer.alloc(0), 'file.pdf');
    expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
  });
});

describe('a sound PDF may have', () => {
  const apart = (content: string) =>
    pdfOf(onePage(content, '', [String(content.length)]).map((body) => body.replace(/\/Length \d+/, '/Length 6 0 R')));

  it.each([
    [
      'comments between its marks',
      pdfOf(onePage(harbour).map((body) => body.replace('endstream', 'endstream%a note'))),
    ],
    ['the mark of an end within data whose length stands elsewhere', apart(`% no endstream here\n${harbour}`)],
  ])('%s', async (_, bytes) => {
    const { report } = await repairBytes(bytes, 'file.pdf');
    expect(report.found).toEqual([]);
    expect(report.kept.find(({ unit }) => unit === 'words')?.count).toBe(8);
  });

  it('names where other keys follow a lost value, which a repair keeps', async () => {
    const bytes = plain('', '/ToUnicode/Identity-H/AA<</O<</S/Named/N/NextPage>>>>');
    expect((await repairBytes(bytes, 'file.pdf')).report.found).toEqual([]);
    const { output } = await repairBytes(replaced(bytes, /\/Size \d+/, sized(2)), 'file.pdf');
    expect(output?.toString('latin1')).toMatch(/\/ToUnicode \/Identity-H[\s\S]*\/N \/NextPage/);
  });
});

describe('packed data that ends with a line end itself', () => {
  it('keeps it where its length is wrong and no other one follows', async () => {
    const text = (number: number) => `BT /F1 12 Tf 40 700 Td (The harbour lights went out, ${number}) Tj ET\n`;
    const numbers = Array.from({ length: 4000 }, (_, number) => number);
    const packed = numbers.map((number) => deflateSync(text(number))).find((data) => data.at(-1) === 0x0a);
    const data = packed ?? Buffer.alloc(0);
    const bytes = Buffer.concat([
      Buffer.from(
        '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>\nendobj\n4 0 obj\n<</Filter/FlateDecode/Length 3>>\nstream\n',
      ),
      data,
      Buffer.from('endstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n'),
    ]);
    const { report, output } = await repairBytes(bytes, 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(data.length).toBeGreaterThan(0);
    expect(output?.includes(data)).toBe(true);
  });
});
