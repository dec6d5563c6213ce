import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [800, 600];
/** Bars of many lengths, black on white. */
const page = Buffer.from(
  Array.from({ length: width * height }, (_, at) =>
    Math.floor(at / width) % 12 < 7 && at % width > 40 && at % width < 60 + ((Math.floor(at / width / 12) * 37) % 700)
      ? 0
      : 255,
  ),
);

describe('a fax page with a wrong bit', () => {
  it('is told to read best as it is, and nothing of its head', async () => {
    const whole = await sharp(page, { raw: { width, height, channels: 1 } })
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1 })
      .toBuffer();
    expect((await repairBytes(whole, 'page.tif')).report.verdict).toBe('healthy');
    const verdicts = new Set<string>();
    for (let at = 200; at < 600; at += 37) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 16;
      const { report, output } = await repairBytes(bytes, 'page.tif');
      verdicts.add(report.verdict);
      if (report.verdict !== 'healthy') expect(report.found.map(({ kind }) => kind)).not.toContain('head');
      if (report.verdict === 'unrepairable') expect(output).toBeNull();
    }
    expect(verdicts).toContain('unrepairable');
  });
});

describe('strips of JPEG in four inks', () => {
  it('are damaged where zeroes stand in them, of which decoders say nothing', async () => {
    const whole = await sharp(scene(320, 240, 5), { raw: { width: 320, height: 240, channels: 3 } })
      .toColourspace('cmyk')
      .tiff({ compression: 'jpeg', quality: 90 })
      .toBuffer();
    expect((await repairBytes(whole, 'print.tif')).report.verdict).toBe('healthy');
    for (let share = 0.2; share < 0.9; share += 0.1) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(whole.length * share);
      bytes.fill(0, at, at + 300);
      const { report } = await repairBytes(bytes, 'print.tif');
      expect(report.verdict, `${share}`).not.toBe('healthy');
      expect(report.verdict, `${share}`).not.toBe('repaired');
    }
  });
});
