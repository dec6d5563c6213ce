import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { screenPng } from './support/screen';

const [width, height] = [1000, 700];

/** A window with a plain title above a list, lines of small letters and a photo, as screens show them. */
async function screenJpeg(): Promise<Buffer> {
  const random = randomFrom(5);
  const data = Buffer.alloc(width * height * 3, 246);
  const fill = (left: number, top: number, wide: number, high: number, grey: number) => {
    for (let y = top; y < top + high; y++) data.fill(grey, (y * width + left) * 3, (y * width + left + wide) * 3);
  };
  fill(0, 0, width, 40, 34);
  fill(0, 40, 180, height - 40, 230);
  for (let item = 0; item < 14; item++) fill(12, 60 + item * 34, 156, 24, 255);
  // Letters are upright strokes with a bar here and there, a third of them gaps between words.
  for (let top = 60; top < height - 20; top += 18)
    for (let left = 200; left < width - 30; left += 6) {
      if (random() < 0.25) continue;
      fill(left, top + 2, 1, 8, 20);
      if (random() < 0.6) fill(left + 3, top + 2 + Math.floor(random() * 4), 1, 5, 20);
      fill(left, top + 2 + Math.floor(random() * 8), 4, 1, 20);
    }
  const photo = scene(260, 180, 3);
  for (let y = 0; y < 180; y++) photo.copy(data, ((80 + y) * width + 700) * 3, y * 780, y * 780 + 780);
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

const whole = await screenJpeg();
const at = Math.floor(whole.length * 0.6);
const damages: readonly [string, Buffer][] = [
  ['cut short', whole.subarray(0, Math.floor(whole.length * 0.95))],
  ['with a sector of zeroes', Buffer.concat([whole.subarray(0, at), Buffer.alloc(512), whole.subarray(at + 512)])],
];

describe('a damaged JPEG of a screen', () => {
  it.each(damages)('%s shows no less than before', async (_, bytes) => {
    const { report, output } = await repairBytes(bytes, 'screen.jpg');
    expect(report.verdict).toBe('partly');
    const [before, after] = [
      await scoreAgainst('jpg', whole, bytes),
      await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0)),
    ];
    expect(after).toBeGreaterThan(before - 0.01);
  });

  it('with a sector twice comes back as it was', async () => {
    const bytes = Buffer.concat([whole.subarray(0, at + 512), whole.subarray(at)]);
    const { report, output } = await repairBytes(bytes, 'screen.jpg');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('with three wrong bits stays where its number of blocks says that nothing has moved', async () => {
    const sound = await sharp(await screenPng(400, 300, false, 13))
      .removeAlpha()
      .jpeg({ quality: 85 })
      .toBuffer();
    const random = randomFrom(100);
    const bytes = Buffer.from(sound);
    for (let flip = 0; flip < 3; flip++) {
      const place = Math.floor(bytes.length * (0.2 + 0.75 * random()));
      bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    const { report, output } = await repairBytes(bytes, 'screen.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toEqual(['places']);
    expect(await scoreAgainst('jpg', sound, output ?? Buffer.alloc(0))).toBeCloseTo(
      await scoreAgainst('jpg', sound, bytes),
      2,
    );
  });
});

describe('a sound JPEG of a window', () => {
  it('may have a bar that ends a block lower at its left, with letters here and there along it', async () => {
    const [across, down] = [928, 280];
    const data = Buffer.alloc(across * down * 3);
    for (let y = 0; y < down; y++)
      for (let x = 0; x < across; x++) {
        const isCorner = x < 32;
        const level = y < (isCorner ? 64 : 48) ? (isCorner ? 218 : 230) : 198;
        // In every fifth block letters, above the edge of the bar and below it.
        const isLetter = (x >> 4) % 5 === 3 && y % 16 > 3 && y % 16 < 12 && (x * 7 + y * 3) % 5 < 2;
        data.fill(isLetter ? 40 : level + ((x * 13) % 7), (y * across + x) * 3, (y * across + x) * 3 + 3);
      }
    const raw = { width: across, height: down, channels: 3 } as const;
    const { report } = await repairBytes(await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer(), 'window.jpg');
    expect(report.verdict, JSON.stringify(report.found)).toBe('healthy');
  });
});
