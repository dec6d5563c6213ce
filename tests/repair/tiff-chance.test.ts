import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const row = width * 3;
const pixels = Buffer.from(scene(width, height, 6));
const plain: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, little: true, pixels },
  ...{ compression: 1, rowsPerStrip: 40, first: true },
};

/** Each sample as two bytes of the same value, in the order of the file. */
const wide = Buffer.from([...pixels].flatMap((byte) => [byte, byte]));

/** A page of black bars on white paper, of which each bit is a pixel. */
const bits = Buffer.alloc(150 * 900, 255);
for (let y = 0; y < 900; y++) if (y % 24 > 14) bits.fill(0, y * 150 + 20, y * 150 + 20 + ((y >> 4) % 7) * 15);
const page: TiffLayout = { ...plain, width: 1200, height: 900, samples: 1, depth: 1, photometric: 1, pixels: bits };

/** A file with random bytes over a stretch of it. */
function overwritten(layout: TiffLayout, from: number, to: number): Buffer {
  const bytes = writeTiffLayout([layout]);
  randomBytes(randomFrom(3), Math.min(to, bytes.length) - from).copy(bytes, from);
  return bytes;
}

const verdictOf = async (bytes: Buffer): Promise<string> => (await repairBytes(bytes, 'photo.tif')).report.verdict;

describe('bytes of chance in a plain TIFF', () => {
  it.each<[string, TiffLayout, number, number]>([
    ['a sector', plain, 65_536, 66_048],
    ['a cluster of samples of 16 bits', { ...plain, depth: 16, pixels: wide }, 65_536, 69_632],
    ['a cluster of tiles', { ...plain, tile: 64 }, 65_536, 69_632],
    ['a cluster of planes', { ...plain, planes: true }, 65_536, 69_632],
    ['a cluster of a page of bits', page, 65_536, 69_632],
    ['all from inside of a sector on', plain, 100_333, 1 << 20],
  ])('are told where they are %s', async (_, layout, from, to) => {
    expect(await verdictOf(writeTiffLayout([layout]))).toBe('healthy');
    expect(await verdictOf(overwritten(layout, from, to))).toBe('partly');
  });

  it.each<[string, TiffLayout]>([
    ['a photo', { ...plain, first: false }],
    ['tiles', { ...plain, tile: 64, first: false }],
    ['a page of bits', { ...page, first: false }],
  ])('make no repair of %s whose first half they are, to inside of a sector', async (_, layout) => {
    expect(await verdictOf(overwritten(layout, 0, 80_333))).not.toBe('repaired');
  });

  it.each<[string, number, number]>([
    ['a band over all its width', 0, width],
    ['a box about as wide as a sector', 40, 211],
  ])('are its own where they are %s', async (_, left, right) => {
    const drawn = Buffer.from(pixels);
    for (let y = 60; y < 160; y++) randomBytes(randomFrom(y), (right - left) * 3).copy(drawn, y * row + left * 3);
    expect(await verdictOf(writeTiffLayout([{ ...plain, pixels: drawn }]))).toBe('healthy');
  });

  it('and zeroes in planes are told and filled', async () => {
    const whole = writeTiffLayout([
      { ...plain, pixels: Buffer.from(pixels.map((byte) => Math.max(1, byte))), planes: true },
    ]);
    const bytes = Buffer.from(whole);
    bytes.fill(0, 65_536, 69_632);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    const gapOf = async (file: Buffer) => {
      const [own, right] = [await sharp(file).raw().toBuffer(), await sharp(whole).raw().toBuffer()];
      return right.reduce((sum, byte, at) => sum + Math.abs(byte - (own[at] ?? 0)), 0);
    };
    expect(await gapOf(output ?? Buffer.alloc(0))).toBeLessThan((await gapOf(bytes)) / 3);
  });
});
