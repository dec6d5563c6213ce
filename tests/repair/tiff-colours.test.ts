import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [320, 240];
const sector = 512;
const photo = scene(width, height, 6);

/** Numbers of `count` colours, by how light the photo is; `paper` of every eight lines have the last one alone. */
const numbers = (count: number, paper = 0): Buffer =>
  Buffer.from(
    Array.from({ length: width * height }, (_, at) =>
      Math.floor(at / width) % 8 < paper ? count - 1 : Math.floor(((photo[at * 3] ?? 0) * count) / 256),
    ),
  );

/** A table of three colours, each from 0 to 255 by the number of the colour. */
const table = (colour: (index: number) => [number, number, number]): number[] => {
  const colours = Array.from({ length: 256 }, (_, index) => colour(index));
  return [0, 1, 2].flatMap((part) => colours.map((one) => (one[part] ?? 0) * 257));
};
const many = table((index) => [255 - index, 64 + ((index * 3) % 190), 20 + (index >> 1)]);
const drawn = table((index) => (index < 40 ? [60 + index * 5, 255 - index * 4, 30 + index * 5] : [0, 0, 0]));

const layout = (pixels: Buffer, palette: readonly number[]): TiffLayout => ({
  ...{ width, height, samples: 1, depth: 8, photometric: 3, little: true, pixels, palette },
  ...{ compression: 1, rowsPerStrip: 32, first: false },
});

/** Where the table stands. */
function tableAt(bytes: Buffer): number {
  const directory = bytes.readUInt32LE(4);
  for (let at = directory + 2; at < directory + 2 + bytes.readUInt16LE(directory) * 12; at += 12)
    if (bytes.readUInt16LE(at) === 320) return bytes.readUInt32LE(at + 8);
  return 0;
}

const repair = async (bytes: Buffer) => (await repairBytes(bytes, 'photo.tif')).report;

describe('the table of colours of a TIFF', () => {
  it.each([
    ['of many colours', many],
    ['of green alone', table((index) => [0, index, 0])],
    ['of red and green that go together', table((index) => [index, index, 0])],
    ['of red and blue that do not', table((index) => [index, 0, (index * 7) % 256])],
    [
      'from black over red to white',
      table((index) => [Math.min(255, index * 3), Math.min(255, Math.max(0, index * 3 - 255)), 0]),
    ],
    ['with black for the first hundred', table((index) => (index < 100 ? [0, 0, 0] : [index, index, index]))],
    ['of values that eight bits do not make', many.map((value, index) => Math.max(0, value - (index % 11)))],
  ])('is sound %s', async (_, palette) => {
    for (const pixels of [numbers(256), numbers(256, 3)]) {
      const report = await repair(writeTiffLayout([layout(pixels, palette)]));
      expect(report.verdict, report.summary).toBe('healthy');
    }
  });

  it('is sound with fewer colours than it has room for', async () => {
    const report = await repair(writeTiffLayout([layout(numbers(40, 5), drawn)]));
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it.each([
    ['a sector of zeroes', (bytes: Buffer, at: number) => bytes.fill(0, at, at + sector)],
    ['bytes of chance', (bytes: Buffer, at: number) => randomBytes(randomFrom(3), sector).copy(bytes, at)],
    ['nothing but zeroes', (bytes: Buffer) => bytes.fill(0, tableAt(bytes), tableAt(bytes) + 1536)],
  ])('is not sound with %s', async (_, damage) => {
    const bytes = writeTiffLayout([layout(numbers(256), many)]);
    damage(bytes, Math.ceil(tableAt(bytes) / sector) * sector);
    const report = await repair(bytes);
    expect(report.verdict).toBe('unrepairable');
    expect(report.found).toMatchObject([{ kind: 'directory' }]);
  });

  it('is not sound where zeroes took a colour of white paper among those that are not used', async () => {
    const paper = table((index) =>
      index === 39 ? [255, 255, 255] : index < 39 ? [60 + index, 200 - index, index] : [0, 0, 0],
    );
    const bytes = writeTiffLayout([layout(numbers(40, 5), paper)]);
    const at = tableAt(bytes);
    const green = at + sector;
    const start = Math.floor(green / sector) * sector;
    bytes.fill(0, start, start + sector);
    // The sector holds all numbers of green that are used.
    if (start + sector < green + 80) bytes.fill(0, start + sector, start + 2 * sector);
    expect((await repair(bytes)).verdict).toBe('unrepairable');
  });
});

describe('what is wiped elsewhere in a TIFF', () => {
  it('is told of places of strips, which follow from the others', async () => {
    const whole = writeTiffLayout([
      { ...layout(photo, []), samples: 3, photometric: 2, palette: undefined, rowsPerStrip: 1 } as TiffLayout,
    ]);
    const directory = whole.readUInt32LE(4);
    const bytes = Buffer.from(whole);
    for (let at = directory + 2; at < directory + 2 + whole.readUInt16LE(directory) * 12; at += 12)
      if (whole.readUInt16LE(at) === 273)
        bytes.fill(0, whole.readUInt32LE(at + 8) + 200, whole.readUInt32LE(at + 8) + 600);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(await scoreAgainst('tif', whole, output ?? bytes)).toBe(1);
  });

  it('is told of rows of bits, by sectors that begin and end in the middle of rows', async () => {
    const pixels = Buffer.alloc((width / 8) * height, 0xff);
    for (let y = 20; y < 220; y += 9) pixels.fill(0x3c, (y * width) / 8 + 4, (y * width) / 8 + 30);
    const bits = {
      ...layout(pixels, []),
      depth: 1,
      photometric: 1,
      palette: undefined,
      rowsPerStrip: height,
    } as TiffLayout;
    const whole = writeTiffLayout([bits]);
    expect((await repair(whole)).verdict).toBe('healthy');
    const { report, output } = await repairBytes(Buffer.from(whole).fill(0, 4096, 6144), 'page.tif');
    expect(report.verdict, report.summary).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.7);
  });
});
