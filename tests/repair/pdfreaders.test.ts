import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readWithPdfium } from '@/lib/repair/readers/pdf/pdfium';
import { readWithPdfjs } from '@/lib/repair/readers/pdf/pdfjs';
import { readLimits } from '@/lib/repair/readers/pdf/reading';
import { Deadline } from '@/lib/repair/report';
import { withChildren } from './support/children';
import { harbour, onePage, pdfOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

const page = pdfOf(onePage(harbour));
const deadline = (milliseconds = 30_000) => new Deadline(milliseconds, Date.now);

/** The readers as a program that has just started finds them. */
async function freshReaders(milliseconds?: number) {
  vi.resetModules();
  const { PdfReaders } = await import('@/lib/repair/readers/pdf');
  return new PdfReaders(deadline(milliseconds));
}

describe('readers of PDFs in processes of their own', () => {
  withChildren();

  it('see what they see in the same process', async () => {
    const readers = await freshReaders();
    expect(readers.areBeside).toBe(true);
    const [first, second] = await Promise.all([
      readers.pdfium(page, readLimits.pdfium),
      readers.pdfjs(page, readLimits.pdfjs),
    ]);
    expect(first).toEqual(await readWithPdfium(page, readLimits.pdfium, deadline()));
    expect(second).toEqual(await readWithPdfjs(page, readLimits.pdfjs, deadline()));
    expect(first?.words).toBeGreaterThan(5);
    expect(await readers.showsAnything(page)).toBe(true);
  });

  it('keep no program from its end when nobody waits for them', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length;
    const before = ports();
    const readers = await freshReaders();
    await Promise.all([readers.pdfium(page, readLimits.pdfium), readers.pdfjs(page, readLimits.pdfjs)]);
    expect(ports()).toBe(before);
  });

  it('leave what nobody waits for, and read again', async () => {
    const readers = await freshReaders();
    const first = readers.pdfjs(page, readLimits.pdfjs);
    readers.leavePdfjs();
    expect(await first).toBeNull();
    expect((await readers.pdfjs(page, readLimits.pdfjs))?.pages).toBe(1);
  });

  it('are not taken from another file by one that leaves them', async () => {
    vi.resetModules();
    const { PdfReaders } = await import('@/lib/repair/readers/pdf');
    const [one, other] = [new PdfReaders(deadline()), new PdfReaders(deadline())];
    const [left, kept] = [one.pdfjs(page, readLimits.pdfjs), other.pdfjs(page, readLimits.pdfjs)];
    one.leavePdfjs();
    expect((await kept)?.pages).toBe(1);
    await left;
  });

  it('work for a repair from its beginning to its end', async () => {
    const { report } = await repairBytes(Buffer.concat([Buffer.from('junk before\n'), page]), 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'pages', count: 1 });
  });
});

describe('a reader that a file takes down', () => {
  let folder = '';
  const program = async (source: string) => {
    await writeFile(join(folder, 'child.mjs'), source);
    vi.stubEnv('MENDARA_PDF_CHILD', join(folder, 'child.mjs'));
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mendara-readers-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('costs that reading alone when it never comes to an end', async () => {
    await program(`process.on('message', () => { for (;;); });`);
    const readers = await freshReaders(50);
    expect(await readers.pdfium(page, readLimits.pdfium)).toBeNull();
  });

  it('is no reason to call a sound file damaged', async () => {
    await program(`process.on('message', () => { for (;;); });`);
    vi.resetModules();
    const { repairBytes: repair } = await import('./support/run');
    const { report, output } = await repair(page, 'letter.pdf', { limits: { milliseconds: 400 } });
    expect(report.verdict).toBe('unrepairable');
    expect(report.found).toEqual([]);
    expect(report.summary).toContain('in the time and memory it may take');
    expect(output).toBeNull();
  });

  it('costs that reading alone when it breaks or goes down', async () => {
    await program(`process.on('message', () => { throw new Error('broken'); });`);
    const readers = await freshReaders();
    expect(await readers.pdfium(page, readLimits.pdfium)).toBeNull();
    await program(`process.on('message', () => process.abort());`);
    const others = await freshReaders();
    expect(await others.pdfjs(page, readLimits.pdfjs)).toBeNull();
  });
});

describe('pdf.js', () => {
  it.runIf(process.platform === 'linux')('is loaded without a native library to draw with', async () => {
    await readWithPdfjs(page, readLimits.pdfjs, deadline());
    expect(readFileSync('/proc/self/maps', 'latin1')).not.toMatch(/skia|napi-rs/);
  });
});

describe('long documents', () => {
  // Forty times the same words on each page, so that a book is soon as long as what is read of it.
  const line = '(the quick brown fox jumps over the lazy dog again) Tj 0 -12 Td';
  const words = `BT /F1 9 Tf 20 760 Td ${`${line} `.repeat(40)}ET`;
  const pages = 240;
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`).join(' ');
  const book = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids}]/Resources<</Font<</F1 ${pages + 3} 0 R>>>>/MediaBox[0 0 600 800]>>`,
    ...Array.from({ length: pages }, () => `<</Type/Page/Parent 2 0 R/Contents ${pages + 4} 0 R>>`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Length ${words.length}>>stream\n${words}\nendstream`,
  ]);

  it('are read until there are words enough, and said to be', async () => {
    const reading = await readWithPdfium(book, readLimits.pdfium, deadline());
    expect(reading.pages).toBe(pages);
    expect(reading.texts).toBe(Math.ceil(readLimits.pdfium.words / 400));
    const { report } = await repairBytes(book, 'book.pdf');
    expect(report.verdict).toBe('healthy');
    expect(report.kept).toContainEqual({
      unit: 'words',
      count: reading.words,
      detail: `on the first ${reading.texts} pages`,
    });
  });

  it('are compared on the same pages before and after', async () => {
    const damaged = Buffer.concat([Buffer.from('junk before\n'), book]);
    const { report } = await repairBytes(damaged, 'book.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.kept[1]).toMatchObject({ unit: 'words', detail: 'on the first 100 pages' });
  });
});
