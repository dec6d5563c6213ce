import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const pixels = Buffer.from(scene(width, height, 6));
const packed: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, little: true, pixels },
  ...{ compression: 8, predictor: true, rowsPerStrip: 24, first: false },
};

const withMore = (bytes: Buffer, at: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), randomBytes(randomFrom(at), 1), bytes.subarray(at)]);

describe('a repair that no check sum proves', () => {
  it.each([20_011, 40_017, 60_023, 80_029])('is not called one where a byte was put in at %i', async (at) => {
    const { report, output } = await repairBytes(withMore(writeTiffLayout([packed]), at), 'photo.tif');
    if (report.verdict === 'repaired') {
      const shown = await sharp(output ?? Buffer.alloc(0))
        .raw()
        .toBuffer();
      expect(shown.equals(pixels)).toBe(true);
    }
    expect(report.verdict).not.toBe('unrepairable');
  });

  it('says that strips of JPEG hold a byte too many', async () => {
    const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .tiff({ compression: 'jpeg', quality: 90 })
      .toBuffer();
    expect((await repairBytes(bytes, 'photo.tif')).report.verdict).toBe('healthy');
    for (const at of [5_003, 11_009, 17_011]) {
      const { report } = await repairBytes(withMore(bytes, at), 'photo.tif');
      expect(report.verdict).not.toBe('repaired');
    }
  });
});
