import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { exchanged } from './support/exchanged';
import { writeJpeg } from './support/originals/jpegwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [960, 640];

/** A photo with a restart marker behind so many MCUs; 0 for none. */
const photo = (restart: number): Buffer =>
  writeJpeg(scene(width, height, 31), width, height, {
    quality: 90,
    horizontal: 2,
    vertical: 1,
    restart,
    segments: [],
  });

const [plain, marked] = [photo(0), photo(60)];

const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

describe('pieces of a JPEG that stand in each other’s place', () => {
  it.each([
    ['clusters', plain, 4096, [[3, 9]]],
    ['sectors', plain, 512, [[40, 71]]],
    [
      'several clusters',
      plain,
      4096,
      [
        [2, 11],
        [5, 8],
      ],
    ],
    ['clusters among restart markers', marked, 4096, [[4, 10]]],
    ['sectors among restart markers', marked, 512, [[33, 90]]],
  ] as const)('puts %s back', async (_, whole, size, pairs) => {
    const { report, output } = await repairBytes(exchanged(whole, pairs, size), 'photo.jpg');
    expect(report.verdict).toBe('repaired');
    expect(report.found.filter(({ kind }) => kind === 'exchanged')).toHaveLength(pairs.length);
    expect((await pixels(output ?? Buffer.alloc(0))).equals(await pixels(whole))).toBe(true);
  });

  it('finds none where something else was written over a cluster', async () => {
    const lost = Buffer.from(plain);
    randomBytes(randomFrom(7), 4096).copy(lost, 5 * 4096);
    const { report } = await repairBytes(lost, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).not.toContain('exchanged');
  });
});
