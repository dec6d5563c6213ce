import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type WriterOptions, writeJpeg } from './support/originals/jpegwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [640, 480];
const options: WriterOptions = { quality: 75, horizontal: 2, vertical: 2, restart: 0, segments: [] };
const whole = writeJpeg(scene(width, height, 31), width, height, options);

const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).raw().toBuffer();

describe('a JPEG with the beginning of a larger one behind it', () => {
  it('is the picture of the file, whatever stands before it', async () => {
    const larger = await sharp(scene(1600, 1000, 12), { raw: { width: 1600, height: 1000, channels: 3 } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const bytes = Buffer.concat([randomBytes(randomFrom(5), 700), whole, larger.subarray(0, 3000)]);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(whole))).toBe(true);
  });
});
