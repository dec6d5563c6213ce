import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeStream } from '../../lib/repair/formats/pdf/filters';
import { noHabits, PdfTextJudge, type TextRole } from '../../lib/repair/formats/pdf/judge';
import { scanObjects } from '../../lib/repair/formats/pdf/scan';
import { entriesOf } from '../../lib/repair/formats/pdf/values';
import { Deadline, defaultLimits } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.pdf.gz`));
const fixtures = ['libreoffice-letter', 'pdfkit-embedded', 'pdfkit-standard'];

/** The file with bits turned in the data of a stream, counted from where it begins. */
function turned(pdf: Buffer, head: string, bits: readonly number[]): Buffer {
  const copy = Buffer.from(pdf);
  const start = pdf.indexOf('stream', pdf.indexOf(head)) + 7;
  for (const bit of bits) copy[start + (bit >> 3)] = (copy[start + (bit >> 3)] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const judge = (text: string, role: TextRole) =>
  new PdfTextJudge(Buffer.from(text), role, noHabits(), 'loose').fault({ at: 0 }, text.length);

describe('judging the text of a PDF stream', () => {
  it('finds no fault with what programs write', () => {
    for (const name of fixtures) {
      const deadline = new Deadline(60_000, Date.now);
      for (const object of scanObjects(original(name), defaultLimits, deadline).objects.values()) {
        if (!object.stream) continue;
        const { data } = decodeStream(object.stream, entriesOf(object.value), {
          maxOutput: 1 << 24,
          deadline,
          resolve: (value) => value,
        });
        if (data.toString('latin1', 0, 4) === 'true') continue;
        const role = data.includes('begincmap') ? 'codes' : 'content';
        expect(new PdfTextJudge(data, role, noHabits(), 'loose').fault({ at: 0 }, data.length), name).toBe(data.length);
      }
    }
  });

  it.each([
    ['BT /F1 12 Tf (a) Tx ET', 'content', 17],
    ['1 0 0 1 72 cm\n', 'content', 11],
    ['q 12.4.5 w\n', 'content', 8],
    ['BT <48656> Tj ET', 'content', 3],
    ['2 beginbfchar\n<01> <0041>\nendbfchar\n', 'codes', 26],
    ['2 beginbfchar\n<02> <0041>\n<01> <0042>\nendbfchar\n', 'codes', 26],
    ['<</A 1>> <</B trve>> ', 'objects', 14],
  ] as const)('sees what is wrong in %j', (text, role, at) => {
    expect(judge(text, role)).toBe(at);
  });
});

describe('a PDF with wrong bits', () => {
  it.each([
    ['pdfkit-standard', '/Length 1578', [4000]],
    ['pdfkit-standard', '/Length 1537', [900, 7000]],
    ['libreoffice-letter', '/Length 490', [2300]],
  ] as const)('of %s in the stream %s is as it was', async (name, head, bits) => {
    const pdf = original(name);
    const { report, output } = await repairBytes(turned(pdf, head, bits), 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.steps.map((step) => step.name)).toContain('Set bits right');
    expect(await scoreAgainst('pdf', pdf, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('in the name that leads to the letters of a font loses no text', async () => {
    const pdf = original('pdfkit-embedded');
    const bad = Buffer.from(pdf);
    const at = bad.indexOf('/ToUnicode') + 4;
    bad[at] = (bad[at] ?? 0) ^ 2;
    bad.fill(0, bad.lastIndexOf('startxref'));
    const { report, output } = await repairBytes(bad, 'letter.pdf');
    expect(report.steps.map((step) => step.name)).toContain('Set names right');
    expect(await scoreAgainst('pdf', pdf, output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('a PDF that lost structure', () => {
  it('gets back a stream whose head is gone', async () => {
    const pdf = original('libreoffice-letter');
    const bad = Buffer.from(pdf);
    randomBytes(randomFrom(4), 64).copy(bad);
    const { report, output } = await repairBytes(bad, 'letter.pdf');
    expect(report.steps.map((step) => step.name)).toContain('Find streams');
    expect(await scoreAgainst('pdf', pdf, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('gets back a page that the list of pages no longer names', async () => {
    const pdf = original('pdfkit-standard');
    const bad = Buffer.from(pdf.toString('latin1').replace('11 0 R 14 0 R', '11!0 R 14 0 R'), 'latin1');
    bad.fill(0, bad.lastIndexOf('startxref'));
    const { output } = await repairBytes(bad, 'letter.pdf');
    expect(await scoreAgainst('pdf', pdf, output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('pages whose description is damaged', () => {
  it('get back the content that no page leads to any more, and are not called whole', async () => {
    const whole = original('pdfkit-standard');
    const page = whole.indexOf('/Contents');
    const end = whole.indexOf('endobj', page);
    const bytes = Buffer.from(whole);
    bytes.fill(' ', page, whole.indexOf('\n', page));
    bytes.fill(' ', end, end + 6);
    const { report, output } = await repairBytes(bytes, 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ detail }) => detail).join(' ')).toContain('lost the entry that leads to the content');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });
});
