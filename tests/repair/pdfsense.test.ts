import { describe, expect, it } from 'vitest';
import { readAdvances } from '../../lib/repair/formats/pdf/advances';
import { likeliestLanguage, makesSense } from '../../lib/repair/formats/pdf/cipher/sense';
import { orderFor } from '../../lib/repair/formats/pdf/glyphorders';
import { membersOf } from '../../lib/repair/formats/pdf/members';
import { standardWidths } from '../../lib/repair/formats/pdf/standardwidths';
import { onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

const english = `The harbour lies at the end of a long road that comes down from the hills and the boats go out while it is still dark
and the women who sell the fish wait for them on the quay while nobody speaks much before the sun is up and the first boat comes back`;
const french = `les bateaux étaient déjà sortis avant la lumière du matin et la mère des pêcheurs préparait le café à côté de la fenêtre
où sa fille aînée répétait les leçons de géographie après une soirée passée à réparer les filets abîmés par la tempête`;
const polish = `każdy pakiet musi spełniać normalne zależności, które są potrzebne do działania, a ścieżki do plików są wyświetlane
w kolejności, w jakiej zostały podane przez użytkownika, jeśli żadna inna nie została określona przez opcję`;

/** The same text with its small letters exchanged. */
const exchanged = (text: string) =>
  text.replace(/[a-z]/g, (one) => 'qwertyuiopasdfghjklzxcvbnm'.charAt(one.charCodeAt(0) - 97));

describe('whether letters make sense', () => {
  it('is told in languages with a table and without', () => {
    for (const text of [english, french, polish]) {
      expect(makesSense(text)).toBe(true);
      expect(makesSense(exchanged(text.normalize('NFD').replace(/\p{M}/gu, '')))).toBe(false);
    }
    // Letters of another subset: brackets and capitals stand for small letters.
    const long = [english, english, english].join(' ');
    expect(makesSense(long, true)).toBe(true);
    expect(makesSense(long.replaceAll('a', ')').replaceAll('n', 'U'), true)).toBe(false);
    expect(makesSense('42 m')).toBeNull();
    expect(likeliestLanguage(french)).toBe('French');
    expect(likeliestLanguage(polish)).toBeNull();
  });
});

describe('glyphs in the usual order', () => {
  /** Text as fonts number it whose glyphs behind ASCII are those from a character on. */
  const coded = (text: string, first: number) =>
    text.split('\n').map((line) => {
      const codes = Array.from(line, (one) => one.charCodeAt(0)).map((code) =>
        code < 127 ? code - 29 : code - first + 98,
      );
      return Buffer.from(Uint16Array.from(codes).buffer).swap16();
    });

  it.each([
    [french, 0xa0, 'é'],
    [polish, 0xa0, 'ż'],
  ])('have letters with marks where a language uses those that come out', (text, first, letter) => {
    const { texts } = orderFor(coded(text, first));
    expect(texts.get(letter.charCodeAt(0) - first + 98)).toBe(letter);
    expect([...texts.values()]).not.toContain('\ufffd');
  });

  it('have none where no language does', () => {
    expect(orderFor(coded(french, 0x9f)).texts.get(0xe9 - 0x9f + 98)).toBe('\ufffd');
  });
});

describe('standard fonts that are lost', () => {
  const reach = (font: string, text: string) =>
    Array.from(text).reduce((sum, one) => sum + (standardWidths[font]?.[one.charCodeAt(0) - 32] ?? 0), 0) / 100;

  it('are told by how far strings reach, alone and beside others', () => {
    const lines = english
      .split(/\s+/)
      .flatMap((word) => [
        `/F1 10 Tf (${word}) Tj ${reach('Times-Bold', word)} 0 Td`,
        `/F1 10 Tf (${word}) Tj /F2 10 Tf 2 Tw [(a ${word}) -100] TJ ${reach('Times-Bold', word) + reach('Courier', `a ${word}`) + 3} 0 Td`,
      ]);
    const advances = new Map();
    readAdvances(`BT ${lines.join('\n')} ET`, advances);
    expect([...membersOf(advances)]).toEqual([
      ['F1', 'Times-Bold'],
      ['F2', 'Courier'],
    ]);
  });
});

describe('text whose fonts are lost', () => {
  const lines = (font: string, text: string) =>
    text
      .split('\n')
      .map((line, at) => `BT /${font} 10 Tf 40 ${700 - at * 20} Td (${line}) Tj ET`)
      .join('\n');
  const withFont = (text: string) => {
    const bodies = onePage(lines('F1', text));
    bodies[3] = '';
    return pdfOf(bodies).toString('latin1').replace('4 0 obj\n\nendobj\n', '').split('xref\n0')[0] ?? '';
  };

  it('is shown in the usual encoding where that makes words', async () => {
    const { output } = await repairBytes(Buffer.from(withFont(english), 'latin1'), 'plain.pdf');
    expect(output?.toString('latin1')).toMatch(/WinAnsiEncoding/);
  });

  it('is not handed out as words where it makes none', async () => {
    const noise = Array.from({ length: 12 }, (_, at) =>
      exchanged(exchanged(english))
        .slice(at * 9, at * 9 + 20)
        .replace(/ /g, ''),
    ).join('\n');
    const { report } = await repairBytes(Buffer.from(withFont(noise), 'latin1'), 'noise.pdf');
    expect(report.verdict).toBe('unrepairable');
  });

  it('does not take the map of another font that makes no words of it', async () => {
    const map = streamOf(
      `1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <20> <0020> endbfrange 26 beginbfchar ${Array.from(
        { length: 26 },
        (_, at) => `<${(97 + at).toString(16)}> <00${(97 + ((at + 9) % 26)).toString(16)}>`,
      ).join(' ')} endbfchar begincmap`,
    );
    const text = withFont(english).replace(/$/, `9 0 obj\n${map}\nendobj\n`);
    const { output } = await repairBytes(Buffer.from(text, 'latin1'), 'map.pdf');
    expect(output?.toString('latin1')).not.toMatch(/ToUnicode 9 0 R/);
  });
});
