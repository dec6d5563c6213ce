import { expect, it } from 'vitest';
import { harbour, onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

const texts = [
  'The ferry leaves at seven',
  'Bring warm clothes along',
  'Tickets are sold on board',
  'Dogs travel for nothing',
];

/** A document of four pages, one of which is written by `change`. */
function document(change: (page: string) => string, at = 2): Buffer {
  const font = '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  const pages = texts.map(
    (_, index) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${index + 7} 0 R/Resources${font}>>`,
  );
  const contents = texts.map((text) => {
    const content = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET\n`;
    return `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
  });
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Count 4>>',
    ...pages.map((page, index) => (index === at ? change(page) : page)),
    ...contents,
  ]);
}

const sized = (box: string) => (page: string) => page.replace('/MediaBox[0 0 600 800]', box);

it.each([
  '[0 0 600]',
  '[0 0 0 0]',
  '[0 0 -600 -800]',
  '[0 0 600 0]',
  '[0 0 a b]',
  '[0 0 1 1]',
  '[0 0 60000000 800]',
  '6',
])('gives a page of the size %s the one that all others have', async (box) => {
  const { report, output } = await repairBytes(document(sized(`/MediaBox ${box}`)), 'letter.pdf');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(report.found.map(({ detail }) => detail).join()).toContain('1 page says no size');
  expect(output?.toString('latin1').match(/\/MediaBox ?\[0 0 600 800\]/g)).toHaveLength(4);
  const again = await repairBytes(output ?? Buffer.alloc(0), 'letter.pdf');
  expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
});

it('gives a page without a size the one that all others have', async () => {
  const { report, output } = await repairBytes(document(sized('')), 'letter.pdf');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(output?.toString('latin1').match(/\/MediaBox ?\[0 0 600 800\]/g)).toHaveLength(4);
});

it('leaves the size of a page alone that is another one', async () => {
  for (const box of ['[600 800 0 0]', '[-600 -800 0 0]', '[0 0 5 5]']) {
    const { report } = await repairBytes(document(sized(`/MediaBox${box}`)), 'letter.pdf');
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
  }
});

it('says that the size of a page is a guess where nothing tells it', async () => {
  const alone = document(sized('/MediaBox[0 0 600]'), 0).toString('latin1');
  const one = alone.replace('/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Count 4', '/Kids[3 0 R]/Count 1                 ');
  const { report } = await repairBytes(Buffer.from(one, 'latin1'), 'letter.pdf');
  expect(report.verdict, report.summary).toBe('partly');
  expect(report.lost.map(({ detail }) => detail)).toContain('whose size is a guess');
});

it.each([
  ['is gone', ''],
  ['leads nowhere', '/Contents 9999 0 R'],
  ['leads to that of another', '/Contents 7 0 R'],
])('gives a page its content back of which what leads to it %s', async (_, entry) => {
  const damaged = document((page) => page.replace('/Contents 9 0 R', entry));
  const { report, output } = await repairBytes(damaged, 'letter.pdf');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(output?.toString('latin1')).toMatch(/\/Contents 9 0 R/);
  const again = await repairBytes(output ?? Buffer.alloc(0), 'letter.pdf');
  expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
  expect(again.report.kept).toContainEqual(expect.objectContaining({ unit: 'words', count: 18 }));
});

it.each([
  ['/Subtype/Image', '/Subtype/Imagf'],
  ['/ColorSpace/DeviceGray', '/ColorSpace/DeviceGrax'],
  ['/Encoding/WinAnsiEncoding', '/Encoding/WinAnsiEncodinh'],
])('spells a name right that has a wrong letter: %s', async (right, wrong) => {
  const image = '/Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceGray/BitsPerComponent 8';
  const bodies = onePage(`${harbour} q 90 0 0 90 50 500 cm /I1 Do Q`, '/XObject<</I1 6 0 R>>', [
    streamOf('0123456789abcdef', image),
  ]);
  bodies[3] = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
  const whole = pdfOf(bodies);
  expect((await repairBytes(whole, 'letter.pdf')).report).toMatchObject({ verdict: 'healthy', found: [] });
  const damaged = pdfOf(bodies.map((body) => body.replace(right, wrong)));
  const { report, output } = await repairBytes(damaged, 'letter.pdf');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(report.found.map(({ detail }) => detail).join()).toContain('named with a wrong letter');
  expect(output?.toString('latin1').replaceAll(' ', '')).toContain(right);
});

it('does not call a page whole that draws pictures which its resources lost', async () => {
  const image = '/Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceGray/BitsPerComponent 8';
  const bodies = onePage(`${harbour} q 90 0 0 90 50 500 cm /I1 Do Q`, '', [streamOf('0123456789abcdef', image)]);
  bodies[2] = bodies[2]?.replace(/\/Resources<<.*>>\/Contents/, '/Contents') ?? '';
  const { report } = await repairBytes(pdfOf(bodies), 'letter.pdf');
  expect(report.verdict, report.summary).toBe('partly');
});

it('takes content that something leads to, or of an earlier version, for none that a page lost', async () => {
  const kept = document((page) => page.replace('/Contents 9 0 R', '/PieceInfo<</Own<</Private 9 0 R>>>>'));
  expect((await repairBytes(kept, 'letter.pdf')).report).toMatchObject({ verdict: 'healthy', found: [] });
  const whole = document((page) => page);
  const table = whole.lastIndexOf('xref', whole.lastIndexOf('startxref') - 1);
  const page = `3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>\nendobj\n`;
  const at = String(whole.length).padStart(10, '0');
  const tail = `xref\n3 1\n${at} 00000 n \ntrailer\n<</Size 11/Root 1 0 R/Prev ${table}>>\nstartxref\n${whole.length + page.length}\n%%EOF\n`;
  const emptied = Buffer.concat([whole, Buffer.from(page + tail)]);
  expect((await repairBytes(emptied, 'letter.pdf')).report).toMatchObject({ verdict: 'healthy', found: [] });
});
