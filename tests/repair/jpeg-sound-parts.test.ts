import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const jpeg = (pixels: Buffer, width: number, height: number, quality: number): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();

const withHole = (bytes: Buffer, share: number, size: number): Buffer => {
  const at = Math.floor(bytes.length * share);
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(size), bytes.subarray(at + size)]);
};

/** A photo of a sign: motley above and dark below, with an edge that goes on one row of blocks lower on its left side. */
function sign(width: number, height: number, dark: number, from: number, seed = 3, top = 128): Promise<Buffer> {
  const random = randomFrom(seed);
  const data = Buffer.from(scene(width, height, seed));
  const tops = Array.from({ length: width >> 4 }, () => 90 + random() * 150);
  for (let x = 0; x < width; x++) {
    const edge = x >= from ? 160 : 176;
    for (let y = top; y < height; y++)
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 3 + channel;
        const sample = data[at] ?? 0;
        data[at] = Math.round(y < edge ? (tops[x >> 4] ?? 0) * 0.7 + sample * 0.3 : sample * dark);
      }
  }
  return jpeg(data, width, height, 90);
}

describe('what a JPEG holds before its damage', () => {
  it.each([
    [0.2, 176],
    [0.2, 320],
    [0.4, 176],
    [0.4, 320],
  ])('keeps its brightness below an edge that no wrong difference leaves (%d, %d)', async (dark, from) => {
    const whole = await sign(640, 480, dark, from);
    const { output } = await repairBytes(withHole(whole, 0.85, 600), 'sign.jpg');
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.98);
  });

  it.each([
    [2, 0.7, 176],
    [2, 0.7, 320],
    [6, 0.2, 176],
  ])(
    'stays in its place where only its edges speak for a break, and further on it is wiped (%d, %d, %d)',
    async (seed, dark, from) => {
      const whole = await sign(640, 480, dark, from, seed, 64);
      const { output } = await repairBytes(withHole(whole, 0.85, 600), 'sign.jpg');
      expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.97);
    },
  );

  it.each([1, 2, 3, 4])('keeps the size that is noted where another file follows in its data (%d)', async (seed) => {
    const whole = await jpeg(scene(418, 451, seed), 418, 451, 92);
    const other = await jpeg(scene(1024, 700, seed + 9), 1024, 700, 60);
    const half = Math.floor(whole.length * 0.55);
    const bytes = Buffer.concat([whole.subarray(0, half), other.subarray(4096, 4096 + whole.length - half)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    const { width, height } = await sharp(output ?? Buffer.alloc(0)).metadata();
    expect([width, height]).toEqual([418, 451]);
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(
      (await scoreAgainst('jpg', whole, bytes)) - 0.01,
    );
  });
});
