import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isNoise } from '../../lib/repair/formats/png/examine';
import type { Rendered } from '../../lib/repair/formats/png/render';
import { type PngLayout, writePng } from './support/pngwriter';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

/** Bytes of a part as Pillow writes them at most. */
const longPart = 65_536;

const [width, height] = [300, 240];
const layout: PngLayout = {
  width,
  height,
  channels: 3,
  pixels: Buffer.from(scene(width, height, 6)),
  filter: 4,
  level: 6,
};

describe('two wrong bits in one part of a PNG', () => {
  it('are set right in parts as long as 64 kB', async () => {
    const whole = writePng({ ...layout, chunk: longPart });
    const bytes = Buffer.from(whole);
    for (const at of [9_000, 61_000]) bytes[at] = (bytes[at] ?? 0) ^ 8;
    const { report, output } = await repairBytes(bytes, 'photo.png');
    expect(report.verdict).toBe('repaired');
    const shown = await sharp(output ?? Buffer.alloc(0))
      .raw()
      .toBuffer();
    expect(shown.equals(layout.pixels)).toBe(true);
  });
});

describe('a PNG that lost its beginning', () => {
  const header = { width: 300, height: 100, depth: 8, colour: 2, interlaced: false };
  const rendered: Rendered = {
    ...{
      pixels: Buffer.alloc(0),
      rows: 100,
      lost: 3,
      off: 97,
      wrong: 0,
      trusted: 97,
      certain: 0,
      sure: 20,
      misread: false,
    },
    rough: 20,
  };

  it('is handed out as long as few rows are as rough as noise', () => {
    expect(isNoise({ header, found: true, isGuess: true }, rendered)).toBe(false);
    expect(isNoise({ header, found: true, isGuess: true }, { ...rendered, rough: 40 })).toBe(true);
  });

  it('is handed out whatever its rows are where its size and some of them are beyond doubt', () => {
    expect(isNoise({ header, found: true }, { ...rendered, certain: 0.2, rough: 100 })).toBe(false);
    expect(isNoise({ header, found: true }, { ...rendered, rough: 100 })).toBe(true);
  });
});
