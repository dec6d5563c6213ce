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

describe('zeroes among restart markers of a dark, noisy photo', () => {
  const random = randomFrom(9);
  const dark = scene(width, height, 31).map((byte) => {
    const noise = random() + random() + random() - 1.5;
    return Math.max(0, Math.round(byte * 0.35 + noise * 14));
  });
  const fine = { ...options, quality: 92, horizontal: 1, vertical: 1, restart: 20 } as const;
  const marked = writeJpeg(Buffer.from(dark), width, height, fine);

  it('are no loss before there are any', async () => {
    expect((await repairBytes(marked, 'photo.jpg')).report.verdict).toBe('healthy');
  });

  it.each([18_432, 59_392, 110_592])('are a loss although every interval can be read: from byte %i', async (at) => {
    const bytes = Buffer.from(marked);
    bytes.fill(0, at, at + 4096);
    const { report } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
  });
});

describe('values written over a table of quantisation', () => {
  const coloured = scene(width, height, 31);
  const written = async (progressive: boolean, optimiseCoding = true) =>
    sharp(coloured, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 82, progressive, optimiseCoding })
      .toBuffer();

  it.each([false, true])('are set as the rest of it shows (progressive: %s)', async (progressive) => {
    const sound = await written(progressive);
    const bytes = Buffer.from(sound);
    const table = bytes.indexOf(Buffer.from([0xff, 0xdb])) + 5;
    randomBytes(randomFrom(3), 12).copy(bytes, table + 6);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).toContain('quantisation');
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });

  it.each([
    ['the step of DC values', false, 0],
    ['another step', false, 9],
    ['the step of DC values, in passes', true, 0],
  ])('are set right where one bit of %s is wrong', async (_, progressive, place) => {
    const sound = await written(progressive);
    const bytes = Buffer.from(sound);
    const table = bytes.indexOf(Buffer.from([0xff, 0xdb])) + 5;
    bytes[table + place] = (bytes[table + place] ?? 0) ^ 4;
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).toContain('quantisation');
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });

  it.each([
    ['the number of codes', 5 + 2],
    ['a symbol', 5 + 20],
    ['a symbol that is told twice', 5 + 17],
  ])('stand beside Huffman tables that are set right where one bit is wrong of %s', async (_, place) => {
    const sound = await written(false, false);
    const bytes = Buffer.from(sound);
    const table = bytes.indexOf(Buffer.from([0xff, 0xc4]));
    bytes[table + place] = (bytes[table + place] ?? 0) ^ 1;
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).toEqual(['huffman']);
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });

  it('are no damage where a maker set the steps of DC values alone', async () => {
    const bytes = await written(false);
    for (
      let at = bytes.indexOf(Buffer.from([0xff, 0xdb]));
      at >= 0;
      at = bytes.indexOf(Buffer.from([0xff, 0xdb]), at + 1)
    )
      bytes[at + 5] = (bytes[at + 5] ?? 0) ^ 4;
    expect((await repairBytes(bytes, 'photo.jpg')).report.verdict).toBe('healthy');
  });

  it('are no damage where a maker set them: steps that are alike, or near the usual ones', async () => {
    const sound = await written(false);
    const table = sound.indexOf(Buffer.from([0xff, 0xdb])) + 5;
    const alike = Buffer.from(sound).fill(200, table + 52, table + 64);
    const near = Buffer.from(sound);
    for (let place = table + 20; place < table + 30; place++) near[place] = (near[place] ?? 0) + 1 + (place % 5);
    for (const bytes of [alike, near]) expect((await repairBytes(bytes, 'photo.jpg')).report.verdict).toBe('healthy');
  });
});
