import { describe, expect, it } from 'vitest';
import { faultyXml } from '../../lib/repair/formats/ooxml/check';
import { doubtWords } from '../../lib/repair/formats/ooxml/doubtful';
import { learnGrammar, shellFor } from '../../lib/repair/formats/ooxml/grammar';
import { withoutLost } from '../../lib/repair/formats/ooxml/lost';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';

/** Text in which `~` stands for bytes that are not known, and what stands between brackets `[` and `]` was told. */
function told(marked: string): { text: Buffer; filled: Uint8Array } {
  const bytes: number[] = [];
  const filled: number[] = [];
  let isTold = 0;
  for (const byte of Buffer.from(marked)) {
    if (byte === 0x5b || byte === 0x5d) isTold = byte === 0x5b ? 1 : 0;
    else {
      bytes.push(byte === 0x7e ? 0xff : byte);
      filled.push(isTold);
    }
  }
  return { text: Buffer.from(bytes), filled: Uint8Array.from(filled) };
}

const shown = (text: Buffer) => text.toString('latin1').replaceAll('\xff', '~');

describe('a word beside markup that was told', () => {
  it('is not believed where it stands nowhere else', () => {
    const { text, filled } = told('<t>harbour light</t><t[>]grammi of it</t><t>the compl[</t><t>]light</t>');
    doubtWords(text, filled);
    expect(shown(text)).toBe('<t>harbour light</t><t>~~~~~~ of it</t><t>the ~~~~~</t><t>light</t>');
  });

  it('stays where nothing was told', () => {
    const { text, filled } = told('<t>harbour light</t><t>grammi of it</t>');
    doubtWords(text, filled);
    expect(shown(text)).toBe('<t>harbour light</t><t>grammi of it</t>');
  });
});

describe('a part of which bytes are not known but all tags are there', () => {
  const part = Buffer.from('<sst><si><t>the harbour li~~~~ went out</t></si></sst>'.replaceAll('~', '\xff'), 'latin1');

  it('is looked through like one that is no XML', () => {
    const parts = new Map([['xl/sharedStrings.xml', part]]);
    expect([...faultyXml(parts, 100, new Set(parts.keys())).keys()]).toEqual(['xl/sharedStrings.xml']);
  });
});

describe('a formula that lost letters', () => {
  it('is left out, as half of it would say something else', () => {
    const path = 'xl/worksheets/sheet1.xml';
    const xml =
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>D2*\ufffd\ufffd</f><v>12</v></c><c r="B1"><f>D3*E3</f><v>13</v></c></row></sheetData></worksheet>';
    const { xml: mended } = mendXml(xml, 100, learnGrammar([], [xml]), shellFor(path, 'xlsx'));
    expect(mended).not.toContain('D2*');
    expect(mended).toContain('D3*E3');
    expect(mended).toContain('<v>12</v>');
  });
});

describe('a word or number that lost letters', () => {
  it.each([
    ['the sch&#252;\ufffd\ufffd of it', 'the   of it'],
    ['the \ufffd\ufffd8;tze of it', 'the   of it'],
    ['sch&\ufffd of 12\ufffd.34 and \ufffd.34 kn', '  of   and   kn'],
    ['the a&amp;b\ufffd. The end', 'the a&amp; . The end'],
  ])('is left out whole: %s', (text, shown) => {
    expect(withoutLost(text)).toBe(shown);
  });

  it('takes no longer the longer the others are', () => {
    const text = `${'a'.repeat(300_000)} \ufffd`;
    expect(withoutLost(text).length).toBe(text.length);
  });

  it('leaves its cell empty', () => {
    const xml =
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>\ufffd.33</v></c><c r="B1"><v>13</v></c></row></sheetData></worksheet>';
    const { xml: mended } = mendXml(xml, 100, learnGrammar([], [xml]), shellFor('xl/worksheets/sheet1.xml', 'xlsx'));
    expect(mended).not.toContain('.33');
    expect(mended).toContain('<v>13</v>');
  });
});
