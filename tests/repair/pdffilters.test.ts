import { deflateSync } from 'node:zlib';
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

it('leaves data alone that a program packed for itself', async () => {
  const { report } = await repairBytes(document('/Filter/FlateDecode', ''), 'letter.pdf');
  expect(report).toMatchObject({ verdict: 'healthy', found: [] });
});
