import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { writePng } from './support/pngwriter';
import { repairBytes } from './support/run';

const all = await originals();

/** Rows that go on as a picture's do. */
function picture(): Buffer {
  const [width, height] = [120, 90];
  const pixels = Buffer.from({
    length: width * height * 3,
    ...Object.fromEntries(
      Array.from({ length: width * height * 3 }, (_, at) => {
        const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
        return [at, 128 + Math.round(70 * Math.sin(x / 9 + (at % 3)) + 40 * Math.cos(y / 7))];
      }),
    ),
  });
  return writePng({ width, height, channels: 3, pixels, filter: 'least sum' });
}

describe('a damaged picture of a package', () => {
  it.each(['docx', 'odt'])('that comes back as its check sum says is not lost: %s', async (format) => {
    const bytes = all.find((one) => one.format === format)?.bytes ?? Buffer.alloc(0);
    const path = format === 'docx' ? 'word/media/image77.png' : 'Pictures/image77.png';
    const png = picture();
    const parts = unzipSync(bytes);
    const whole = Buffer.from(zipSync({ ...parts, [path]: [png, { level: 0 }] }));
    const damaged = Buffer.from(whole);
    const at = damaged.indexOf(png) + Math.floor(png.length / 2);
    damaged[at] = (damaged[at] ?? 0) ^ 16;
    const { report, output } = await repairBytes(damaged, `file.${format}`);
    expect(report).toMatchObject({ verdict: 'repaired', lost: [] });
    expect(Buffer.from(unzipSync(output ?? Buffer.alloc(0))[path] ?? []).equals(png)).toBe(true);
  });
});
