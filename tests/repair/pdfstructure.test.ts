import { deflateSync, inflateSync } from 'node:zlib';
import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { scanObjects } from '../../lib/repair/formats/pdf/scan';
import { Deadline, defaultLimits } from '../../lib/repair/report';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A sound PDF of three pages, with a classic table of objects or with one in a stream. */
async function document(useObjectStreams: boolean): Promise<Buffer> {
  const made = await PDFDocument.create();
  const font = await made.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= 3; number++)
    for (let line = 0, page = made.addPage(); line < 20; line++)
      page.drawText(`${number}.${line} The ferry to the island left late again`, {
        x: 40,
        y: 780 - line * 24,
        font,
        size: 11,
      });
  return Buffer.from(await made.save({ useObjectStreams }));
}

/** A sound PDF whose font lists widths for the codes 32 to 126. */
async function withWidths(): Promise<Buffer> {
  const made = await PDFDocument.create();
  const page = made.addPage();
  page.drawText('The ferry to the island left late again', { font: await made.embedFont(StandardFonts.Helvetica) });
  const widths = Array.from({ length: 95 }, (_, index) => 400 + index);
  const font = { Type: 'Font', Subtype: 'TrueType', BaseFont: 'Arial', FirstChar: 32, LastChar: 126, Widths: widths };
  page.node.setFontDictionary(PDFName.of('F9'), made.context.register(made.context.obj(font)));
  return Buffer.from(await made.save({ useObjectStreams: false }));
}

type Change = (match: string) => string;

/** The file with a match replaced by as many bytes. */
function replaced(bytes: Buffer, pattern: RegExp, by: Change): Buffer {
  const text = bytes.toString('latin1');
  expect(text).toMatch(pattern);
  const changed = Buffer.from(text.replace(pattern, by), 'latin1');
  expect(changed.length).toBe(bytes.length);
  return changed;
}

const more = (count: number) => (match: string) => match.replace(/\d+/, (found) => String(Number(found) + count));

/** Structure that readers go by, wrong by a little: what is found, and how much of the document each of them shows by it. */
const wrong: [string, boolean, string, RegExp, Change][] = [
  ['counts fewer pages than it has', false, 'pages', /\/Count 3/, () => '/Count 2'],
  ['counts more pages than it has', false, 'pages', /\/Count 3/, () => '/Count 7'],
  ['lost the number of its pages', false, 'pages', /\/Count 3/, () => '/Counq 3'],
  ['calls an object free', false, 'table', /(?<=\n\d{10} 00000 )n(?= \n\d{10} 00000 n \n)/, () => 'f'],
  [
    'asks for another generation of an object',
    false,
    'reference',
    /\/Pages \d+ 0 R/,
    (it) => it.replace(' 0 R', ' 7 R'),
  ],
  ['calls a page a list of pages', false, 'pages', /\/Type \/Page\n\/Parent/, () => '/Type/Pages\n/Parent'],
  ['calls the content of a page otherwise', false, 'pages', /\/Contents/, () => '/Contenqs'],
  ['has a filter that no reader knows', false, 'stream', /\/FlateDecode/, () => '/FlateDecodu'],
  ['counts more objects in a bundle', true, 'stream', /\/N \d+/, more(1)],
  ['counts fewer objects in a bundle', true, 'stream', /\/N \d+/, more(-1)],
  ['lost the name of a filter', false, 'object', /(?<=\/Filter )\/FlateDecode/, (it) => ' '.repeat(it.length)],
  ['lost the end of what describes a stream', false, 'cut', />>(?=\s*stream)/, () => '\x81\x81'],
  ['does not say where a bundle begins', true, 'stream', /\/First/, () => '/Firsq'],
  ['says that a bundle begins in its list', true, 'stream', /(?<=\/First )\d+/, (it) => '1'.padStart(it.length, '0')],
];

describe('a PDF that', () => {
  it.each(wrong)('%s is mended', async (_, useObjectStreams, kind, pattern, by) => {
    const whole = await document(useObjectStreams);
    const { report, output } = await repairBytes(replaced(whole, pattern, by), 'file.pdf');
    expect(report.found.map((finding) => finding.kind)).toContain(kind);
    expect(['repaired', 'partly']).toContain(report.verdict);
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it.each([
    ['begins', /(?<=\/FirstChar )32/, '\x81\x81', '/FirstChar 32'],
    ['ends', /(?<=\/LastChar )126/, '\x81\x81\x81', '/LastChar 126'],
    ['ends: it is no code', /(?<=\/LastChar )126/, '999', '/LastChar 126'],
    ['ends: it is one before the first', /(?<=\/LastChar )126/, '  3', '/LastChar 126'],
  ])('lost the code with which the widths of a font %s is mended', async (_, pattern, by, lost) => {
    const whole = await withWidths();
    // Only of a damaged document fonts are looked at.
    const hurt = replaced(
      replaced(whole, pattern, () => by),
      /startxref\n\d/,
      (it) => it.replace(/\d/, 'x'),
    );
    const { report, output } = await repairBytes(hurt, 'file.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.steps.map(({ name }) => name)).toContain('Complete fonts');
    expect(Buffer.from(output ?? []).toString('latin1')).toContain(lost);
  });

  it('names the table of objects in the middle of a number is mended', async () => {
    const whole = await document(true);
    const { report, output } = await repairBytes(replaced(whole, /startxref\s+\d+/, more(1)), 'file.pdf');
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('has a comment between the list of a bundle and its first object is sound', async () => {
    const whole = await document(true);
    const at = whole.indexOf('/ObjStm');
    const start = whole.indexOf('stream', at) + 'stream\n'.length;
    const dictionary = whole.toString('latin1', at, start);
    const first = Number(/\/First (\d+)/.exec(dictionary)?.[1]);
    const data = inflateSync(whole.subarray(start, whole.indexOf('endstream', start)), { finishFlush: 2 });
    const comment = '%% Object 1\n';
    const bundle = deflateSync(Buffer.concat([data.subarray(0, first), Buffer.from(comment), data.subarray(first)]));
    const parts = scanObjects(
      Buffer.from(
        `1 0 obj\n<</Type/ObjStm/Filter/FlateDecode/N ${/\/N (\d+)/.exec(dictionary)?.[1]}/First ${first + comment.length}/Length ${bundle.length}>>\nstream\n${bundle.toString('latin1')}\nendstream\nendobj\n`,
        'latin1',
      ),
      defaultLimits,
      new Deadline(60_000, () => 0),
    );
    expect(parts.miscounted).toBe(0);
    expect(parts.unpacked).toBe(Number(/\/N (\d+)/.exec(dictionary)?.[1]));
  });

  it('has a wrong place of an object in a bundle is mended', async () => {
    const whole = await document(true);
    const at = whole.indexOf('stream', whole.indexOf('/XRef')) + 'stream\n'.length;
    const end = whole.indexOf('endstream', at);
    const entries = inflateSync(whole.subarray(at, end), { finishFlush: 2 });
    const text = whole.toString('latin1', whole.indexOf('/XRef') - 200, at);
    const widths = /\/W \[ ?(\d) (\d) (\d)/.exec(text)?.slice(1).map(Number) ?? [];
    const size = widths.reduce((sum, width) => sum + width, 0);
    const row = entries.findIndex((byte, index) => index % size === 0 && byte === 2);
    entries[row + size - 1] = (entries[row + size - 1] ?? 0) ^ 1;
    const packed = deflateSync(entries);
    const bad = Buffer.concat([
      Buffer.from(
        whole.toString('latin1', 0, at).replace(/\/Length \d+(?=[^/]*(?:\/[^L][^/]*)*$)/, `/Length ${packed.length}`),
        'latin1',
      ),
      packed,
      Buffer.from('\n'),
      whole.subarray(end),
    ]);
    const { report, output } = await repairBytes(bad, 'file.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toContain('table');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('leads a page to something that is no content is not healthy', async () => {
    const whole = await document(false);
    const catalogue = /\/Root (\d+) 0 R/.exec(whole.toString('latin1'))?.[1] ?? '';
    const bad = replaced(whole, /\/Contents \[? ?\d+ 0 R ?\]?/, (it) => `/Contents ${catalogue} 0 R`.padEnd(it.length));
    const { report, output } = await repairBytes(bad, 'file.pdf');
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('leads to a page in the stead of the list of pages is mended', async () => {
    const whole = await document(false);
    const page = /\/Kids \[ ?(\d+) 0 R/.exec(whole.toString('latin1'))?.[1] ?? '';
    const bad = replaced(whole, /\/Pages \d+ 0 R/, (it) => it.replace(/\d+/, page));
    const { report, output } = await repairBytes(bad, 'file.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
    const pages = (await PDFDocument.load(output ?? Buffer.alloc(0))).getPages();
    expect(pages).toHaveLength(3);
  });

  it('has a table of objects that calls all of them free is mended', async () => {
    const whole = await document(true);
    const at = whole.indexOf('stream', whole.indexOf('/XRef')) + 'stream\n'.length;
    const end = whole.indexOf('endstream', at);
    const entries = inflateSync(whole.subarray(at, end), { finishFlush: 2 });
    const free = deflateSync(Buffer.alloc(entries.length));
    expect(free.length).toBeLessThan(end - at);
    // What is left of the room is no part of the packed data.
    const room = Buffer.alloc(end - at - free.length, '\n');
    const bad = Buffer.concat([whole.subarray(0, at), free, room, whole.subarray(end)]);
    const { report, output } = await repairBytes(bad, 'file.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('leads a font to something in the stead of its letters gets the table that no font names', async () => {
    const made = await PDFDocument.create();
    const page = made.addPage();
    page.drawText('The ferry to the island left late again', { font: await made.embedFont(StandardFonts.Helvetica) });
    const { context } = made;
    const lines = '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <5a> <0041> endbfrange';
    const table = context.register(context.flateStream(`begincmap ${lines} endcmap`));
    const other = context.register(context.flateStream('A note of the program that wrote this.'));
    const font = (letters: unknown) =>
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier', ToUnicode: letters as never });
    const named = context.register(font(other));
    page.node.setFontDictionary(PDFName.of('F9'), named);
    const bytes = Buffer.from(await made.save({ useObjectStreams: false }));
    const { report, output } = await repairBytes(bytes, 'file.pdf');
    expect(report).toMatchObject({ verdict: 'repaired', found: [{ kind: 'fonts' }] });
    expect(report.steps.map(({ name }) => name)).toContain('Lead fonts to their letters');
    expect(output?.toString('latin1')).toMatch(new RegExp(`/ToUnicode ${table.objectNumber} 0 R`));
    context.delete(table);
    const without = await repairBytes(Buffer.from(await made.save({ useObjectStreams: false })), 'file.pdf');
    expect(without.report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'fonts', count: 1 }] });
    context.assign(table, context.flateStream(`begincmap ${lines} endcmap`));
    context.assign(named, font(table));
    const sound = Buffer.from(await made.save({ useObjectStreams: false }));
    expect((await repairBytes(sound, 'file.pdf')).report.verdict).toBe('healthy');
  });

  it('is encrypted in a way that there is not is not healthy', async () => {
    const whole = await document(false);
    const entry =
      '/Encrypt <</Filter /Standard /V 2 /R 0 /P -4 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012)>>';
    const bad = Buffer.from(
      whole.toString('latin1').replace(/trailer\s*<</, (it) => `${it}\n${entry}\n`),
      'latin1',
    );
    const { report } = await repairBytes(bad, 'file.pdf');
    expect(report.verdict).toBe('unrepairable');
    expect(report.found.map(({ kind }) => kind)).toContain('encryption');
  });

  it('names one page in the stead of another is not healthy', async () => {
    const whole = await document(false);
    const bad = replaced(whole, /\/Kids \[ ?(\d+) 0 R (\d+) 0 R/, (it) =>
      it.replace(/(\d+) 0 R (\d+) 0 R/, '$1 0 R $1 0 R'),
    );
    const { report, output } = await repairBytes(bad, 'file.pdf');
    expect(report.found.map(({ kind }) => kind)).toContain('pages');
    expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('shows a page twice on purpose is sound', async () => {
    const whole = await document(false);
    const bad = Buffer.from(
      whole.toString('latin1').replace(/\/Kids \[ ?(\d+) 0 R (\d+) 0 R (\d+) 0 R/, '/Kids [ $1 0 R $2 0 R $1 0 R'),
      'latin1',
    );
    const third = /\/Kids \[ ?\d+ 0 R \d+ 0 R (\d+) 0 R/.exec(whole.toString('latin1'))?.[1] ?? '';
    const alone = Buffer.from(
      bad.toString('latin1').replace(new RegExp(`(\\n${third} 0 obj\\n<<\\n)/Type /Page\\n`), '$1/Tyqe /Page\n'),
      'latin1',
    );
    expect((await repairBytes(alone, 'file.pdf')).report.found).toEqual([]);
  });
});
