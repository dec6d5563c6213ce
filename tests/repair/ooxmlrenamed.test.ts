import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { mendNames } from '../../lib/repair/formats/ooxml/renamed';
import { repairBytes } from './support/run';

const original = (name: string) => unzipSync(gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`)));
const utf8 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

const [letter, slides, table] = ['docx-letter.docx', 'pptxgenjs-slides.pptx', 'libreoffice-table.xlsx'] as const;
const [text, slide] = ['word/document.xml', 'ppt/slides/slide1.xml'] as const;

/** An element with its beginning and its end called something else. */
const renamed: [string, string, RegExp, string][] = [
  [letter, text, /<w:p((?: [^>]*[^/])?)>((?:(?!<w:p[ >]).)*?)<\/w:p>/s, '<w:pq$1>$2</w:pq>'],
  [letter, text, /<w:r((?: [^>]*)?)>((?:(?!<w:r[ >]).)*?)<\/w:r>/s, '<w:s$1>$2</w:s>'],
  [letter, text, /<w:t((?: [^>]*)?)>([^<]+)<\/w:t>/, '<w:tt$1>$2</w:tt>'],
  [letter, text, /<w:t((?: [^>]*)?)>([^<]+)<\/w:t>/, '<w14:t$1>$2</w14:t>'],
  [letter, text, /<w:body>(.*)<\/w:body>/s, '<w:bofy>$1</w:bofy>'],
  [slides, slide, /<a:p>(.*?)<\/a:p>/s, '<a:q>$1</a:q>'],
  [slides, slide, /<a:r>(.*?)<\/a:r>/s, '<a:s>$1</a:s>'],
  [slides, slide, /<a:t>([^<]+)<\/a:t>/, '<a:tt>$1</a:tt>'],
  [slides, slide, /<p:spTree>(.*)<\/p:spTree>/s, '<p:spTref>$1</p:spTref>'],
  [table, 'xl/worksheets/sheet1.xml', /<c( [^>]*[^/])>(.*?)<\/c>/s, '<d$1>$2</d>'],
  [table, 'xl/worksheets/sheet1.xml', /<v>([^<]+)<\/v>/, '<w>$1</w>'],
  [table, 'xl/sharedStrings.xml', /<si>(.*?)<\/si>/s, '<sj>$1</sj>'],
  [table, 'xl/sharedStrings.xml', /<t( [^>]*)?>([^<]+)<\/t>/, '<tu$1>$2</tu>'],
];

it.each(renamed)('gives an element of %s, %s, the name that what it holds tells: %s', async (name, part, from, to) => {
  const parts = original(name);
  const before = utf8(parts[part]);
  expect(before).toMatch(from);
  const damaged = { ...parts, [part]: Buffer.from(before.replace(from, to)) };
  const { report, output } = await repairBytes(Buffer.from(zipSync(damaged)), name);
  expect(report.verdict, report.summary).toBe('repaired');
  expect(utf8(unzipSync(output ?? Buffer.alloc(0))[part])).toBe(before);
});

it.each([
  [
    letter,
    text,
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/',
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingmm/',
  ],
  [
    slides,
    slide,
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/',
    'xmlns:a="http://schemas.openxmlformats.org/drawinfml/',
  ],
  [slides, slide, 'xmlns:r="http://schemas.openxmlformats.org/', 'xmlns:r="http://schemas.openxmlformatr.org/'],
])('gives a namespace of %s, %s, its letters back: %s', async (name, part, from, to) => {
  const parts = original(name);
  const before = utf8(parts[part]);
  expect(before).toContain(from);
  const damaged = { ...parts, [part]: Buffer.from(before.replace(from, to)) };
  const { report, output } = await repairBytes(Buffer.from(zipSync(damaged)), name);
  expect(report.verdict, report.summary).toBe('repaired');
  expect(utf8(unzipSync(output ?? Buffer.alloc(0))[part])).toBe(before);
});

it('leaves a namespace alone that is another one', async () => {
  const parts = original(slides);
  const other = utf8(parts[slide]).replace(
    '<p:sld ',
    '<p:sld xmlns:c="urn:schemas-of-nobody" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/chart" ',
  );
  const { report } = await repairBytes(Buffer.from(zipSync({ ...parts, [slide]: Buffer.from(other) })), slides);
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});

/** A part with this content, in the namespace of the standard or in another. */
const document = (content: string, namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main') =>
  Buffer.from(`<w:document xmlns:w="${namespace}">${content}</w:document>`);

it('leaves elements alone that it does not know by what they hold', () => {
  const body = '<w:pPr/><w:r><w:rPr/><w:odd> </w:odd><w:sym w:char="F0"/><w:fldChar>\n</w:fldChar></w:r>';
  const others = '<w:ins><w:r><w:t>a</w:t></w:r></w:ins><w:new><w:t>b</w:t></w:new>';
  expect(mendNames(text, document(`<w:body><w:p>${body}</w:p>${others}</w:body>`))).toBeNull();
  expect(mendNames(text, document('<!-- <w:r> --><w:body/>'))).toBeNull();
});

it('leaves those of another vocabulary alone, as drafts before the standard had them', () => {
  const content = '<w:body><w:para><w:r><w:t>a</w:t></w:r></w:para></w:body>';
  expect(mendNames(text, document(content))?.count).toBe(1);
  expect(mendNames(text, document(content, 'http://purl.oclc.org/ooxml/wordprocessingml/main'))?.count).toBe(1);
  expect(mendNames(text, document(content, 'http://schemas.microsoft.com/office/word/2006/2'))).toBeNull();
});
