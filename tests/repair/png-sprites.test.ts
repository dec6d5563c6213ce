import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { firstGarbage } from '../../lib/repair/core/deflate/garbage';
import type { Mended } from '../../lib/repair/core/deflate/mended';
import { Holes } from '../../lib/repair/core/deflate/rowreader';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const [width, height] = [200, 180];
const raw = { width, height, channels: 4 } as const;

/** A thing on nothing, with a soft edge and shading: its samples. */
function sprite(seed: number): Buffer {
  const random = randomFrom(seed);
  const samples = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const away = Math.hypot(x - 100, (y - 90) * 1.1) + 12 * Math.sin(Math.atan2(y - 90, x - 100) * 5);
      const opacity = Math.max(0, Math.min(255, Math.round((80 - away) * 64)));
      if (opacity === 0) continue;
      const shade = 0.5 + x / 400 + Math.sin(y / 9) / 8 + random() / 12;
      samples.set([210 * shade, 40 * shade, (y % 40 < 20 ? 30 : 60) * shade, opacity], (y * width + x) * 4);
    }
  return samples;
}

/** The share of pixels that look the same on black, within 16 levels. */
async function alike(before: Buffer, png: Buffer): Promise<number> {
  const after = await sharp(png).ensureAlpha().raw().toBuffer();
  const seen = (samples: Buffer, at: number, more: number) =>
    ((samples[at + more] ?? 0) * (samples[at + 3] ?? 0)) / 255;
  let same = 0;
  for (let at = 0; at < before.length; at += 4)
    if ([0, 1, 2].every((more) => Math.abs(seen(before, at, more) - seen(after, at, more)) <= 16)) same++;
  return same / (width * height);
}

/** The share of pixels that are half seen. */
async function halfSeen(png: Buffer): Promise<number> {
  const after = await sharp(png).ensureAlpha().raw().toBuffer();
  let half = 0;
  for (let at = 3; at < after.length; at += 4) if ((after[at] ?? 0) > 24 && (after[at] ?? 0) < 232) half++;
  return half / (width * height);
}

describe('a thing on nothing of which a sector was written over', () => {
  it.each([1, 2, 3, 4, 5, 6])('is seen as it was, and not half of it through: %i', async (seed) => {
    const samples = sprite(seed);
    const whole = await sharp(samples, { raw }).png({ adaptiveFiltering: true, compressionLevel: 9 }).toBuffer();
    const random = randomFrom(seed);
    const same: number[] = [];
    for (const value of [0, 255]) {
      const at = Math.floor((whole.length * (0.3 + random() * 0.3)) / 512) * 512;
      const bytes = Buffer.from(whole).fill(value, at, at + 512);
      const { report, output } = await repairBytes(bytes, 'thing.png');
      expect(report.verdict).toBe('partly');
      const png = output ?? Buffer.alloc(0);
      same.push(await alike(samples, png));
      // 0.04 as it was drawn.
      expect(await halfSeen(png)).toBeLessThan(0.06);
    }
    expect((same[0] ?? 0) + (same[1] ?? 0)).toBeGreaterThan(1.5);
  });
});

describe('stretches that were written over', () => {
  const holes = new Holes([
    { from: 800, to: 4896 },
    { from: 8000, to: 8512 },
  ]);

  it('begin where they say, for what is read before them', () => {
    expect([0, 799, 4895, 4896, 9000].map((bit) => holes.from(bit))).toEqual([
      800,
      800,
      800,
      8000,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('end what reaches into them', () => {
    expect([0, 790, 1000, 5000, 7990].map((bit) => holes.behind(bit))).toEqual([0, 4896, 4896, 5000, 8512]);
  });

  it('are no sign that what leads up to them was read wrongly', () => {
    const ends = new Uint16Array(64).fill(16);
    const breaks = new Uint16Array(64);
    breaks[5] = 3;
    const read = (isHole: boolean) =>
      firstGarbage({ ends, breaks, gaps: [{ bit: 0, from: 20, to: 24, isHole }] } as unknown as Mended, 64);
    expect([read(false), read(true)]).toEqual([5, 64]);
  });
});
