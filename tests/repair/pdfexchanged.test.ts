import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchanged } from './support/exchanged';
import { originals } from './support/originals';
import { pdfOf } from './support/pdfwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

const all = await originals();
const of = (writer: string): Buffer =>
  all.find((one) => one.writer === writer && one.format === 'pdf')?.bytes ?? Buffer.alloc(0);
const office = of('libreoffice');
const bundled = of('pdf-lib with object streams');

/** A document of one page that shows two pictures which no sum vouches for, and text behind each. */
function withPictures(): Buffer {
  const random = randomFrom(7);
  const picture = () => randomBytes(random, 20_000);
  const image = '/Type/XObject/Subtype/Image/Width 100/Height 200/BitsPerComponent 8/ColorSpace/DeviceGray';
  const stream = (entries: string, data: Buffer) =>
    Buffer.concat([Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`), data, Buffer.from('\nendstream')]);
  const text = deflateSync(Buffer.from('BT /F1 24 Tf 72 700 Td (The ferry leaves at seven) Tj ET /P1 Do /P2 Do\n'));
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 4 0 R>>'),
    stream(image, picture()),
    Buffer.from(font),
    Buffer.from('<</Type/Pages/Kids[5 0 R]/Count 1>>'),
    Buffer.from(
      '<</Type/Page/Parent 4 0 R/MediaBox[0 0 600 800]/Contents 6 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</P1 2 0 R/P2 7 0 R>>>>>>',
    ),
    stream('/Filter/FlateDecode', text),
    stream(image, picture()),
  ];
  return pdfOf(objects.map((object) => object.toString('latin1')));
}

const pictures = withPictures();

describe('pieces of a PDF that stand in each other’s place', () => {
  it.each([
    ['clusters of packed text and fonts', office, 4096, [[1, 9]]],
    ['clusters of the head and a font', office, 4096, [[0, 6]]],
    ['the cluster with the table', office, 4096, [[4, 13]]],
    ['sectors', office, 512, [[20, 71]]],
    [
      'several clusters',
      office,
      4096,
      [
        [2, 11],
        [5, 8],
      ],
    ],
    ['clusters of a document whose table is packed', bundled, 1024, [[0, 2]]],
    ['objects that came to lie in a picture', pictures, 4096, [[4, 7]]],
  ] as const)('are put back: %s', async (_, whole, size, pairs) => {
    const sound = await repairBytes(whole, 'a.pdf');
    expect(sound.report.verdict).toBe('healthy');
    const { report } = await repairBytes(exchanged(whole, pairs, size), 'a.pdf');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.steps.map(({ name }) => name)).toContain('Put pieces back');
    expect(report.found.some(({ detail }) => detail.includes('each other’s place'))).toBe(true);
    expect(report.kept).toEqual(sound.report.kept);
  });

  it('are none where something else was written over', async () => {
    const other = Buffer.from(office);
    randomBytes(randomFrom(5), 4096).copy(other, 5 * 4096);
    const { report } = await repairBytes(other, 'a.pdf');
    expect(report.verdict).toBe('partly');
    expect(report.steps.map(({ name }) => name)).not.toContain('Put pieces back');
  });

  it('are none where a piece is lost, and all behind it stands elsewhere', async () => {
    const { report } = await repairBytes(Buffer.concat([office.subarray(0, 4096), office.subarray(8192)]), 'a.pdf');
    expect(report.steps.map(({ name }) => name)).not.toContain('Put pieces back');
  });
});
