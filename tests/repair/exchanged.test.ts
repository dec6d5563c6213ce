import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { undoExchanges } from '../../lib/repair/formats/ooxml/exchanged';
import { Deadline, Effort } from '../../lib/repair/report';
import { Prose } from './bench/speed/prose';
import { exchanged } from './support/exchanged';
import { originals } from './support/originals';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

const all = await originals();

/** A document of a format with so many paragraphs of prose. */
function documentOf(format: 'docx' | 'odt', paragraphs: number): Buffer {
  const parts = unzipSync(all.find((one) => one.format === format)?.bytes ?? Buffer.alloc(0));
  const path = format === 'docx' ? 'word/document.xml' : 'content.xml';
  const [open, close] = format === 'docx' ? ['<w:p><w:r><w:t>', '</w:t></w:r></w:p>'] : ['<text:p>', '</text:p>'];
  const prose = new Prose(11);
  const body = Array.from({ length: paragraphs }, () => `${open}${prose.sentence()} ${prose.sentence()}${close}`);
  const text = Buffer.from(parts[path] ?? []).toString();
  const at = text.indexOf(format === 'docx' ? '<w:p>' : '<text:p');
  return Buffer.from(zipSync({ ...parts, [path]: Buffer.from(text.slice(0, at) + body.join('') + text.slice(at)) }));
}

const docx = documentOf('docx', 1500);
const odt = documentOf('odt', 1500);

describe('pieces of a package that stand in each other’s place', () => {
  it.each([
    ['clusters', docx, [[3, 12]], 4096],
    ['clusters side by side', docx, [[5, 6]], 4096],
    ['sectors', docx, [[31, 77]], 512],
    [
      'many',
      docx,
      [
        [2, 9],
        [4, 13],
        [9, 5],
        [7, 11],
      ],
      4096,
    ],
    ['larger ones', docx, [[1, 2]], 16_384],
    ['that with the header of a part', docx, [[0, 8]], 4096],
    [
      'in an OpenDocument text',
      odt,
      [
        [13, 20],
        [14, 18],
      ],
      4096,
    ],
  ] as const)('are put back: %s', async (_, whole, pairs, size) => {
    const format = whole === odt ? 'odt' : 'docx';
    expect(whole.length).toBeGreaterThan(60_000);
    const { report, output } = await repairBytes(exchanged(whole, pairs, size), `a.${format}`);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.steps.map(({ name }) => name)).toContain('Put pieces back');
    expect(report.found.some(({ detail }) => detail.includes('each other’s place'))).toBe(true);
    expect(unzipSync(output ?? Buffer.alloc(0))).toEqual(unzipSync(whole));
  });

  it('are none where something else was written over', async () => {
    const other = Buffer.from(docx);
    randomBytes(randomFrom(5), 4096).copy(other, 5 * 4096);
    const { report } = await repairBytes(other, 'a.docx');
    expect(report.verdict).toBe('partly');
    expect(report.steps.map(({ name }) => name)).not.toContain('Put pieces back');
  });

  it('are looked for with no more effort than is given, also in one endless text', () => {
    const random = randomFrom(9);
    const body = Array.from({ length: 1_500_000 }, () => Math.floor(random() * 1e6).toString(36)).join(' ');
    const parts = { 'word/document.xml': Buffer.from(`<w:document><w:t>${body}</w:t></w:document>`) };
    const bytes = Buffer.from(zipSync(parts));
    const at = Math.floor(bytes.length * 0.9);
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    const all = new Effort(1e6);
    const deadline = new Deadline(1e9, () => 0, all);
    expect(undoExchanges(bytes, (name) => name.endsWith('.xml'), deadline, all.share(200))).toBeNull();
    expect(1e6 - all.left).toBeGreaterThan(100);
    expect(1e6 - all.left).toBeLessThan(300);
  });
});

describe('a package that lost its beginning', () => {
  it('keeps of the part that this cuts what can be read behind', async () => {
    const plain = Buffer.from(zipSync(unzipSync(documentOf('docx', 60)), { level: 0 }));
    const { report } = await repairBytes(plain.subarray(4096), 'a.docx');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found[0]?.detail).toContain('4096 bytes');
    expect(report.kept.find(({ unit }) => unit === 'words')?.count).toBeGreaterThan(200);
  });
});
