import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const [width, height] = [720, 540];

/** A drawing of bars, rings and lines, packed into one part as drawing programs do. */
async function drawing(seed: number, options: { palette?: boolean }): Promise<Buffer> {
  const random = randomFrom(seed);
  const pick = (most: number) => Math.floor(random() * most);
  const colour = () => `rgb(${pick(5) * 51},${pick(5) * 51},${pick(5) * 51})`;
  const shapes = Array.from({ length: 46 }, (_, index) => {
    const [x, y] = [pick(width), pick(height)];
    if (index % 3 === 0)
      return `<rect x="${x}" y="${y}" width="${pick(240)}" height="${pick(180)}" fill="${colour()}"/>`;
    if (index % 3 === 1)
      return `<circle cx="${x}" cy="${y}" r="${pick(120)}" fill="none" stroke="${colour()}" stroke-width="${1 + pick(8)}"/>`;
    return `<line x1="${x}" y1="${y}" x2="${pick(width)}" y2="${pick(height)}" stroke="${colour()}" stroke-width="${1 + pick(5)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg))
    .flatten()
    .png({ adaptiveFiltering: true, compressionLevel: 6, ...options })
    .toBuffer();
}

const damages: readonly [string, (bytes: Buffer) => Buffer][] = [
  [
    'its last fifth zeroed',
    (bytes) => Buffer.concat([bytes.subarray(0, bytes.length * 0.8), Buffer.alloc(bytes.length * 0.2)]),
  ],
  [
    '7 bytes lost',
    (bytes) => Buffer.concat([bytes.subarray(0, bytes.length * 0.55), bytes.subarray(bytes.length * 0.55 + 7)]),
  ],
  [
    '16 bytes overwritten twice',
    (bytes) => {
      const copy = Buffer.from(bytes);
      for (const share of [0.4, 0.7]) randomBytes(randomFrom(3), 16).copy(copy, copy.length * share);
      return copy;
    },
  ],
];

describe('a damaged drawing', () => {
  it.each(damages.flatMap(([name, hurt]) => [1, 2, 3, 4].map((seed) => ({ name, hurt, seed }))))(
    'with $name shows no less than before ($seed)',
    async ({ hurt, seed }) => {
      const whole = await drawing(seed, { palette: seed > 2 });
      const bytes = hurt(whole);
      const { report, output } = await repairBytes(bytes, 'drawing.png');
      expect(report.verdict).toBe('partly');
      const [before, after] = [
        await scoreAgainst('png', whole, bytes),
        await scoreAgainst('png', whole, output ?? Buffer.alloc(0)),
      ];
      expect(after).toBeGreaterThan(before - 0.01);
    },
  );
});
