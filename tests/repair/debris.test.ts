import { describe, expect, it } from 'vitest';
import { measureContent as measureOdf } from '../../lib/repair/formats/odf/content';
import { measureContent } from '../../lib/repair/formats/ooxml/content';
import { withoutDebris } from '../../lib/repair/formats/ooxml/debris';
import { learnGrammar } from '../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';
import { mendBody } from './support/mend-body';

const prefixes = new Map([['w', 1]]);

describe('debris of markup behind damage', () => {
  it('is no text, while signs that people write are', () => {
    expect(withoutDebris('river w:val="2" stone', prefixes).split(/\s+/)).toEqual(['river', 'stone']);
    expect(withoutDebris('pepperw:tblW ember', prefixes).trim()).toBe('ember');
    expect(withoutDebris('rsidR="00A1"/>harbour', prefixes).trim()).toBe('harbour');
    const office = new Map([
      ['text', 1],
      ['office', 1],
    ]);
    expect(withoutDebris('river ext:span :span-n stone', office).split(/\s+/)).toEqual(['river', 'stone']);
    expect(withoutDebris('amber urn:oasis:names:tc:open xmlns river', office).split(/\s+/)).toEqual(['amber', 'river']);
    expect(withoutDebris('re:view of /etc/hosts: a:b', office)).toBe('re:view of /etc/hosts: a:b');
    expect(withoutDebris('at 12:30: a = b, see http://a.example/', prefixes)).toBe(
      'at 12:30: a = b, see http://a.example/',
    );
  });

  it('is left out where a part was damaged before it, and stays where none was', () => {
    const text = '<w:p><w:r><w:t>set w:val="1" here</w:t></w:r></w:p>';
    expect(mendBody(text)).toContain('set w:val="1" here');
    expect(mendBody(`<w:p><w:r></w:q></w:r></w:p>${text}`)).not.toContain('w:val');
  });
});

describe('elements whose parent lost its tag', () => {
  const namespaces = 'xmlns:office="o" xmlns:table="t" xmlns:text="x"';
  const cell = '<table:table-cell><text:p><text:span>Ada</text:span></text:p></table:table-cell>';
  const open = `<office:document-content ${namespaces}><office:body><office:spreadsheet>`;
  const close = '</office:spreadsheet></office:body></office:document-content>';
  const mend = (body: string) => {
    const sound = `<table:table><table:table-row>${cell}</table:table-row></table:table>`;
    return mendXml(`${open}${body}${close}`, 256, learnGrammar([`${open}${sound}${close}`]), null).xml.slice(
      open.length,
      -close.length,
    );
  };

  it('get it back in a sheet, and lose no word', () => {
    const body = (cells: string) => `<table:table><table:table-row>${cells}</table:table-row></table:table>`;
    const plain = '<table:table-cell><text:p>Eva</text:p></table:table-cell>';
    expect(mend(body(`${plain}<table:tab"li><text:p>Eva</text:p></table:table-cell>`))).toBe(body(plain + plain));
    expect(mend(body(`${plain}<text:span>Ada</text:span></text:p></table:table-cell>`))).toBe(body(plain + cell));
    expect(mend(`<table:table><table:t"ow>${plain}</table:table-row></table:table>`)).toBe(body(plain));
  });
});

describe('words that are counted', () => {
  it('are those that readers see, each once', () => {
    const run = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const box = `<mc:AlternateContent><mc:Choice Requires="wps">${run('in a box')}</mc:Choice><mc:Fallback>${run('in a box')}</mc:Fallback></mc:AlternateContent>`;
    const docx = new Map([['word/document.xml', Buffer.from(`<w:document>${run('two words')}${box}</w:document>`)]]);
    expect(measureContent('docx', docx).words).toBe(5);
    const deleted =
      '<text:tracked-changes><text:deletion><text:p>gone for good</text:p></text:deletion></text:tracked-changes>';
    const body = `<office:body><office:text>${deleted}<text:p>two words</text:p></office:text></office:body>`;
    expect(measureOdf(new Map([['content.xml', Buffer.from(body)]])).words).toBe(2);
  });
});
