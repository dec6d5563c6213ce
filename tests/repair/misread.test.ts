import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { lostByte } from '../../lib/repair/core/flips/likeness';
import { crc32 } from '../../lib/repair/core/sums';
import { correctBits, learnVocabulary } from '../../lib/repair/formats/ooxml/flips';
import { doubtMisread } from '../../lib/repair/formats/ooxml/misread';
import { Effort } from '../../lib/repair/report';
import { randomFrom } from './support/random';

const left = (text: string, from: number, sound: string[] = []) => {
  const xml = Buffer.from(text);
  const count = doubtMisread(
    xml,
    from,
    sound.map((one) => Buffer.from(one)),
  );
  return { count, text: xml.toString('latin1').replaceAll(String.fromCharCode(lostByte), '_') };
};

describe('words that wrong bits misread', () => {
  const before = '<t>the harbour was calm</t>';

  it('are left out, and those about them that stand nowhere else', () => {
    const text = `${before}<t>the harbour was strei7bar and witenor calm</t>`;
    expect(left(text, before.length)).toEqual({
      count: 3,
      text: `${before}<t>the harbour was _________ ___ _______ calm</t>`,
    });
  });

  it.each([
    ['in tags', '<w:t w:rsidR="00aB3c" w14:paraId="x1y">calm</w:t>'],
    ['of ordinals and short forms', '<t>on the 2nd, 21st and 3rd of harbour52, 12kg, II, Q3 2026</t>'],
    ['without one that is misshapen', '<t>keelhauled brigantine</t>'],
  ])('are none %s', (_, text) => {
    expect(left(before + text, before.length)).toEqual({ count: 0, text: before + text });
  });

  it('are left out with all unknown ones where many are torn, and with broken tags there', () => {
    const torn = 'gri~~ harbour wobe ~~sta~~ <t xml:sp"rdut</t>calm ~~er qued ';
    const xml = Buffer.from(`${before}<t>${torn}</t>`.replaceAll('~', '\xff'), 'latin1');
    expect(doubtMisread(xml, before.length, [])).toBe(5);
    expect(xml.toString('latin1').slice(before.length).replaceAll('\xff', '_')).toBe(
      '<t>_____ harbour ____ _______ <_____________</t>calm ____ ____ </t>',
    );
  });

  it('are left out with known ones where most are torn', () => {
    const xml = Buffer.from(`${before}<t>${'~~a harbour b~~ '.repeat(6)}</t>`.replaceAll('~', '\xff'), 'latin1');
    doubtMisread(xml, before.length, []);
    expect(xml.toString('latin1').slice(before.length)).not.toMatch(/harbour/);
  });

  it('stay where one piece alone is not known', () => {
    const xml = Buffer.from(`${before}<t>keelhauled bri~~~~~ne schooner</t>`.replaceAll('~', '\xff'), 'latin1');
    expect(doubtMisread(xml, before.length, [])).toBe(0);
    expect(xml.toString('latin1')).toContain('keelhauled bri\xff\xff\xff\xff\xffne schooner');
  });

  it('are words with letters that are written by number', () => {
    const text = '<t>h&#xFC;tten and &#252;berm&#228;nner</t>';
    expect(left(before + text, before.length)).toEqual({ count: 0, text: before + text });
  });

  it('are none where a sound part has them as well', () => {
    expect(left('<t>an iPhone, and eBay</t>', 0, ['<t>iPhone eBay</t>']).count).toBe(0);
  });
});

const letters = 'eeeetttaaaooiinnsshhrrdlucmfwypvbgk';

/** XML with words made up of some syllables, and the same words again and again. */
function textOf(random: () => number): Buffer {
  const pick = (from: string) => from[Math.floor(random() * from.length)] ?? '';
  const words = Array.from({ length: 900 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 8) }, () => pick(letters)).join(''),
  );
  const word = () => words[Math.floor(900 ** random()) - 1] ?? '';
  const paragraph = () => `<w:p><w:r><w:t>${Array.from({ length: 14 }, word).join(' ')}.</w:t></w:r></w:p>`;
  return Buffer.from(
    `<?xml version="1.0"?><w:document><w:body>${Array.from({ length: 260 }, paragraph).join('')}</w:body></w:document>`,
  );
}

describe('several wrong bits in packed text', () => {
  it.each([10, 15])('are told from those beside them that lead as far, seed %i', (seed) => {
    const random = randomFrom(seed);
    const text = textOf(random);
    const packed = deflateRawSync(text);
    const bad = Uint8Array.from(packed);
    const apart = Math.floor(packed.length / 6);
    const wrong = [2, 3, 4, 5].map((turn) => turn * apart * 8 + Math.floor(random() * 2000));
    for (const bit of wrong) bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const part = { packed: bad, size: text.length, crc: crc32(text) };
    const { turned } = correctBits(part, learnVocabulary([]), new Effort(900));
    expect(turned.map(({ bit }) => bit).filter((bit) => !wrong.includes(bit))).toEqual([]);
  });
});
