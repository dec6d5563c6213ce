import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [700, 500];

/** A sky with bands of cloud: six pixels aside differ by less than two rows do. */
function sky(): Buffer {
  const data = Buffer.alloc(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    const light = 120 + 70 * Math.sin(x / 500) + 30 * Math.cos(y / 9);
    data.set([light * 0.7, light * 0.85, Math.min(255, light + 10)].map(Math.round), place * 3);
  }
  return data;
}

describe('a plain TIFF of a smooth picture', () => {
  it('has rows as long as a picture has, without its directory', async () => {
    const layout: TiffLayout = {
      width,
      height,
      samples: 3,
      depth: 8,
      photometric: 2,
      pixels: sky(),
      little: true,
      first: false,
      compression: 1,
      rowsPerStrip: 100,
    };
    const whole = writeTiffLayout([layout]);
    const bytes = Buffer.from(whole).fill(0, 8 + width * height * 3);
    const { output, report } = await repairBytes(bytes, 'sky.tif');
    expect(report.verdict).toBe('partly');
    expect(output && (await scoreAgainst('tif', whole, output))).toBeGreaterThan(0.95);
  });
});
