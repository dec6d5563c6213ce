import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const row = width * 3;

/** A photo in plain strips, changed before it is written. */
function photo(change: (pixels: Buffer) => void = () => {}): Buffer {
  const pixels = Buffer.from(scene(width, height, 6).map((byte) => Math.max(1, byte)));
  change(pixels);
  const shape = { width, height, samples: 3, depth: 8, photometric: 2, little: true, first: true } as const;
  return writeTiffLayout([{ ...shape, pixels, compression: 1, rowsPerStrip: 40 }]);
}

/** The same with zeroes at a place in the middle of the file. */
function wiped(at: number, count: number): Buffer {
  const bytes = photo();
  bytes.fill(0, at, at + count);
  return bytes;
}

describe('zeroes in a plain TIFF', () => {
  it.each([
    ['a sector', 65_536, 512],
    ['a cluster', 65_536, 4096],
    ['500 bytes anywhere', 70_001, 500],
    ['the last fifth', 175_000, 60_000],
  ])('are told where %s of a photo is overwritten, and filled', async (_, at, count) => {
    const whole = photo();
    const bytes = wiped(at, Math.min(count, whole.length - at));
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).toContain('strips');
    const [before, after] = [
      await scoreAgainst('tif', whole, bytes),
      await scoreAgainst('tif', whole, output ?? Buffer.alloc(0)),
    ];
    expect(after).toBeGreaterThan(before);
  });

  it.each<[string, (pixels: Buffer) => void]>([
    ['a line', (pixels) => void pixels.fill(0, row * 60 + 30, row * 60 + 780)],
    ['a bar over all its width', (pixels) => void pixels.fill(0, row * 60, row * 90)],
    ['borders', (pixels) => void pixels.fill(0, 0, row * 20).fill(0, row * 200)],
    [
      'a box',
      (pixels) => {
        for (let y = 100; y < 130; y++) pixels.fill(0, y * row + 150, y * row + 750);
      },
    ],
  ])('are its own where they are %s in a photo', async (_, draw) => {
    const bytes = photo(draw);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('healthy');
    expect(output?.equals(bytes)).toBe(true);
  });
});

/** How far the samples of a picture are from those of another one, summed. */
async function farFrom(whole: Buffer, other: Buffer | null): Promise<number> {
  const samples = (file: Buffer) => sharp(file).raw().toBuffer();
  const [one, two] = [await samples(whole), await samples(other ?? Buffer.alloc(0))];
  return one.reduce((sum, byte, at) => sum + Math.abs(byte - (two[at] ?? 0)), 0);
}

describe('ones in a plain TIFF', () => {
  it.each([
    ['a sector', 512],
    ['a cluster', 4096],
  ])('are told where %s of a photo was erased, and filled', async (_, count) => {
    const whole = photo();
    const bytes = Buffer.from(whole).fill(0xff, 65_536, 65_536 + count);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).toContain('strips');
    expect(await farFrom(whole, output)).toBeLessThan((await farFrom(whole, bytes)) / 2);
  });

  it.each<[string, (pixels: Buffer) => void]>([
    ['a line', (pixels) => void pixels.fill(0xff, row * 60 + 30, row * 60 + 780)],
    ['a light that ends inside of pixels', (pixels) => void pixels.fill(0xff, row * 60 + 31, row * 60 + 602)],
    ['a bar over all its width', (pixels) => void pixels.fill(0xff, row * 60, row * 90)],
    ['borders', (pixels) => void pixels.fill(0xff, 0, row * 20).fill(0xff, row * 200)],
  ])('are its own where they are %s in a photo', async (_, draw) => {
    const bytes = photo(draw);
    const { report } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('healthy');
  });
});

describe('sectors of other files in the plain rows of a TIFF', () => {
  const [width, height] = [400, 300];
  const tiff = (pixels: Buffer) =>
    writeTiffLayout([
      {
        width,
        height,
        samples: 3,
        depth: 8,
        photometric: 2,
        little: true,
        pixels,
        compression: 1,
        rowsPerStrip: 16,
        first: false,
      },
    ]);
  const photo = async () => tiff(await picture(width, height, 91).blur(1.5).raw().toBuffer());

  it('are told and filled where they fit neither the rows above nor those below', async () => {
    const whole = await photo();
    const bytes = Buffer.from(whole);
    const random = randomFrom(5);
    for (const at of [20, 52]) randomBytes(random, 4096).copy(bytes, at * 4096);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict, report.summary).toBe('partly');
    expect(await scoreAgainst('tif', whole, bytes)).toBeLessThan(0.97);
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.98);
  });

  it('are not seen in thin lines that were drawn', async () => {
    const pixels = await picture(width, height, 92).blur(1.5).raw().toBuffer();
    for (let line = 5; line < height; line += 9) pixels.fill(0, line * width * 3, (line + 1) * width * 3);
    const { report } = await repairBytes(tiff(pixels), 'photo.tif');
    expect(report.verdict, report.summary).toBe('healthy');
  });
});
