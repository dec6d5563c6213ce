import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

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
