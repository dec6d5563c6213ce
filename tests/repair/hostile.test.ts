import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { decodeLzw } from '../../lib/repair/codecs/lzw/decode';
import { harbour, onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

/** Milliseconds after which what never comes to an end is told from a busy machine. */
const endless = 300_000;

describe('PDFs made to keep a reader busy', () => {
  it('refuses forms that draw each other without end, but not those that only name themselves', {
    timeout: endless,
  }, async () => {
    const form = (content: string) =>
      streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>');
    const page = (content: string) => pdfOf(onePage(`${harbour} /X Do`, '/XObject<</X 6 0 R>>', [form(content)]));
    const endless = await repairBytes(page('/X Do /X Do'), 'a.pdf');
    expect(endless.report.verdict).toBe('unrepairable');
    expect(endless.report.summary).toContain('more often than this tool follows');
    const named = await repairBytes(page('0 0 5 5 re f'), 'a.pdf');
    expect(named.report.verdict).toBe('healthy');
  });

  it.each([
    ['strings that never end', '1 0 obj ('],
    ['dictionaries that never end', '1 0 obj <</A '],
    ['data that never ends', '1 0 obj<</Length 5>>stream\n'],
  ])('comes to an end with %s', { timeout: endless }, async (_, piece) => {
    const { report } = await repairBytes(Buffer.from(`%PDF-1.4\n${piece.repeat(100_000)}`), 'a.pdf');
    expect(report.verdict).toBe('unrepairable');
  });

  it('reads content that a page names again and again only once, and lists of any length', {
    timeout: endless,
  }, async () => {
    const bodies = onePage(harbour, '', [`[${'7 0 R '.repeat(200_000)}]`]);
    bodies[2] = (bodies[2] ?? '')
      .replace('/Contents 5 0 R', `/Contents[${'5 0 R '.repeat(3000)}]`)
      .replace('/F1 4', '/F1 8');
    const { report } = await repairBytes(pdfOf(bodies).subarray(0, -60), 'a.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.notes.join(' ')).not.toContain('RangeError');
  });
});

it('follows a list of more entries than a call takes arguments in a sound PDF', async () => {
  const bodies = onePage(harbour, '', [`[${'4 0 R '.repeat(300_000)}]`]);
  bodies[0] = (bodies[0] ?? '').replace('/Type/Catalog', '/Type/Catalog/PieceInfo 6 0 R');
  const { report } = await repairBytes(pdfOf(bodies), 'a.pdf');
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});

it('opens a TIFF that lists more strips than a call takes arguments', async () => {
  const [rows, listed] = [64, 300_000];
  const entries = [
    [256, 3, 1, 64],
    [257, 3, 1, rows],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, listed, 200 + listed * 4],
    [277, 3, 1, 1],
    [278, 3, 1, 1],
    [279, 4, listed, 200],
  ] as const;
  const bytes = Buffer.alloc(200 + listed * 8 + rows * 64);
  bytes.write('49492a0008000000', 'hex');
  bytes.writeUInt16LE(entries.length, 8);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  for (let row = 0; row < listed; row++) {
    bytes.writeUInt32LE(64, 200 + row * 4);
    bytes.writeUInt32LE(200 + listed * 8 + (row % rows) * 64, 200 + (listed + row) * 4);
  }
  for (let at = 0; at < rows * 64; at++) bytes[200 + listed * 8 + at] = (at % 64) * 3 + (at >> 6);
  const { report } = await repairBytes(bytes, 'a.tif');
  expect(report.verdict, JSON.stringify(report.notes)).not.toBe('unrepairable');
});

it('sets no more aside for a small LZW strip than it may need', () => {
  expect(decodeLzw(Buffer.from('80101010', 'hex'), 0, 1 << 20).data.buffer.byteLength).toBeLessThan(1 << 14);
});

describe('office files made to keep a reader busy', () => {
  const letter = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/docx-letter.docx.gz')));

  it('refuses a list of parts that leads to one place again and again', { timeout: endless }, async () => {
    const many: Record<string, Uint8Array> = { ...letter };
    for (let index = 0; index < 1000; index++) many[`word/a${index}.xml`] = strToU8('<a/>');
    const bytes = Buffer.from(zipSync(many, { level: 0 }));
    const first = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    for (let at = first; at >= 0; at = bytes.indexOf('PK\x01\x02', at + 46, 'latin1'))
      if (bytes.toString('latin1', at + 46, at + 52) === 'word/a') bytes.writeUInt32LE(9, at + 42);
    const { report } = await repairBytes(bytes, 'a.docx');
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('again and again');
  });

  it('gets through a hundred thousand links', { timeout: endless }, async () => {
    const path = 'word/_rels/document.xml.rels';
    const link = (index: number) =>
      `<Relationship Id="x${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="http://a/${index}" TargetMode="External"/>`;
    const links = Array.from({ length: 100_000 }, (_, index) => link(index)).join('');
    const xml = strFromU8(letter[path] ?? new Uint8Array()).replace('</Relationships>', `${links}</Relationships>`);
    const { report } = await repairBytes(Buffer.from(zipSync({ ...letter, [path]: strToU8(xml) })), 'a.docx');
    expect(report.verdict).toBe('healthy');
  });

  it('says that links are lost when nothing tells where they led to', async () => {
    const path = 'word/document.xml';
    const xml = strFromU8(letter[path] ?? new Uint8Array()).replace(
      '<w:p>',
      '<w:p><w:hyperlink r:id="rId77"><w:r><w:t>a link</w:t></w:r></w:hyperlink>',
    );
    const { report } = await repairBytes(Buffer.from(zipSync({ ...letter, [path]: strToU8(xml) })), 'a.docx');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'links', count: 1 }));
  });

  it('closes elements of a damaged part that lost so many ends that they seem to nest without one', async () => {
    const path = 'word/document.xml';
    const xml = strFromU8(letter[path] ?? new Uint8Array());
    const open = '<w:p><w:r><w:t>Harbour lights</w:t></w:r>'.repeat(400);
    const text = xml.replace(/(<w:body>).*(<\/w:body>)/s, (_, head: string, end: string) => `${head}${open}${end}`);
    const bytes = Buffer.from(zipSync({ ...letter, [path]: strToU8(text) }));
    // Both check sums of the part are wrong, so that it counts as damaged.
    for (let at = bytes.indexOf(path); at >= 0; at = bytes.indexOf(path, at + 1))
      bytes.writeUInt32LE(7, at - (bytes.readUInt32LE(at - 30) === 0x04034b50 ? 16 : 30));
    const { report } = await repairBytes(bytes, 'a.docx');
    expect(report.verdict).toBe('partly');
    expect(report.kept.find(({ unit }) => unit === 'words')?.count).toBe(802);
  });
});
