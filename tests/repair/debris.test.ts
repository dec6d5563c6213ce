import { describe, expect, it } from 'vitest';
import { withoutDebris } from '../../lib/repair/formats/ooxml/debris';
import { learnGrammar, shellFor } from '../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';

const prefixes = new Map([['w', 1]]);

describe('debris of markup behind damage', () => {
  it('is no text, while signs that people write are', () => {
    expect(withoutDebris('river w:val="2" stone', prefixes).split(/\s+/)).toEqual(['river', 'stone']);
    expect(withoutDebris('pepperw:tblW ember', prefixes).trim()).toBe('ember');
    expect(withoutDebris('rsidR="00A1"/>harbour', prefixes).trim()).toBe('harbour');
    expect(withoutDebris('at 12:30: a = b, see http://a.example/', prefixes)).toBe(
      'at 12:30: a = b, see http://a.example/',
    );
  });

  it('is left out where a part was damaged before it, and stays where none was', () => {
    const mend = (body: string) =>
      mendXml(
        `<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
        256,
        learnGrammar([]),
        shellFor('word/document.xml'),
      ).xml;
    const text = '<w:p><w:r><w:t>set w:val="1" here</w:t></w:r></w:p>';
    expect(mend(text)).toContain('set w:val="1" here');
    expect(mend(`<w:p><w:r></w:q></w:r></w:p>${text}`)).not.toContain('w:val');
  });
});
