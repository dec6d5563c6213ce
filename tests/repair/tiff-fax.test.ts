import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const [width, height] = [800, 600];

/** Lines of marks as long and as far apart as words are, with empty paper between them. */
function page(): Buffer {
  const random = randomFrom(11);
  const data = Buffer.alloc(width * height, 255);
  for (let top = 30; top < height - 40; top += 24)
    for (let left = 40; left < width - 60; left += 14)
      if (random() < 0.8)
        for (let y = 0; y < 14; y++)
          for (let x = 0; x < 9; x++) if ((x * 7 + y * 5 + left * 3) % 11 < 5) data[(top + y) * width + left + x] = 0;
  return data;
}

const fax = () =>
  sharp(page(), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1 })
    .toBuffer();

/** Where the middle of the packed data stands. */
const middle = (bytes: Buffer) => Math.floor(bytes.length / 2);

function overwritten(bytes: Buffer): Buffer {
  randomBytes(randomFrom(3), 96).copy(bytes, middle(bytes));
  return bytes;
}

describe('a TIFF of fax (ITU-T T.6)', () => {
  it('is sound as it was written', async () => {
    expect((await repairBytes(await fax(), 'fax.tif')).report.verdict).toBe('healthy');
  });

  it.each([
    [
      'one byte is another',
      (bytes: Buffer) => bytes.fill((bytes[middle(bytes)] ?? 0) ^ 0xff, middle(bytes), middle(bytes) + 1),
    ],
    ['a piece was overwritten', (bytes: Buffer) => overwritten(bytes)],
  ])('goes on behind it where %s', async (_, damage) => {
    const whole = await fax();
    const bytes = damage(Buffer.from(whole));
    const { output, report } = await repairBytes(bytes, 'fax.tif');
    expect(report.verdict).toBe('partly');
    expect(output && (await scoreAgainst('tif', whole, output))).toBeGreaterThan(0.9);
  });
});
