import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [320, 240];

/** Four samples a pixel, made of red, green and blue. */
function four(of: (red: number, green: number, blue: number, place: number) => readonly number[]): Buffer {
  const colours = scene(width, height, 9);
  const data = Buffer.alloc(width * height * 4);
  for (let place = 0; place < width * height; place++)
    data.set(of(colours[place * 3] ?? 0, colours[place * 3 + 1] ?? 0, colours[place * 3 + 2] ?? 0, place), place * 4);
  return data;
}

const inks = (red: number, green: number, blue: number) => [255 - red, 255 - green, 255 - blue, 0];
const withBlack = (red: number, green: number, blue: number) => {
  const most = Math.max(red, green, blue, 1);
  return [...[red, green, blue].map((one) => Math.round(255 - (one * 255) / most)), 255 - most];
};
const opaque = (red: number, green: number, blue: number, place: number) =>
  place % width < 40 ? [0, 0, 0, 0] : [red, green, blue, 255];

describe('a plain TIFF of four samples that lost its directory', () => {
  it.each([
    ['of inks, none of them black', 5, inks],
    ['of inks with black', 5, withBlack],
    ['with opacity', 2, opaque],
    ['with the same opacity all over', 2, (red: number, green: number, blue: number) => [red, green, blue, 178]],
  ])('%s keeps its colours', async (_, photometric, of) => {
    const layout: TiffLayout = {
      width,
      height,
      samples: 4,
      depth: 8,
      photometric,
      pixels: four(of),
      little: true,
      first: false,
      compression: 1,
      rowsPerStrip: height,
    };
    const whole = writeTiffLayout([layout]);
    const bytes = Buffer.from(whole.subarray(0, 8 + width * height * 4));
    const { output, report } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(output && (await scoreAgainst('tif', whole, output))).toBeGreaterThan(0.9);
  });
});
