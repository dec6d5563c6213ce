import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

describe('a page of a TIFF whose only strip is lost', () => {
  it('is not made of the strip of another page', async () => {
    const one: TiffLayout = {
      width: 160,
      height: 120,
      samples: 3,
      depth: 8,
      photometric: 2,
      pixels: scene(160, 120, 3),
      little: true,
      first: false,
      compression: 5,
      rowsPerStrip: 120,
    };
    const noisy = Buffer.from(scene(160, 120, 8).map((byte, at) => byte ^ ((at * 37) & 3)));
    const whole = writeTiffLayout([one, { ...one, pixels: noisy }]);
    const bytes = Buffer.from(whole);
    const second = bytes.lastIndexOf(Buffer.from('8000', 'hex'), bytes.length - 400);
    randomBytes(randomFrom(4), 4000).copy(bytes, Math.max(second, bytes.length - 30_000));
    const { report } = await repairBytes(bytes, 'pages.tif');
    expect(report.verdict).not.toBe('repaired');
  });
});
