import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

/** A page that is encrypted for a reader's password, which may be empty; each object on its own, or bundled. */
async function encrypted(userPassword: string, bundled = false): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage().drawText('The harbour lights went out one after another', { x: 50, y: 500, font });
  document.encrypt({ userPassword, ownerPassword: 'captain' });
  return Buffer.from(await document.save({ useObjectStreams: bundled }));
}

const withoutEnd = (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf('startxref'));

describe('an encrypted PDF', () => {
  it('that opens without a password is healthy, and said to be encrypted', async () => {
    const { report } = await repairBytes(await encrypted(''), 'letter.pdf');
    expect(report.verdict).toBe('healthy');
    expect(report.notes.join(' ')).toContain('encrypted but opens without a password');
  });

  it('that asks for a password is healthy too', async () => {
    const { report } = await repairBytes(await encrypted('secret'), 'letter.pdf');
    expect(report.verdict).toBe('healthy');
    expect(report.notes.join(' ')).toContain('asks for a password');
  });

  it('whose table calls an object free that is in use gets it back', async () => {
    const whole = (await encrypted('')).toString('latin1');
    const key = /(\d+) 0 obj\s*<<[^>]*\/Filter\s*\/Standard/.exec(whole)?.[1] ?? '';
    const page = /\/Kids \[ ?(\d+) 0 R/.exec(whole)?.[1] ?? '';
    for (const number of [key, page]) {
      const place = whole.search(new RegExp(`\\b${number} 0 obj`));
      const entry = `${String(place).padStart(10, '0')} 00000 n`;
      expect(whole).toContain(entry);
      for (const free of [entry.replace('n', 'f'), '0000000000 65535 f']) {
        const damaged = Buffer.from(whole.replace(entry, free), 'latin1');
        const { report, output } = await repairBytes(damaged, 'letter.pdf');
        expect(report.verdict, `${number} ${report.summary}`).toBe('repaired');
        const again = await repairBytes(output ?? Buffer.alloc(0), 'letter.pdf');
        expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
      }
    }
  });

  it('is told by its data where nothing says so any more, and no noise of it is handed out', async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 0; page < 24; page++) document.addPage().drawText('The harbour lights', { x: 50, y: 500, font });
    document.encrypt({ userPassword: '', ownerPassword: 'captain' });
    const whole = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
    const bad = whole.slice(0, whole.lastIndexOf(' obj', whole.search(/\/Filter\s*\/Standard/)));
    const { report, output } = await repairBytes(Buffer.from(bad, 'latin1'), 'letter.pdf');
    expect([report.verdict, output]).toEqual(['unrepairable', null]);
    expect(report.summary).toContain('encrypted');
  });

  it('gets back its table, and the catalogue when that is lost', async () => {
    const whole = await encrypted('');
    expect((await repairBytes(withoutEnd(whole), 'letter.pdf')).report.verdict).toBe('repaired');
    const wiped = Buffer.from(
      withoutEnd(whole).toString('latin1').replace('/Catalog', '/Cxxxxxx').replace('/Pages ', '/Pxxxx '),
      'latin1',
    );
    const { report } = await repairBytes(wiped, 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.kept).toContainEqual(expect.objectContaining({ unit: 'words', count: 8 }));
  });

  it('is not handed out when no password lets the repair be checked, and the words say so', async () => {
    const { report, output } = await repairBytes(withoutEnd(await encrypted('secret')), 'letter.pdf');
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('asks for a password');
    expect(output).toBeNull();
  });

  it('is known to be encrypted without its trailer, and not taken for damaged streams', async () => {
    const whole = await encrypted('secret');
    const { report } = await repairBytes(whole.subarray(0, whole.lastIndexOf('xref\n0')), 'letter.pdf');
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('asks for a password');
    expect(report.steps.map(({ name }) => name)).not.toContain('Read on');
  });
});

/** Two pages of text that open without a password, each locked another way (qpdf). */
const locked = (how: string) => readFileSync(join(process.cwd(), 'tests/repair/fixtures', `pdf-locked-${how}.pdf`));

/** A copy with one wrong bit in the middle of the longest stream that is no bundle. */
function withWrongBit(whole: Buffer): Buffer {
  const wrong = Buffer.from(whole);
  let [longest, middle] = [0, 0];
  for (let at = wrong.indexOf('stream\n'); at >= 0; ) {
    const end = wrong.indexOf('endstream', at);
    const isBundle = wrong.toString('latin1', wrong.lastIndexOf(' obj', at), at).includes('/ObjStm');
    if (!isBundle && end - at > longest) [longest, middle] = [end - at, (at + end) >> 1];
    at = wrong.indexOf('stream\n', end + 'endstream'.length);
  }
  wrong[middle] = (wrong[middle] ?? 0) ^ 16;
  return wrong;
}

describe.each(['rc4-40', 'rc4-128', 'aes-128', 'aes-256'])('a PDF locked by %s, without a password', (how) => {
  it('is looked into, and healthy where its streams are', async () => {
    const { report } = await repairBytes(locked(how), 'letter.pdf');
    expect(report.verdict).toBe('healthy');
    expect(report.notes.join(' ')).toContain('It stays encrypted.');
  });

  it('is not called healthy with a wrong bit in its text', async () => {
    const { report } = await repairBytes(withWrongBit(locked(how)), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'streams', count: 1 }));
  });
});

describe('a locked PDF', () => {
  it('that lost an object is not called repaired', async () => {
    const whole = locked('aes-256');
    const font = whole.lastIndexOf('obj', whole.indexOf('/BaseFont')) - ' 0 '.length;
    const without = Buffer.from(whole).fill(0, font - 1, whole.indexOf('endobj', font) + 'endobj'.length);
    const { report } = await repairBytes(without, 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'objects' }));
  });

  it('is kept as it is where what leads to its pages is locked too and a reader finds them', async () => {
    const { report, output } = await repairBytes(withWrongBit(locked('bundled')), 'letter.pdf');
    expect(report).toMatchObject({ verdict: 'unrepairable', reason: 'reads-best-as-is' });
    expect(output).toBeNull();
  });
});
