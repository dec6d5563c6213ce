import { unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { picture as photo } from './support/originals/picture';
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

/** A package with a picture more, whose check sum is right. */
function withPicture(format: string, name: string, data: Buffer): { bytes: Buffer; path: string } {
  const bytes = all.find((one) => one.format === format)?.bytes ?? Buffer.alloc(0);
  const path = format === 'docx' ? `word/media/${name}` : `Pictures/${name}`;
  return { path, bytes: Buffer.from(zipSync({ ...unzipSync(bytes), [path]: [data, { level: 0 }] })) };
}

describe('a picture that was damaged before it was packed', () => {
  it.each(['docx', 'odt'])('is mended: %s', async (format) => {
    const png = picture();
    const damaged = Buffer.from(png);
    const at = Math.floor(png.length / 2);
    damaged[at] = (damaged[at] ?? 0) ^ 16;
    const { bytes, path } = withPicture(format, 'image77.png', damaged);
    const { report, output } = await repairBytes(bytes, `file.${format}`);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found).toMatchObject([{ kind: 'picture' }]);
    expect(Buffer.from(unzipSync(output ?? Buffer.alloc(0))[path] ?? []).equals(png)).toBe(true);
  });

  it('keeps what was there before its end where it was cut off', async () => {
    const jpeg = await photo(320, 240, 7).jpeg({ quality: 90 }).toBuffer();
    const { bytes, path } = withPicture('docx', 'image77.jpg', jpeg.subarray(0, Math.floor(jpeg.length * 0.6)));
    const { report, output } = await repairBytes(bytes, 'file.docx');
    expect(report.verdict, report.summary).toBe('partly');
    const upper = (data: Uint8Array) =>
      sharp(data).extract({ left: 0, top: 0, width: 320, height: 96 }).raw().toBuffer();
    const mended = unzipSync(output ?? Buffer.alloc(0))[path] ?? new Uint8Array();
    expect((await upper(mended)).equals(await upper(jpeg))).toBe(true);
  });

  it.each([Buffer.alloc(0), Buffer.alloc(3000)])('and is gone is told', async (data) => {
    const { report } = await repairBytes(withPicture('docx', 'image77.jpg', data).bytes, 'file.docx');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found).toMatchObject([{ kind: 'picture' }]);
  });

  it.each([picture(), Buffer.from('GIF89a and more')])(
    'is none where it is sound, or of a kind not looked into',
    async (data) => {
      const { report } = await repairBytes(withPicture('docx', 'image77.png', data).bytes, 'file.docx');
      expect(report).toMatchObject({ verdict: 'healthy', found: [] });
    },
  );
});

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
