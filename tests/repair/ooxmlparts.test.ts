import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { learnGrammar, shellFor } from '../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';
import { textsBeforeDamage } from '../../lib/repair/formats/ooxml/parts';
import { runText } from '../../lib/repair/formats/ooxml/text';
import { repairBytes } from './support/run';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

describe('text whose tags are gone', () => {
  it('stays where its end tag shows that it is one', () => {
    const body = `<w:tbl><w:tr><w:tc><w:tcPr><w:left w:val="do\0\0\0\0lost words</w:t></w:r></w:p><w:p><w:r><w:t>next</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`;
    const xml = `<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`;
    const mended = mendXml(xml, 256, learnGrammar([]), shellFor('word/document.xml'));
    expect(runText(mended.xml).replace(/\s+/g, ' ').trim()).toBe('lost words next');
  });

  it('is not made of what is left of a tag', () => {
    const xml = `<w:document xmlns:w="${main}"><w:body><w:p>\0\0w:val="0"/><w:r><w:t>word</w:t></w:r></w:p></w:body></w:document>`;
    const mended = mendXml(xml, 256, learnGrammar([]), null);
    expect(mended.xml).toContain('<w:t>word</w:t>');
  });
});

describe('shared texts of a workbook', () => {
  it('are counted up to where the table is damaged', () => {
    const head = '<sst count="4" uniqueCount="4"><si><t>one</t></si><si><t>two</t></si>';
    expect(textsBeforeDamage(Buffer.from(`${head}<si><t>th</si></sst>`))).toBe(3);
    expect(textsBeforeDamage(Buffer.from(`${head}<si><t>a${' '.repeat(40)}b</t></si></sst>`))).toBe(3);
  });

  it('keep their numbers when some before them are gone', async () => {
    const parts = unzipSync(original('libreoffice-table.xlsx'));
    const path = 'xl/sharedStrings.xml';
    const xml = Buffer.from(parts[path] ?? []).toString('utf8');
    const items = xml.match(/<si>.*?<\/si>/gs) ?? [];
    const gap = items.slice(4, 7).join('');
    const bytes = Buffer.from(zipSync({ ...parts, [path]: Buffer.from(xml) }, { level: 0 }));
    // Stored parts show damage as it is: three texts become noise of the same length.
    const at = bytes.indexOf(gap);
    bytes.fill('<', at, at + Buffer.byteLength(gap));
    const { output, report } = await repairBytes(bytes, 'table.xlsx');
    const mended = Buffer.from(unzipSync(output ?? Buffer.alloc(0))[path] ?? []).toString('utf8');
    const texts = mended.match(/<si>.*?<\/si>/gs) ?? [];
    expect(report.verdict).toBe('partly');
    expect(texts).toHaveLength(items.length);
    expect(texts.slice(7)).toEqual(items.slice(7));
  });
});

describe('a package whose names of members differ from those that it refers to in capital letters alone', () => {
  /** The workbook with members named in small letters; without its list of members where that is cut off. */
  const lowered = () => {
    const parts = Object.entries(unzipSync(original('libreoffice-table.xlsx')));
    return Buffer.from(zipSync(Object.fromEntries(parts.map(([path, data]) => [path.toLowerCase(), data]))));
  };

  it('is sound', async () => {
    const { report } = await repairBytes(lowered(), 'table.xlsx');
    expect(report.found).toEqual([]);
    expect(report.verdict).toBe('healthy');
    expect(report.notes.join(' ')).toContain('in other capitals');
  });

  it('keeps its texts where it is repaired', async () => {
    const whole = lowered();
    const bad = whole.subarray(0, whole.indexOf('PK\x01\x02', 0, 'latin1'));
    const { report, output } = await repairBytes(bad, 'table.xlsx');
    expect(report).toMatchObject({ verdict: 'repaired', lost: [] });
    expect(Object.keys(unzipSync(output ?? Buffer.alloc(0)))).toContain('xl/sharedStrings.xml');
  });
});

describe('overwritten text of a Word 97 document', () => {
  it.each([
    ['zeroes', () => 0],
    ['noise', (index: number) => (index * 89 + 216) & 255],
  ] as const)('is noticed: %s', async (_, byteAt) => {
    const doc = original('libreoffice-letter.doc');
    const bad = Buffer.from(doc);
    const at = doc.indexOf(Buffer.from('harbour', 'utf16le'));
    const start = at < 0 ? doc.indexOf('harbour') : at;
    for (let index = 0; index < 512; index++) bad[start + index] = byteAt(index);
    expect((await repairBytes(doc, 'letter.doc')).report.verdict).toBe('healthy');
    expect((await repairBytes(bad, 'letter.doc')).report.verdict).toBe('partly');
  });
});
