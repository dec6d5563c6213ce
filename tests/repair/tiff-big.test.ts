import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const [width, height] = [480, 360];
const photo = scene(width, height, 12);
const written = (compression: 'none' | 'lzw' | 'deflate', bigtiff: boolean, tile = false) =>
  sharp(photo, { raw: { width, height, channels: 3 } })
    .tiff({ compression, predictor: 'none', bigtiff, tile })
    .toBuffer();
const bigHead = Buffer.from('49492b0008000000', 'hex');

/** A copy with something written over it, from a place on. */
function overwritten(bytes: Buffer, at: number, piece: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  piece.copy(copy, at);
  return copy;
}

describe('a BigTIFF', () => {
  it.each([
    ['none', false],
    ['lzw', true],
    ['deflate', false],
  ] as const)('is healthy as a sound one is written: %s, in tiles: %s', async (compression, tile) => {
    const whole = await written(compression, true, tile);
    expect(whole.subarray(0, 8)).toEqual(bigHead);
    expect((await repairBytes(whole, 'photo.tif')).report.verdict).toBe('healthy');
  });

  it.each([
    ['a wrong bit that the check sum of a strip shows', 'deflate', 0.97],
    ['a strip of LZW that is overwritten', 'lzw', 0.8],
    ['plain rows that are overwritten', 'none', 0.97],
  ] as const)('is not called sound with %s', async (_, compression, least) => {
    const whole = await written(compression, true);
    const at = whole.length >> 1;
    const bad =
      compression === 'deflate'
        ? overwritten(whole, at, Buffer.from([(whole[at] ?? 0) ^ 8]))
        : overwritten(whole, at & ~4095, randomBytes(randomFrom(3), compression === 'lzw' ? 512 : 4096));
    const { report, output } = await repairBytes(bad, 'photo.tif');
    expect(report.verdict).not.toBe('healthy');
    expect(output?.subarray(0, 8)).toEqual(bigHead);
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(least);
  });

  it('is found by its directory where its head is gone, and stays one', async () => {
    const whole = await written('none', true);
    const { report, output } = await repairBytes(overwritten(whole, 0, Buffer.alloc(64)), 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(output?.subarray(0, 8)).toEqual(bigHead);
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.99);
  });
});

describe('a TIFF of whose rows bytes were put in the middle, which moved its directory', () => {
  it.each([false, true])(
    'is read where its lists of places moved to, though they were told to be where that is now, BigTIFF: %s',
    async (bigtiff) => {
      const whole = await written('none', bigtiff);
      const half = whole.length >> 1;
      const longer = Buffer.concat([whole.subarray(0, half), randomBytes(randomFrom(5), 120), whole.subarray(half)]);
      const { report, output } = await repairBytes(longer, 'photo.tif');
      expect(report.verdict).toBe('partly');
      expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.9);
    },
  );
});
