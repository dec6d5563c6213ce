import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [330, 240];
const told: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, little: true, pixels: scene(width, height, 9) },
  ...{ compression: 1, rowsPerStrip: height, first: true },
};

/** Bars of all colours on paper, as diagrams have them. */
function diagram(): Buffer {
  const random = randomFrom(17);
  const pixels = Buffer.alloc(width * height * 3, 255);
  for (let bar = 0; bar < 60; bar++) {
    const [left, top, across] = [Math.floor(random() * 280), Math.floor(random() * 200), 8 + Math.floor(random() * 40)];
    const colour = [random(), random(), random()].map((part) => Math.floor(part * 200));
    for (let y = top; y < top + 6 + bar / 2 && y < height; y++)
      for (let x = left; x < left + across; x++)
        for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = colour[c] ?? 0;
  }
  return pixels;
}

/** The file with two pieces of it in each other's place. */
function exchanged(bytes: Buffer, first: number, second: number, size: number): Buffer {
  const result = Buffer.from(bytes);
  bytes.copy(result, first, second, second + size);
  bytes.copy(result, second, first, first + size);
  return result;
}

describe('pieces of plain rows in each other’s place', () => {
  it.each<[string, Partial<TiffLayout>, number, number, number]>([
    ['sectors', {}, 61_440, 150_016, 512],
    ['clusters', {}, 61_440, 151_552, 4096],
    ['large clusters', {}, 65_536, 147_456, 16_384],
    ['clusters before the directory', { first: false, rowsPerStrip: 8 }, 61_440, 151_552, 4096],
  ])('are put back: %s', async (_, shape, first, second, size) => {
    const whole = writeTiffLayout([{ ...told, ...shape }]);
    const { report, output } = await repairBytes(exchanged(whole, first, second, size), 'photo.tif');
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(report.verdict).toBe('partly');
    expect(output?.equals(whole)).toBe(true);
  });

  it('are none in diagrams, rules over all the width, and fine patterns', async () => {
    const rules = Buffer.alloc(512 * height, 255);
    rules.fill(20, 0, 512 * 80);
    const random = randomFrom(5);
    for (let rule = 0; rule < 40; rule++) {
      const line = Math.floor(random() * height);
      rules.fill(line < 80 ? 255 : 0, line * 512, line * 512 + 512);
    }
    const grey = { width: 512, samples: 1, photometric: 1 } as const;
    const checks = Buffer.from(
      Array.from({ length: 512 * height }, (_, at) => ((at & 1) ^ ((at >> 10) & 1) ? 255 : 0)),
    );
    for (const layout of [
      { ...told, pixels: diagram() },
      { ...told, ...grey, pixels: rules },
      { ...told, ...grey, pixels: checks },
    ]) {
      const { report } = await repairBytes(writeTiffLayout([layout]), 'drawn.tif');
      expect(report.verdict).toBe('healthy');
    }
  });
});
