import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withoutBits, wrongBits } from '../../lib/repair/formats/ole/docbits';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const whole = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-letter.doc.gz'));

/** Places of letters of two bytes between others, each so many behind the last. */
function letters(bytes: Buffer, apart: number): number[] {
  const places: number[] = [];
  const text = bytes.toString('latin1');
  for (const match of text.matchAll(/(?<=[a-z]\0)[a-z]\0(?=[a-z]\0[a-z]\0)/g))
    if (match.index >= (places.at(-1) ?? 0) + apart && match.index % 2 === 0) places.push(match.index);
  return places;
}

describe('a document with wrong bits all over its text', () => {
  it('is not called healthy, and gets those back that show', async () => {
    const bad = Buffer.from(whole);
    const from = bad.indexOf(Buffer.from('the ', 'utf16le'));
    const places = letters(bad, 400).filter((at) => at > from);
    for (const [index, at] of places.entries()) bad[at + 1] = [0x04, 0x08, 0x10, 0x40, 0x80][index % 5] ?? 0;
    expect(places.length).toBeGreaterThan(5);
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ detail }) => detail).join()).toContain('overwritten');
    expect(await scoreAgainst('doc', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(
      await scoreAgainst('doc', whole, bad),
    );
  });

  it('is not called healthy for a single one either', async () => {
    const bad = Buffer.from(whole);
    const places = letters(bad, 400);
    const at = places[places.length >> 1] ?? 0;
    bad[at + 1] = 0x40;
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('doc', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  const piece = (text: string) => ({ start: 0, end: text.length, offset: 0, narrow: false });
  const wrong = (text: string) => wrongBits(Buffer.from(text, 'utf16le'), [piece(text)]);

  it('gets each letter back', () => {
    const text = 'harb\u406fur, li\u0867ht and ke\u8065per';
    const bytes = withoutBits(Buffer.from(text, 'utf16le'), wrong(text));
    expect(bytes.toString('utf16le')).toBe('harbour, light and keeper');
  });

  it.each([
    ['inside a word', 'harb\u406fur', 'harbour'],
    ['at the end of a word', 'the harbou\u8072, and', 'the harbour, and'],
    ['at its beginning', 'the \u0868arbour', 'the harbour'],
    ['between two words', 'the\u8020harbour', 'the harbour'],
    ['that gives a mark nobody sees', 'harb\u206fur', 'harbour'],
  ])('gets a single wrong bit back %s', (_, text, right) => {
    expect(withoutBits(Buffer.from(text, 'utf16le'), wrong(text)).toString('utf16le')).toBe(right);
  });

  it.each([
    ['of two scripts', 'Word\u4f7f\u7528 A\u804aB \u8058C, the \u0441\u043b\u043e\u0432\u043e of cats'],
    ['with one sign of another script in a word', 'the\u0474y and th\u0465y and th\u0475y'],
    ['with one sign between spaces', 'the sign \u8074 and the sign \u1061 of harbours'],
    ['with signs at words', 'Kanji\u8074 and \u6f22\u5b57'],
    ['with marks of its language', 'Dvo\u0159\u00e1k, \u0141\u00f3d\u017a, Timi\u0219oara, o\u2026o, \u0259ld'],
  ])('is told from one %s', (_, text) => {
    expect(wrong(text)).toEqual([]);
  });
});
