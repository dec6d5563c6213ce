import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const [width, height] = [1280, 800];

/** A photo out of focus, with tables of its own: what changes least has the shortest codes, of zeroes alone. */
const soft = async (seed: number) =>
  sharp(scene(width, height, seed), { raw: { width, height, channels: 3 } })
    .blur(14)
    .jpeg({ quality: 85, optimiseCoding: true })
    .toBuffer();

describe('zeroes that read as plain blocks', () => {
  it.each([2, 5, 9])('make no larger picture than is noted: %i', async (seed) => {
    const whole = await soft(seed);
    const at = Math.floor((whole.length * 0.4) / 512) * 512;
    const bytes = Buffer.from(whole);
    bytes.fill(0, at, at + 2048);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    const { width: wide, height: high } = await sharp(output ?? Buffer.alloc(0)).metadata();
    expect([wide, high]).toEqual([width, height]);
    expect(report.steps.map(({ name }) => name)).not.toContain('Find size');
  });
});

/** A plain sky, and under it woods, which are like nothing above them. */
function woods(seed: number): Promise<Buffer> {
  const [wide, high, horizon] = [720, 480, 320];
  const [photo, random] = [scene(wide, high, seed), randomFrom(seed)];
  const samples = Buffer.alloc(wide * high * 3);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const leaf = Math.floor(random() * 90);
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * wide + x) * 3 + channel;
        const value = photo[at] ?? 0;
        samples[at] = y < horizon + (x % 90) / 6 ? value / 8 + 140 + channel * 20 - y / 8 : value * 0.6 + leaf;
      }
    }
  return sharp(samples, { raw: { width: wide, height: high, channels: 3 } })
    .blur(0.8)
    .jpeg({ quality: 85 })
    .toBuffer();
}

describe('parts of a picture that are rougher than those above', () => {
  it.each([3, 4, 5])('are not given up where a cluster is lost: %i', async (seed) => {
    const whole = await woods(seed);
    const at = Math.floor(whole.length * 0.85);
    const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 4096)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    // With one measure for all of the picture 0.70 of its blocks were right.
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.9);
  });

  it.each([0.26, 0.32])('are there from the damage on, not from where they look alike: %d', async (share) => {
    const whole = await woods(3);
    const at = Math.floor(whole.length * share);
    const bytes = Buffer.from(whole);
    bytes.fill(255, at, at + 512);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    // 0.67 was right where the picture went on with the first row that lies under one like it.
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.95);
  });
});
