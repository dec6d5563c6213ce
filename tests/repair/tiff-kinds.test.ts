import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const paper = 250;

/** Frames, bars and fine lines of several colours on paper, each at a place of its own; as greys with `samples` 1. */
function drawing(samples: 1 | 3): Buffer {
  const pixels = Buffer.alloc(width * height * samples, paper);
  const box = (left: number, top: number, wide: number, high: number, colour: readonly number[]) => {
    for (let y = top; y < Math.min(height, top + high); y++)
      for (let x = left; x < Math.min(width, left + wide); x++)
        for (let sample = 0; sample < samples; sample++)
          pixels[(y * width + x) * samples + sample] = colour[sample] ?? 0;
  };
  for (let index = 0; index < 18; index++) {
    const colour = [(index * 67) % 251, (index * 131) % 241, (index * 29) % 239];
    const [left, top] = [(index * 83) % 280, (index * 53) % 220];
    if (index % 2 === 0) box(left, top, 8 + (index % 23), 9 + (index % 13), colour);
    else for (let line = 0; line < 10; line++) box(left + line * 4, top, 1 + (line & 1), 12, colour);
  }
  return pixels;
}

const grey = Buffer.from(scene(width, height, 6).filter((_, at) => at % 3 === 1));

/** The picture in packed strips without its directory, which stands behind them. */
function withoutDirectory(pixels: Buffer, samples: 1 | 3): { whole: Buffer; cut: Buffer } {
  const kind = { samples, depth: 8, photometric: samples === 3 ? 2 : 1, little: true } as const;
  const whole = writeTiffLayout([{ width, height, ...kind, pixels, compression: 8, rowsPerStrip: 40, first: false }]);
  return { whole, cut: whole.subarray(0, whole.readUInt32LE(4)) };
}

describe('a TIFF without its directory', () => {
  it.each([
    ['a grey photo', grey, 1],
    ['a grey drawing', drawing(1), 1],
    ['a coloured drawing', drawing(3), 3],
    ['a coloured photo', Buffer.from(scene(width, height, 6)), 3],
  ] as const)('keeps the width of %s, which three greys for a pixel would make a third', async (_, pixels, samples) => {
    const { whole, cut } = withoutDirectory(pixels, samples);
    const { report, output } = await repairBytes(cut, 'picture.tif');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('300 × 240');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.95);
    const lost = report.lost.map(({ detail }) => detail).join(' ');
    expect(lost.includes('had it a table of colours')).toBe(samples === 1);
  });
});

describe('a TIFF of numbers with a fraction', () => {
  it('is sound, or damaged where it cannot be unpacked', async () => {
    const image = sharp(Buffer.from(scene(width, height, 6)), { raw: { width, height, channels: 3 } });
    const whole = await image.toColourspace('scrgb').tiff({ compression: 'deflate', predictor: 'float' }).toBuffer();
    expect((await repairBytes(whole, 'picture.tif')).report.verdict).toBe('healthy');
    const bytes = Buffer.from(whole);
    randomBytes(randomFrom(7), 600).copy(bytes, 40_000);
    const { report } = await repairBytes(bytes, 'picture.tif');
    expect(report).toMatchObject({ verdict: 'unrepairable', reason: 'reads-best-as-is' });
  });
});
