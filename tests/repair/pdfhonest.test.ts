import { describe, expect, it } from 'vitest';
import { harbour, onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

/** A document without its table, so that it is put together again. */
const withoutTable = (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf('xref\n0'));

const words = ({ kept }: { kept: { unit: string; count: number }[] }) =>
  kept.find(({ unit }) => unit === 'words')?.count;

describe('a PDF whose noted length', () => {
  it.each([1, 5, 8, 9])('reaches to %i bytes before the end of the file is read all the same', async (before) => {
    const whole = pdfOf(onePage(harbour)).toString('latin1');
    const start = whole.indexOf('stream\n') + 7;
    const length = whole.length + 1 - start - before;
    const bad = whole.replace(`/Length ${harbour.length}`, `/Length ${length}`);
    const { report } = await repairBytes(Buffer.from(bad, 'latin1'), 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(words(report)).toBe(8);
  });
});

describe('a PDF of which bytes are gone in a page that is not packed', () => {
  it('is not called repaired', async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `${harbour.replace('700', String(700 - 14 * line))} `);
    const whole = pdfOf(onePage(lines.join('\n')));
    const middle = whole.indexOf('stream\n') + 1000;
    const { report } = await repairBytes(
      Buffer.concat([whole.subarray(0, middle), whole.subarray(middle + 512)]),
      'letter.pdf',
    );
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'streams', count: 1 }));
  });
});

describe('a PDF that refers to objects that are gone', () => {
  const picture = streamOf(
    '\x00\x7f\xff\x10',
    '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray',
  );
  const whole = pdfOf(onePage(`${harbour} q 90 0 0 90 50 500 cm /Im Do Q`, '/XObject<</Im 6 0 R>>', [picture]));

  it('is called partly repaired when its end is cut off', async () => {
    const { report } = await repairBytes(whole.subarray(0, whole.indexOf('6 0 obj')), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'objects', count: 1 }));
    expect(words(report)).toBe(8);
  });

  it('is healthy when it always did', async () => {
    const { report } = await repairBytes(pdfOf(onePage(harbour, '/XObject<</Im 9 0 R>>')), 'letter.pdf');
    expect(report.verdict).toBe('healthy');
  });
});

describe('a PDF of which no word can be read', () => {
  const composite =
    '<</Type/Font/Subtype/Type0/BaseFont/Lost/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Lost/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>';
  const coded = 'BT /F2 12 Tf 50 700 Td <00010002000300040005000600070008> Tj ET';

  it('is at most partly repaired, and says so', async () => {
    const bytes = pdfOf(onePage(`0 0 200 200 re f ${coded}`, '/ExtGState<<>>', [composite]));
    const named = Buffer.from(bytes.toString('latin1').replace('/F1 4 0 R', '/F2 6 0 R'), 'latin1');
    const { report } = await repairBytes(withoutTable(named), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('text');
    expect(report.notes.join(' ')).toContain('none of the text on them can be read');
  });

  it('is not repaired when its pages show nothing and something was lost', async () => {
    const white = '1 1 1 rg 0 0 200 200 re f';
    const whole = await repairBytes(withoutTable(pdfOf(onePage(white))), 'letter.pdf');
    expect(whole.report.verdict).toBe('repaired');
    const bare = pdfOf(onePage(`${white} /Im Do`, '/XObject<</Im 9 0 R>>'));
    const { report, output } = await repairBytes(withoutTable(bare), 'letter.pdf');
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });

  it('does not take the glyphs of a font for pages', async () => {
    const glyphs = Array.from({ length: 6 }, (_, index) =>
      streamOf(`9${index} 0 3 -70 89 15 d1 q 3 -70 m 3 15 l 89 15 l 89 -70 l f Q ${'\n'.repeat(20)}`),
    );
    const bytes = pdfOf(['<</Type/Catalog>>', ...glyphs]);
    const { report } = await repairBytes(withoutTable(bytes), 'letter.pdf');
    expect(report.verdict).toBe('unrepairable');
  });

  it('is repaired when all that is on its pages are the fields of a form', async () => {
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Harbour)/Rect[50 600 250 640]/P 3 0 R>>';
    const bodies = onePage('', '', [field]);
    bodies[2] = (bodies[2] ?? '').replace('/Contents', '/Annots[6 0 R]/Contents');
    const { report } = await repairBytes(withoutTable(pdfOf(bodies)), 'form.pdf');
    expect(report.verdict).toBe('repaired');
  });
});

describe('pages that lost their content', () => {
  const lost = (subtype: string) =>
    Buffer.from(
      [
        '%PDF-1.4',
        '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
        '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 400 400]>> endobj',
        '3 0 obj <</Type/Page/Parent 2 0 R/Contents 8 0 R/Annots[4 0 R]>> endobj',
        `4 0 obj <</Type/Annot/Subtype/${subtype}/Rect[10 10 90 30]/Contents(A note)/Border[0 0 0]>> endobj`,
        'trailer <</Root 1 0 R/Size 9>>',
        '%%EOF',
      ].join('\n'),
    );

  it('are not handed out for the links on them, but for the notes', async () => {
    const { report, output } = await repairBytes(lost('Link'), 'letter.pdf');
    expect([report.verdict, output]).toEqual(['unrepairable', null]);
    expect((await repairBytes(lost('Text'), 'letter.pdf')).report.verdict).toBe('partly');
  });
});

describe('a PDF whose tree of pages is gone', () => {
  const page = (box: string) =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/MediaBox[0 0 850 1100]/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R${box}/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      streamOf(harbour.replace('50 700', '300 1050')),
    ]);

  it.each([
    ['that shows what is seen of it', '/CropBox[0 0 850 1100]', '/MediaBox [0 0 850 1100]'],
    ['that shows nothing of its size', '', '/MediaBox [0 0 595 1070]'],
  ])('tells that the size of a page is a guess: of one %s', async (_, box, expected) => {
    const whole = page(box);
    const { report, output } = await repairBytes(whole.subarray(whole.indexOf('3 0 obj')), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'descriptions', count: 1 }));
    expect(words(report)).toBe(8);
    expect(output?.toString('latin1')).toContain(expected);
  });
});

describe('a PDF with values that are nested deeper than any program writes them', () => {
  it('keeps all else', async () => {
    const whole = pdfOf(onePage(harbour, '', [`<</Deep ${'['.repeat(3000)}${']'.repeat(3000)}>>`]));
    const { report } = await repairBytes(withoutTable(whole), 'letter.pdf');
    expect(words(report)).toBe(8);
  });
});

describe('the table of a PDF that was written anew', () => {
  it('is one piece, with free entries for what is gone', async () => {
    const whole = pdfOf(onePage(harbour, '', ['7', '8'])).toString('latin1');
    const { output } = await repairBytes(
      withoutTable(Buffer.from(whole.replace('6 0 obj\n7\nendobj\n', ''), 'latin1')),
      'letter.pdf',
    );
    const table = /xref\n([\s\S]*?)trailer/.exec(output?.toString('latin1') ?? '')?.[1] ?? '';
    expect(table.match(/^\d+ \d+\n/gm)).toEqual(['0 8\n']);
    expect(table.match(/^.* f $/gm)).toEqual(['0000000006 65535 f ', '0000000000 00000 f ']);
  });
});

describe('a PDF of which a list of letters was overwritten with zeroes', () => {
  const letters = Array.from({ length: 26 }, (_, index) => `/${String.fromCharCode(97 + index)}superior`).join(' ');
  const whole = pdfOf(
    onePage(`${harbour} BT /F2 12 Tf 50 600 Td (abc) Tj ET`, '/Font<</F1 5 0 R/F2 6 0 R>>', [
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding 7 0 R>>',
      `<</Type/Encoding/Differences[97 ${letters}]>>`,
    ]),
  );

  it('is not called repaired, as they are white space to readers', async () => {
    const at = whole.indexOf('/csuperior') + 4;
    const { report } = await repairBytes(Buffer.from(whole).fill(0, at, at + 100), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'objects', count: 1 }));
  });
});
