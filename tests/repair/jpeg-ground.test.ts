import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A thing in front of one colour, with a rough middle. */
function thing(width: number, height: number, ground = 0): Promise<Buffer> {
  const random = randomFrom(4);
  const samples = Buffer.alloc(width * height * 3, ground);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [across, down] = [(x - width * 0.45) / width, (y - height * 0.5) / height];
      const distance = Math.hypot(across * 1.2, down);
      if (distance > 0.36) continue;
      const light = 210 - distance * 300;
      const stripe = Math.floor(Math.atan2(down, across) * 9) % 2 === 0 ? 60 : 0;
      const rough = distance < 0.12 ? (random() - 0.5) * 220 : 0;
      samples.set(
        [light + rough, light * 0.8 - stripe + rough, light * 0.5 + rough].map((one) =>
          Math.max(0, Math.min(255, one)),
        ),
        (y * width + x) * 3,
      );
    }
  return sharp(samples, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

async function repaired(bytes: Buffer, whole: Buffer) {
  const { report, output } = await repairBytes(bytes, 'photo.jpg');
  return { report, value: output ? await scoreAgainst('jpg', whole, output) : 0 };
}

describe('a thing in front of one colour', () => {
  // What came back before stands behind each row.
  it.each([
    ['behind a hole', 132, 180, 0, 0.4, 0.9], // 0.398
    ['behind a hole', 240, 240, 200, 0.4, 0.9], // 0.418
    ['moved behind a break', 240, 240, 30, 0.6, 0.84], // 0.440
    ['moved behind a break', 240, 240, 200, 0.7, 0.82], // 0.796, with the rough middle filled in
  ] as const)('has its ground again %s: %i by %i, %i', async (_, width, height, ground, share, least) => {
    const whole = await thing(width, height, ground);
    const at = Math.floor(whole.length * share);
    const lost = Buffer.concat([whole.subarray(0, at), whole.subarray(at + Math.floor(whole.length / 7))]);
    const { report, value } = await repaired(lost, whole);
    expect(report.verdict).toBe('partly');
    expect(value).toBeGreaterThan(least);
  });

  it('keeps its rough middle where a byte near the end is gone', async () => {
    const whole = await thing(160, 200);
    const bytes = Buffer.concat([whole.subarray(0, -12), whole.subarray(-11)]);
    // The middle was taken for a hole, and 0.592 of the blocks were right.
    expect((await repaired(bytes, whole)).value).toBe(1);
  });

  it('keeps its width where bytes are gone and the rest has the MCUs of another one', async () => {
    const whole = await thing(200, 260);
    const at = Math.floor(whole.length * 0.8);
    const lost = Buffer.concat([whole.subarray(0, at), whole.subarray(at + Math.floor(whole.length / 6))]);
    const { report } = await repaired(lost, whole);
    // It was "repaired" as one of 176 by 260.
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('200 × 260');
  });
});
