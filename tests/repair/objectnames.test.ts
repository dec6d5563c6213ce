import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isOf } from '../../lib/repair/formats/matroska/fits';
import { unescapeXml } from '../../lib/repair/formats/ooxml/text';
import type { Source } from '../../lib/repair/video/source';
import { makeDocx, makePdfWithoutTable } from '../support/documents';
import { repairBytes } from './support/run';

/** Names that every plain object answers to. */
const names = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];

function docx(change: (parts: Record<string, Uint8Array>) => void): Buffer {
  const parts = unzipSync(makeDocx(5));
  change(parts);
  return Buffer.from(zipSync(parts));
}

/** The same package with one paragraph's tags gone and others of these names in their place. */
const withElements = (name: string): Buffer =>
  docx((parts) => {
    const text = Buffer.from(parts['word/document.xml'] ?? []).toString();
    parts['word/document.xml'] = strToU8(
      text.replace('<w:sectPr/>', `<${name}>one</w:t></w:r></w:p><${name}:p>two</${name}:q>`),
    );
  });

describe.each(names)('a file that calls something %s', (name) => {
  it('is repaired where an ending of its parts is called so', async () => {
    const bytes = docx((parts) => {
      parts['/word/x.xml'] = strToU8('<x/>');
      parts[`word/a.${name}`] = strToU8('a');
    });
    const { report } = await repairBytes(bytes, 'a.docx');
    expect([report.verdict, report.notes]).toEqual(['repaired', []]);
  });

  it('is repaired where elements and prefixes are', async () => {
    const { report, output } = await repairBytes(withElements(name), 'a.docx');
    expect(report.verdict).toBe('partly');
    expect(Buffer.from(unzipSync(output ?? new Uint8Array())['word/document.xml'] ?? []).toString()).not.toContain(
      'native code',
    );
  });

  it('is repaired where keys, kinds and filters of a PDF are', async () => {
    const cut = (await makePdfWithoutTable()).toString('latin1');
    const extra = `\n90 0 obj <</Type /${name} /${name} /abc /valueOf /def /Filter /${name} /Length 5>> stream\nabcde\nendstream endobj\n`;
    const { report } = await repairBytes(Buffer.from(cut + extra, 'latin1'), 'a.pdf');
    expect(report.verdict).toBe('repaired');
  });

  it('is read as text, and as no codec', () => {
    expect(unescapeXml(`x &${name}; y`)).toBe(`x &${name}; y`);
    const frame = { from: 0, to: 3, time: 0 };
    expect(isOf({} as Source, new Map([[1, [frame, frame]]]), 1, name)).toBeNull();
  });
});
