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
