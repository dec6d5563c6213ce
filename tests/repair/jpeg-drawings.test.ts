import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A drawing full of hard edges, in which parts of a picture seem to begin everywhere, as JPEG. */
async function drawing(seed: number, quality: number): Promise<Buffer> {
  const random = randomFrom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const shapes = Array.from({ length: 70 }, (_, index) => {
    const fill = `rgb(${[0, 0, 0].map(() => upTo(5) * 63).join(',')})`;
    const [x, y] = [upTo(1024), upTo(512)];
    if (index % 3 === 0) return `<rect x="${x}" y="${y}" width="${upTo(330)}" height="${upTo(160)}" fill="${fill}"/>`;
    if (index % 3 === 1)
      return `<ellipse cx="${x}" cy="${y}" rx="${upTo(160)}" ry="${upTo(70)}" fill="none" stroke="${fill}" stroke-width="${1 + upTo(8)}"/>`;
    return `<path d="M${x} ${y}L${upTo(1024)} ${upTo(512)}" stroke="${fill}" stroke-width="${1 + upTo(6)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="512"><rect width="1024" height="512" fill="#fff"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality }).toBuffer();
}

const damages: [string, (bytes: Buffer) => Buffer][] = [
  ['cut to 95 %', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.95))],
  ['cut to 60 %', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6))],
  ['with 100 zeroes at its end', (bytes) => Buffer.concat([bytes.subarray(0, -100), Buffer.alloc(100)])],
  [
    'that lost 40 bytes',
    (bytes) => Buffer.concat([bytes.subarray(0, bytes.length >> 1), bytes.subarray((bytes.length >> 1) + 40)]),
  ],
];

describe.each([5, 6, 7])('a drawing of seed %i', (seed) => {
  it.each(damages)('%s shows no less than before', async (_, damage) => {
    const whole = await drawing(seed, 60);
    const damaged = damage(whole);
    const { report, output } = await repairBytes(damaged, 'drawing.jpg');
    const before = await scoreAgainst('jpg', whole, damaged);
    const after = await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0));
    expect(report.verdict).not.toBe('healthy');
    // Zeroes read as blocks like the one before them, so that a blank end comes back as it was.
    expect(after).toBeGreaterThanOrEqual(report.verdict === 'repaired' ? 0.99 : before - 0.02);
  });

  it('is healthy as it is', async () => {
    expect((await repairBytes(await drawing(seed, 85), 'drawing.jpg')).report.verdict).toBe('healthy');
  });
});
