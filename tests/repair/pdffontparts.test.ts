import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cleanContent } from '../../lib/repair/formats/pdf/contentclean';
import { harbour, onePage, pdfOf, streamOf } from './support/pdfwriter';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

/** A document without its table, as one that was damaged there. */
const withoutTable = (whole: Buffer) => whole.subarray(0, whole.lastIndexOf('xref\n0'));

const content = 'q /G1 gs BT /F1 12 Tf 50 700 Td (All letters of the coffee committee) Tj ET Q';

describe('what PDFs refer to and is lost', () => {
  it('is not referred to any more, and states of graphics change nothing', async () => {
    const bodies = onePage(content, '/ExtGState<</G2 77 0 R>>');
    bodies[2] = bodies[2]?.replace('/Contents', '/Annots[78 0 R]/StructParents 1/Metadata 79 0 R/Contents') ?? '';
    const { report, output } = await repairBytes(withoutTable(pdfOf(bodies)), 'dangling.pdf');
    const text = output?.toString('latin1') ?? '';
    expect(report.verdict).toBe('partly');
    expect(text).not.toMatch(/7[789] 0 R/);
    expect(text).toMatch(/\/Annots \[\]/);
    expect(text).toMatch(/\/G1 <<>>/);
  });

  it('gives standard fonts their own widths back where a piece of the list is missing', async () => {
    const bodies = onePage(content);
    const widths = Array.from({ length: 40 }, () => '500').join(' ');
    bodies[3] = `<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/FirstChar 32/LastChar 126/Widths[${widths} /agrave/Descent -218]>>`;
    const { output } = await repairBytes(withoutTable(pdfOf(bodies)), 'widths.pdf');
    expect(output?.toString('latin1')).not.toContain('/Widths');
  });

  it('gives other fonts the widths that are left, and a usual one for the rest', async () => {
    const bodies = onePage(content, '', [streamOf('x')]);
    bodies[3] =
      '<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Some/FirstChar 65/LastChar 70/Widths[600 400 /agrave 3]>>';
    const { report, output } = await repairBytes(withoutTable(pdfOf(bodies)), 'widths.pdf');
    expect(output?.toString('latin1')).toContain('/Widths [600 400 500 500 500 500]');
    expect(report.verdict).toBe('partly');
  });

  it('gives fonts a descriptor, and text its own letters where nothing else of its font is left', async () => {
    const letters =
      '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0001> <0005> <0061> endbfrange';
    const bodies = onePage('BT /F1 12 Tf 50 700 Td <000100020003> Tj ET', '', [streamOf(`${letters} begincmap`)]);
    bodies[3] =
      '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[77 0 R]/ToUnicode 6 0 R/FontDescriptor 78 0 R>>';
    const { output } = await repairBytes(withoutTable(pdfOf(bodies)), 'letters.pdf');
    const text = output?.toString('latin1') ?? '';
    expect(text.match(/\/ToUnicode 6 0 R/g)?.length).toBe(2);
    expect(text).not.toContain('78 0 R');
  });

  it('leads to the content of a page again where only the letter of the reference is damaged', async () => {
    const damaged = pdfOf(onePage(content)).toString('latin1').replace('/Contents 5 0 R', '/Contents 5 0 S');
    const { report, output } = await repairBytes(Buffer.from(damaged, 'latin1'), 'letter.pdf');
    expect(report.verdict).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'words', count: 6 });
    expect(output?.toString('latin1')).toContain('/Contents 5 0 R');
  });

  it('is found where an object before it broke off inside its brackets', async () => {
    const bodies = onePage(content);
    const whole = pdfOf(bodies).toString('latin1');
    const torn = whole.replace('3 0 obj', '9 0 obj\n<</Type/StructElem/K [ (sixteen \n( and more\nendobj\n3 0 obj');
    const { report, output } = await repairBytes(withoutTable(Buffer.from(torn, 'latin1')), 'torn.pdf');
    expect(report.kept).toContainEqual({ unit: 'words', count: 6 });
    expect(output?.toString('latin1')).toContain('/Type /Page\n');
  });

  it('gives a standard font without its table of codes that of the others', async () => {
    const font = (name: string, encoding: number) =>
      `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding ${encoding} 0 R>>`;
    const table = '<</Type/Encoding/Differences[140/fi]>>';
    const bodies = onePage(content, '', [font('Times-Bold', 8), font('Times-Italic', 8), table]);
    bodies[3] = font('Times-Roman', 77);
    bodies[2] = bodies[2]?.replace('/F1 4 0 R', '/F1 4 0 R/F2 6 0 R/F3 7 0 R') ?? '';
    const { output } = await repairBytes(withoutTable(pdfOf(bodies)), 'encoding.pdf');
    expect(output?.toString('latin1').match(/\/Encoding 8 0 R/g)).toHaveLength(3);
  });
});

describe('damaged page content that is cleaned', () => {
  it.each([
    ['1 0 m 2 2 l h f h 3 3 l n', '1 0 m\n2 2 l\nh\nf\nn\n'],
    ['1 0 0 1 5e9 0 cm Sf BT', 'S\nf\nBT\n'],
    ['/A <</MCID 6 /B>> BDC /A <</MCID 6>> BDC', '/A <</MCID 6>> BDC\n'],
    ['[ (a) /agrave -20 (b) ] TJ', '[(a) -20 (b) ] TJ\n'],
  ])('begins paths, has plain numbers, and strings alone in lists: %s', (damaged, clean) => {
    expect(cleanContent(Buffer.from(damaged)).toString('latin1').replace(/ \n/g, '\n')).toBe(clean);
  });

  it('is written anew where no check sum vouches for it', async () => {
    const bodies = onePage('BT /F1 12 Tf 50 700 Td (The harbour lights) Tj [ (went out) /x (one) ] TJ 1 2 ~#x Td ET');
    const { output } = await repairBytes(pdfOf(bodies), 'plain.pdf');
    expect(output?.toString('latin1')).not.toContain('~#x');
  });
});

describe('a font that breaks off within its kind', () => {
  it('is none that text is left in', async () => {
    const more = ' BT /F2 12 Tf 50 600 Td (The tower clock struck nine times that night) Tj ET';
    const bodies = onePage(harbour + more).map((body) => body.replace('/F1 4 0 R', '/F1 4 0 R/F2 6 0 R'));
    const whole = pdfOf([...bodies, '<</Type/Font/Subtype/TrueType/BaseFont/Lost>>']).toString('latin1');
    const cut = whole.indexOf('eType/BaseFont/Lost');
    const wiped =
      whole.slice(0, cut) + '\0'.repeat(whole.indexOf('xref\n0') - cut) + whole.slice(whole.indexOf('xref\n0'));
    const { report, output } = await repairBytes(Buffer.from(wiped, 'latin1'), 'letter.pdf');
    expect(report.verdict).toBe('partly');
    expect(output?.toString('latin1')).not.toMatch(/\/F2 6 0 R/);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'fonts', count: 1 }));
  });
});

describe('a tree of pages that lost their number', () => {
  it('gets it back, as some readers open no page without', async () => {
    const whole = pdfOf(onePage(harbour)).toString('latin1').replace('/Count 1', '        ');
    const bad = Buffer.from(whole.slice(0, whole.lastIndexOf('xref\n0')), 'latin1');
    const { output } = await repairBytes(bad, 'letter.pdf');
    expect(output?.toString('latin1')).toMatch(/\/Type \/Pages[^>]*\/Count 1\b/);
  });
});

describe('a damaged program of a font', () => {
  it('is handed out up to the damage, as what stands behind it may have moved', async () => {
    const random = randomFrom(5);
    const piece = () =>
      Math.floor(random() * 400)
        .toString(16)
        .repeat(4);
    const program = Buffer.from(Array.from({ length: 8000 }, piece).join('')).subarray(0, 60_000);
    const packed = deflateSync(program);
    const bodies = onePage(content, '', [
      '<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 7 0 R>>',
      streamOf(packed.toString('latin1'), '/Length1 60000/Filter/FlateDecode'),
    ]);
    bodies[3] = '<</Type/Font/Subtype/TrueType/BaseFont/A/FontDescriptor 6 0 R>>';
    const damaged = pdfOf(bodies);
    const place = damaged.indexOf(packed) + 4000;
    for (let index = 0; index < 600; index++) damaged[place + index] = Math.floor(random() * 256);
    const { report, output } = await repairBytes(damaged, 'letter.pdf');
    expect(report.verdict, report.summary).toBe('partly');
    const written = output ?? Buffer.alloc(0);
    const at = written.indexOf('stream\n', written.indexOf('/Length1')) + 'stream\n'.length;
    const left = inflateSync(written.subarray(at, written.indexOf('endstream', at)));
    const wrong = left.findIndex((byte, index) => byte !== program[index]);
    expect(wrong).toBeGreaterThan(6000);
    // Noise may be read as a few codes before it makes no sense.
    expect(left.length).toBeLessThan(wrong + 3000);
  });
});
