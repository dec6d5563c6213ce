import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { TiffBytes } from '../../lib/repair/formats/tiff/directory';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';

const photo = (): Promise<Buffer> => picture(640, 480, 3).jpeg({ quality: 85 }).toBuffer();

describe('what a photo is says its content', () => {
  it.each(['nef', 'cr2', 'arw', 'dng'])('a JPEG named .%s is a healthy JPEG', async (format) => {
    const { report } = await repairBytes(await photo(), `photo.${format}`);
    expect([report.verdict, report.format]).toEqual(['healthy', 'jpg']);
  });

  it.each(['nef', 'arw', 'raf'])(
    'a JPEG named .%s is repaired as one when its first bytes are lost',
    async (format) => {
      const whole = await picture(640, 480, 3)
        .withExif({ IFD0: { Make: 'Test' } })
        .jpeg({ quality: 85 })
        .toBuffer();
      const damaged = Buffer.from(whole);
      damaged.fill(0, 0, 2);
      const { report, output } = await repairBytes(damaged, `photo.${format}`);
      expect([report.verdict, report.format]).toEqual(['repaired', 'jpg']);
      const [before, after] = await Promise.all(
        [whole, output ?? Buffer.alloc(0)].map((file) => sharp(file).raw().toBuffer()),
      );
      expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true);
    },
  );

  it('a TIFF in which a tag is that of DNG by chance is a TIFF', async () => {
    const bytes = await picture(320, 240, 3).tiff({ compression: 'lzw' }).toBuffer();
    const tiff = new TiffBytes(bytes, true);
    const start = tiff.u32(4);
    const count = tiff.u16(start);
    for (let index = 0; index < count; index++) {
      const chance = Buffer.from(bytes);
      const at = start + 2 + index * 12;
      // What a reader needs is left alone.
      if ([256, 257, 258, 259, 262, 273, 277, 278, 279].includes(tiff.u16(at))) continue;
      chance.writeUInt16LE(0xc612, at);
      expect((await repairBytes(chance, 'photo.tif')).report.format).toBe('tif');
    }
  });
});
