import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { repairBytes } from './support/run';

const parts = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/docx-letter.docx.gz')));
const utf8 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const [main, notes] = ['word/document.xml', 'word/footnotes.xml'];

/** The letter with a mark of a footnote in its first paragraph, and a footnote of this number in the part of all. */
function marked(note: string): Buffer {
  const text = utf8(parts[main]).replace('</w:p>', '<w:r><w:footnoteReference w:id="77"/></w:r></w:p>');
  const added = `${note}</w:footnotes>`;
  return Buffer.from(
    zipSync({
      ...parts,
      [main]: Buffer.from(text),
      [notes]: Buffer.from(utf8(parts[notes]).replace('</w:footnotes>', added)),
    }),
  );
}

const body = '<w:p><w:r><w:t>Seen from the pier</w:t></w:r></w:p>';

it('a text with the mark of a note that is gone is not sound, and opens with an empty one', async () => {
  const { report, output } = await repairBytes(marked(`<w:footnote w:id="78">${body}</w:footnote>`), 'a.docx');
  expect(report.verdict, report.summary).toBe('partly');
  expect(report.found.map(({ detail }) => detail).join()).toContain('1 mark in the text is of comments or notes');
  expect(report.lost).toMatchObject([{ unit: 'notes', count: 1 }]);
  expect(utf8(unzipSync(output ?? new Uint8Array())[notes])).toContain('<w:footnote w:id="77"><w:p/></w:footnote>');
  expect((await repairBytes(output ?? Buffer.alloc(0), 'a.docx')).report.verdict).toBe('healthy');
});

it('a text with marks of notes that are there is sound', async () => {
  const { report } = await repairBytes(marked(`<w:footnote w:id="77">${body}</w:footnote>`), 'a.docx');
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});
