import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isPlainXml } from '../../lib/repair/formats/ooxml/plain';
import { xmlFault } from '../../lib/repair/formats/ooxml/wellformed';
import { randomFrom } from './support/random';

const partsOf = (name: string) =>
  Object.entries(unzipSync(gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`))))
    .filter(([path]) => /\.(?:xml|rels)$/.test(path))
    .map(([, data]) => Buffer.from(data));
const parts = ['libreoffice-letter.docx', 'sheetjs-table.xlsx', 'pptxgenjs-slides.pptx'].flatMap(partsOf);
const isPlain = (text: string) => isPlainXml(Buffer.from(text), 256);

describe('XML of the plain kind', () => {
  it('is what office programs write', () => {
    expect(parts.filter((part) => isPlainXml(part, 256))).toHaveLength(60);
    expect(parts).toHaveLength(60);
  });

  it('is never taken for whole where a parser finds a fault', () => {
    const random = randomFrom(17);
    const pick = (count: number) => Math.floor(random() * count);
    const pieces = [
      '<',
      '>',
      '"',
      '&',
      '&amp;',
      '&#1;',
      ' ',
      ']]>',
      '/',
      ':',
      '=',
      '\u0001',
      '\uffff',
      'xmlns:a=""',
      '<b>',
    ];
    let whole = 0;
    for (let turn = 0; turn < 4000; turn++) {
      const part = parts[pick(parts.length)] ?? Buffer.alloc(0);
      const text = part.subarray(0, 6000).toString('utf8');
      const at = pick(text.length);
      const changed = text.slice(0, at) + pieces[pick(pieces.length)] + text.slice(at + pick(3));
      if (!isPlain(changed)) continue;
      whole++;
      expect(xmlFault(changed, 256)).toBeNull();
    }
    expect(whole).toBe(813);
  });

  it.each([
    '<a><b></a></b>',
    '<a/><a/>',
    '<a>',
    '<a b="1" b="2"/>',
    '<n:a/>',
    '<a n:b="1"/>',
    '<a><b xmlns:n="u"/><n:c/></a>',
    '<a xmlns:n="u" xmlns:m="u" n:b="1" m:b="2"/>',
    '<a b=1/>',
    '<a b="<"/>',
    '<a>&nbsp;</a>',
    '<a>&#xd800;</a>',
    '<a>]]></a>',
    'text',
    '',
  ])('leaves to a parser: %s', (text) => {
    expect(isPlain(text)).toBe(false);
  });

  it('leaves to a parser what is nested too deep', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(isPlainXml(Buffer.from(nested(20)), 20)).toBe(true);
    expect(isPlainXml(Buffer.from(nested(21)), 20)).toBe(false);
  });
});
