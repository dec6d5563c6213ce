import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { pdfOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

/** A document of one page, whose content has these entries beside its length; `beside` are those of another stream that nothing shows. */
function document(entries: string, beside: string | null = null): Buffer {
  const packed = deflateSync(Buffer.from('BT /F1 24 Tf 72 700 Td (The ferry leaves at seven) Tj ET\n'));
  const stream = (more: string) =>
    Buffer.concat([Buffer.from(`<<${more}/Length ${packed.length}>>\nstream\n`), packed, Buffer.from('\nendstream')]);
  const font = '<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>';
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R/PieceInfo<</Own<</Private 5 0 R>>>>>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font${font}>>>>`),
    stream(entries),
    beside === null ? Buffer.from('null') : stream(beside),
  ];
  return pdfOf(objects.map((object) => object.toString('latin1')));
}

it.each(['/Filtre/FlateDecode', ''])(
  'names the filter of page content again that has “%s” in its stead',
  async (entry) => {
    const { report, output } = await repairBytes(document(entry), 'letter.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ detail }) => detail).join()).toContain('does not say that its data is packed');
    const again = await repairBytes(output ?? Buffer.alloc(0), 'letter.pdf');
    expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
    expect(again.report.kept).toContainEqual(expect.objectContaining({ unit: 'words', count: 5 }));
  },
);

it.each(['/Filter/LZWDecode', '/Filter/DCTDecode', '/Filter[/ASCIIHexDecode]'])(
  'names the filter of page content that says %s and is zlib data',
  async (entry) => {
    const { report, output } = await repairBytes(document(entry), 'letter.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ detail }) => detail).join()).toContain('another way of packing');
    const again = await repairBytes(output ?? Buffer.alloc(0), 'letter.pdf');
    expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
    expect(again.report.kept).toContainEqual(expect.objectContaining({ unit: 'words', count: 5 }));
  },
);

/** A document of one page with a picture in a stream of these entries. */
async function withPhoto(entries: string, width = 64): Promise<Buffer> {
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a06030' } })
    .jpeg()
    .toBuffer();
  const content = 'q 300 0 0 200 72 400 cm /I1 Do Q\n';
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</I1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Type/XObject/Subtype/Image/Width ${width}/Height 48/ColorSpace/DeviceRGB/BitsPerComponent 8${entries}/Length ${photo.length}>>\nstream\n${photo.toString('latin1')}\nendstream`,
  ]);
}

it.each(['', '/Filtre/DCTDecode', '/Filter/LZWDecode', '/Filter/FlateDecode'])(
  'says that a picture is a JPEG whose stream has “%s” for its filter',
  async (entries) => {
    const { report, output } = await repairBytes(await withPhoto(entries), 'photo.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.toString('latin1')).toMatch(/\/Filter ?\/DCTDecode/);
    const again = await repairBytes(output ?? Buffer.alloc(0), 'photo.pdf');
    expect(again.report).toMatchObject({ verdict: 'healthy', found: [] });
  },
);

it('takes no JPEG of another size than a picture has for its data', async () => {
  const { report } = await repairBytes(await withPhoto('', 65), 'photo.pdf');
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});

it('leaves data alone that a program packed for itself', async () => {
  const { report } = await repairBytes(document('/Filter/FlateDecode', ''), 'letter.pdf');
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});
