import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { setQuotes } from '../../lib/repair/formats/ooxml/quotes';
import { repairBytes } from './support/run';

const part = 'word/document.xml';
const letter = unzipSync(gunzipSync(readFileSync('tests/repair/fixtures/docx-letter.docx.gz')));
const text = Buffer.from(letter[part] ?? []).toString('utf8');

/** The letter with its text changed, as it is handed out. */
async function repaired(from: RegExp, to: string) {
  expect(text).toMatch(from);
  const { report, output } = await repairBytes(
    Buffer.from(zipSync({ ...letter, [part]: Buffer.from(text.replace(from, to)) })),
    'letter.docx',
  );
  return { report, xml: Buffer.from(unzipSync(output ?? Buffer.alloc(0))[part] ?? []).toString('utf8') };
}

const body = (xml: string) => xml.slice(xml.indexOf('<w:body>'));

it.each([
  ['behind a value', '<w:t xml:space="preserve>'],
  ['before a value', '<w:t xml:space=preserve">'],
])('sets a quote that is lost %s, so that all words come back', async (_, tag) => {
  const { report, xml } = await repaired(/<w:t xml:space="preserve">/, tag);
  expect(report.verdict, report.summary).toBe('repaired');
  expect(body(xml)).toBe(body(text));
});

it('tells where nothing says what the value was, and what had to be left out', async () => {
  const [unique, told] = ['<w:p w:rsidP="0F9E8D7C w:rsidR="0A1B2C3D">', '<w:t xml:space=preserve>'];
  const doubtful = await repaired(/<w:p>/, unique);
  expect(doubtful.report.verdict, doubtful.report.summary).toBe('partly');
  expect(doubtful.report.lost.map(({ detail }) => detail).join()).toContain('some characters may differ');
  expect(doubtful.xml).toContain('<w:p w:rsidP="0F9E8D7C" w:rsidR="0A1B2C3D">');
  const dropped = await repaired(/<w:t xml:space="preserve">/, told);
  expect(dropped.report.verdict, dropped.report.summary).toBe('partly');
});

it.each([
  ['<a b="1 c="2"/><d b="1"/>', '<a b="1" c="2"/><d b="1"/>', 0],
  ['<a b=1" c="2"/><d b="1"/>', '<a b="1" c="2"/><d b="1"/>', 0],
  ['<a b="Times New Roman/><d b="Times New Roman"/>', '<a b="Times New Roman"/><d b="Times New Roman"/>', 0],
  ['<a b="12 c="2"/><d b="12"/><d b="1"/>', '<a b="12" c="2"/><d b="12"/><d b="1"/>', 1],
  ['<a b="1 c=2"/>', '<a b="1 c=2"/>', 0],
  ['<a b=1 c=2/>', '<a b=1 c=2/>', 0],
  ['<a b="1>2"/> 3 = "4 <b/>', '<a b="1>2"/> 3 = "4 <b/>', 0],
])('sets one quote in a tag: %s', (from, xml, doubtful) => {
  expect(setQuotes(from)).toEqual({ xml, doubtful });
});
