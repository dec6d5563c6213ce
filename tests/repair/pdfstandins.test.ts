import { describe, expect, it } from 'vitest';
import { fitWidths, readAdvances } from '../../lib/repair/formats/pdf/advances';
import { cleanContent } from '../../lib/repair/formats/pdf/contentclean';
import { hasFlaw } from '../../lib/repair/formats/pdf/contentsyntax';
import { addText, losesText, unread } from '../../lib/repair/readers/pdf/reading';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A document of objects, with a table that leads to each; `lost` are left out of it. */
function documentOf(objects: readonly string[], lost: readonly number[] = []): Buffer {
  let text = '%PDF-1.7\n';
  const places: number[] = [];
  for (const [index, body] of objects.entries()) {
    places.push(text.length);
    if (!lost.includes(index + 1)) text += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const table = text.length;
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A document without its table, as one that was cut off. */
const cut = (whole: Buffer) => whole.subarray(0, whole.lastIndexOf('xref\n0'));

const streamOf = (data: string, entries = '') => `<</Length ${data.length}${entries}>>\nstream\n${data}\nendstream`;

/** Text as TrueType fonts number it: from the third glyph on in the order of ASCII. */
const glyphs = (text: string) =>
  `<${Array.from(text, (letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')}>`;

const lines = [
  'The harbour lies at the end of a long road that comes down from the hills',
  'In the morning the boats go out while it is still dark and cold outside',
  'Then the first boat comes back and after it the others one by one again',
  'The boys carry the boxes to the market hall where the buyers stand and look',
  'By noon everything is sold and the nets hang over the wall of the old house to dry',
  'In the evening they mend what the sea has torn and talk about the weather of tomorrow',
  'Nobody speaks much before the sun is up and the women who sell the fish wait for them',
];
const shown = (font: string, from: number) =>
  lines.map((line, index) => `BT /${font} 12 Tf 40 ${from - index * 20} Td ${glyphs(line)} Tj ET`).join('\n');

const composite = '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[8 0 R]/ToUnicode 9 0 R>>';
const objects = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 6 0 R/F2 7 0 R>>>>>>',
  streamOf(`${shown('F1', 700)}\n${shown('F2', 500)}`),
  '<</Title(x)>>',
  composite,
  composite,
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
  streamOf('1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0003> <0061> <0020> endbfrange'),
];

describe('fonts that stand in for lost ones', () => {
  it('never take the number of one that is lost', async () => {
    const { report, output } = await repairBytes(documentOf(objects, [6, 7, 8, 9]), 'two-fonts.pdf');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('pdf', documentOf(objects), output ?? Buffer.alloc(0))).toBe(1);
  });

  it('are as wide as the places of what follows tell', () => {
    const advances = new Map();
    readAdvances(
      `BT /F1 10 Tf ${'<0101> Tj 12 0 Td <0102> Tj 9 0 Td <02> Tj 3 0 Td <02> Tj 80 0 Td '.repeat(9)}ET`,
      advances,
    );
    const widths = new Map([
      [1, 500],
      [2, 300],
    ]);
    fitWidths({ width: 1, texts: new Map() }, advances.get('F1') ?? [], widths);
    expect([...widths.values()].map(Math.round)).toEqual([600, 300]);
  });

  it('name the glyph of each code where these have one byte, and how wide it is', async () => {
    const { output } = await repairBytes(cut(documentOf(lettersOf(lines.join(' ')))), 'letters.pdf');
    const text = output?.toString('latin1') ?? '';
    expect(text).toMatch(/\/Differences ?\[1 ?\/T 2 ?\/h 3 ?\/e 4 ?\/space 5 ?\/a/);
    expect(text).toMatch(/\/Widths ?\[\d+ 556 556 278/);
  });
});

/** A page of text whose simple font, which numbers letters by their first use, is lost. */
function lettersOf(text: string): string[] {
  const codes = [...new Set(text)];
  const hex = Array.from(text, (letter) => (codes.indexOf(letter) + 1).toString(16).padStart(2, '0')).join('');
  return [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 9 0 R>>>>>>',
    streamOf(`BT /F1 1 Tf 40 700 Td <${hex}> Tj ET`),
  ];
}

describe('content that no program wrote', () => {
  it.each([
    ['a lost end of a list', 'BT [<01>2<02 3 Td <03> Tj ET', '[<01> 2 <02 3 > ] TJ\n'],
    ['signs between', 'q } 1 0 0 rg > ) <4142> Tj Q', '<4142> Tj\n'],
    ['a number too long', '0222222222222222222 (a) Tj', '(a) Tj\n'],
    ['a string without an end', '(abc Tj 0 -12 Td (def) Tj', '(def) Tj\n'],
  ])('is made such that strict readers take it: %s', (_, content, kept) => {
    const clean = cleanContent(Buffer.from(content)).toString('latin1').replace(/ +/g, ' ');
    expect(clean).toContain(kept);
    expect(hasFlaw(Buffer.from(clean))).toBe(false);
  });

  it('is no text that is lost with it', () => {
    const read = (text: string) => {
      const reading = unread();
      addText(reading, text);
      return reading;
    };
    const all = Array.from({ length: 300 }, (_, index) => `${lines.join(' ')} number${index}`).join(' ');
    const garbled = 'ðxhwÒÄ kSnskalR jxkùlRbxpxsabÄxAS ckywkSdnxmwxLxSpbxIvksn pjðksndAlùlRbA';
    expect(losesText(read(`${all} ${`${garbled} `.repeat(5)}`), read(all))).toBe(false);
    expect(losesText(read(`${all} ${'harbours roading morning boating '.repeat(5)}`), read(all))).toBe(true);
  });
});

describe('what strict readers refuse', () => {
  it('is damage in base 85', async () => {
    // BT /F1 12 Tf 40 700 Td (Hello) Tj ET
    const data = String.raw`6<#'\7PQ#?1*BP.+>bbp2_Zp.<+I+"87cURD^cf.C*5rE~>`;
    const own = [...objects.slice(0, 3), streamOf(data, '/Filter/ASCII85Decode'), ...objects.slice(4)];
    const whole = documentOf(own);
    expect((await repairBytes(whole, 'text.pdf')).report).toMatchObject({ verdict: 'healthy', found: [] });
    const bad = Buffer.from(whole);
    bad[bad.indexOf(data) + 9] = 0xee;
    expect((await repairBytes(bad, 'text.pdf')).report.found).toMatchObject([{ kind: 'stream' }]);
  });

  it('is a number that no object can have', async () => {
    const whole = documentOf(objects);
    const bad = Buffer.concat([
      whole.subarray(0, whole.indexOf('xref')),
      Buffer.from('5226511001 0 obj\n<</A 1>>\nendobj\n'),
    ]);
    const { output } = await repairBytes(bad, 'number.pdf');
    expect(output?.includes('5226511001')).toBe(false);
    expect(await scoreAgainst('pdf', whole, output ?? bad)).toBe(1);
  });
});

describe('standard fonts of which one is lost', () => {
  const encoding = '<</Type/Encoding/Differences[1/fi/fl]>>';
  const font = (name: string, encoded = 9) =>
    `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding ${encoded} 0 R/ToUnicode 10 0 R>>`;
  const line = (name: string, index: number) =>
    `BT /${name} 12 Tf 40 ${700 - index * 20} Td (${lines[index] ?? ''} \\001nds) Tj ET`;
  const codes = streamOf(
    '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <00660069> endbfchar 1 beginbfrange <20> <7e> <0020> endbfrange',
  );
  const documentWith = (lost: readonly number[]) =>
    documentOf(
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 6 0 R/F2 7 0 R/F3 8 0 R>>>>>>',
        streamOf([line('F1', 0), line('F2', 1), line('F3', 2)].join('\n')),
        '<</Title(x)>>',
        font('Times-Roman'),
        font('Times-Bold'),
        font('Times-Italic'),
        encoding,
        codes,
      ],
      lost,
    );

  it.each([
    [6, 'Times-Roman'],
    [7, 'Times-Bold'],
    [8, 'Times-Italic'],
  ])('get it back, with the glyphs of the others: object %i', async (lost, name) => {
    const { report, output } = await repairBytes(documentWith([lost]), 'times.pdf');
    expect(report.verdict).toBe('partly');
    const text = output?.toString('latin1') ?? '';
    expect(text).not.toContain('Helvetica');
    expect(text.match(new RegExp(`/BaseFont\\s*/${name}\\b`, 'g'))).toHaveLength(1);
    expect(text.match(/\/Encoding\s+9 0 R/g)).toHaveLength(3);
    expect(await scoreAgainst('pdf', documentWith([]), output ?? Buffer.alloc(0))).toBe(1);
  });
});

describe('a subset of a font whose letters are no longer told', () => {
  /** Codes as a subset numbers its glyphs, one after another as they come, with its shapes and without the table of its letters. */
  const subset = (text: readonly string[], isComposite: boolean) => {
    const numbers = new Map<string, number>();
    const codeOf = (letter: string) => {
      const code = numbers.get(letter) ?? numbers.size + 1;
      numbers.set(letter, code);
      return code.toString(16).padStart(isComposite ? 4 : 2, '0');
    };
    const content = text.map(
      (line, index) => `BT /F1 10 Tf 40 ${760 - index * 14} Td <${Array.from(line, codeOf).join('')}> Tj ET`,
    );
    const below = '/BaseFont/ABCDEF+Harbour/FontDescriptor 7 0 R';
    return [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      streamOf(content.join('\n')),
      isComposite
        ? '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Harbour/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 9 0 R>>'
        : `<</Type/Font/Subtype/TrueType${below}/FirstChar 0/LastChar 99/Widths[${'500 '.repeat(100)}]/ToUnicode 9 0 R>>`,
      `<</Type/Font/Subtype/CIDFontType2${below}/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>`,
      '<</Type/FontDescriptor/FontName/ABCDEF+Harbour/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontFile2 8 0 R>>',
      streamOf('no font that anybody could draw with', '/Length1 36'),
      streamOf('begincmap'),
    ];
  };
  const text = [...lines, ...lines.map((line) => line.split(' ').reverse().join(' ').toLowerCase())];

  it.each([false, true])(
    'has them told by the language, and keeps its shapes (two bytes a letter: %s)',
    async (two) => {
      const { report, output } = await repairBytes(cut(documentOf(subset(text, two), [9])), 'mute.pdf');
      expect(report.verdict).toBe('partly');
      expect(output?.includes('ABCDEF+Harbour')).toBe(true);
      expect(report.notes.join(' ')).toMatch(/English/);
      expect(report.lost.map(({ detail }) => detail).join(' ')).toMatch(/letters/);
    },
  );

  it('is left as it is where it never told them', async () => {
    const silent = subset(text, false).map((object) => object.replace('/ToUnicode 9 0 R', ''));
    const { report, output } = await repairBytes(cut(documentOf(silent, [9])), 'silent.pdf');
    expect(report.notes.join(' ')).not.toMatch(/English/);
    expect(output?.includes('/ToUnicode') ?? false).toBe(false);
  });

  it('shows no numbers of glyphs as words where no language tells them', async () => {
    const bytes = cut(documentOf(subset(['CFA 1201 4B', '22 7 190 ACE'], false), [9]));
    const { report } = await repairBytes(bytes, 'mute.pdf');
    expect(report.verdict).not.toBe('healthy');
    expect(report.kept.find(({ unit }) => unit === 'words')?.count ?? 0).toBe(0);
  });
});
