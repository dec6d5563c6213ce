import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const [width, height] = [720, 640];

/** A photo that coloured bands with straight upper and left edges lie on: a row of it looks like one that lost data before it. */
async function banded(seed: number): Promise<Buffer> {
  const data = scene(width, height, seed);
  for (let y = 160; y < height; y++) {
    for (let x = 96; x < width - 80; x++) {
      const band = Math.floor(Math.hypot((x * 2) / width - 1, (y * 2) / height - 1) * 5) % 3;
      data.set([band === 0 ? 230 : 20, band === 1 ? 220 : 25, band === 2 ? 240 : 30], (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 87 })
    .toBuffer();
}

describe('a JPEG with straight edges that lost bytes', () => {
  it.each([
    [11, 40, 0.7],
    [11, 100, 0.6],
    [12, 1000, 0.6],
    [13, 7, 0.6],
    [13, 1000, 0.7],
  ])('keeps what stands before the gap where it is (picture %i, %i bytes at %f)', async (seed, lost, share) => {
    const whole = await banded(seed);
    const at = Math.floor(whole.length * share);
    const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + lost)]);
    const before = await scoreAgainst('jpg', whole, bytes);
    const { output } = await repairBytes(bytes, 'photo.jpg');
    const after = output ? await scoreAgainst('jpg', whole, output) : before;
    expect(before).toBeGreaterThan(0.5);
    expect(after).toBeGreaterThanOrEqual(before);
  });
});
