import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const row = width * 3;
const photo = scene(width, height, 6);

/** The photo with as many pixels of one colour on either side of it, from a line on. */
function framed(frame: number, from = 0): Buffer {
  const pixels = Buffer.from(photo);
  for (let y = from; y < height; y++) {
    pixels.fill(200, y * row, y * row + frame * 3);
    pixels.fill(200, (y + 1) * row - frame * 3, (y + 1) * row);
  }
  return pixels;
}

const front: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, little: true, pixels: photo },
  ...{ compression: 1, rowsPerStrip: height, first: true },
};

const withMore = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), randomBytes(randomFrom(4), count), bytes.subarray(at)]);
const without = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);

/** A file of one strip with bytes that no field tells of between the directory and the rows. */
function apart(bytes: Buffer, size: number, gap: number): Buffer {
  const start = bytes.length - size;
  const file = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(gap, 7), bytes.subarray(start)]);
  const entry = Array.from({ length: file.readUInt16LE(8) }, (_, index) => 10 + index * 12);
  file.writeUInt32LE(start + gap, (entry.find((at) => file.readUInt16LE(at) === 273) ?? 0) + 8);
  return file;
}

/** What the repair says and gives for a damaged file, and how much of the whole one it holds before and after. */
async function repaired(whole: Buffer, bytes: Buffer) {
  const { report, output } = await repairBytes(bytes, 'photo.tif');
  const [before, after] = [await scoreAgainst('tif', whole, bytes), await scoreAgainst('tif', whole, output ?? bytes)];
  return { report, output, before, after, kinds: report.found.map(({ kind }) => kind) };
}

describe('plain rows are only moved where they read better for it', () => {
  it('by the bytes that were put in, not by zeroes with which the file ends as well', async () => {
    const whole = Buffer.concat([writeTiffLayout([{ ...front, pixels: framed(60, 60) }]), Buffer.alloc(501)]);
    const { before, after, report } = await repaired(whole, withMore(whole, 30_001, 6));
    expect(report.verdict).not.toBe('repaired');
    expect(after).toBeGreaterThanOrEqual(before);
  });

  it.each([302, 600, 1200])('not where a file ends %i bytes too early', async (count) => {
    for (const pixels of [photo, framed(20), framed(100), framed(60, 120)]) {
      const whole = writeTiffLayout([{ ...front, pixels }]);
      const { before, after, report } = await repaired(whole, whole.subarray(0, -count));
      expect(report.verdict).toBe('partly');
      expect(after).toBeGreaterThanOrEqual(before - 0.002);
    }
  });

  it.each([
    ['more', (bytes: Buffer) => withMore(bytes, 190_001, 1024)],
    ['fewer', (bytes: Buffer) => without(bytes, 190_001, 1024)],
  ])('while the next page is led to again where nothing shows which rows moved: %s', async (_, damage) => {
    const pixels = randomBytes(randomFrom(2), row * height);
    const whole = writeTiffLayout([
      { ...front, pixels },
      { ...front, pixels: photo },
    ]);
    const { before, after, report, output, kinds } = await repaired(whole, damage(whole));
    expect(report.verdict).toBe('partly');
    expect(kinds).toEqual(['moved']);
    expect(report.found[0]?.offset).toBeNull();
    expect(report.steps.map(({ name }) => name)).toContain('Move pages back');
    expect(report.lost.map(({ detail }) => detail).join()).toContain('beside their place');
    expect(after).toBeGreaterThanOrEqual(before);
    expect(output?.subarray(-photo.length).equals(photo)).toBe(true);
  });
});

describe('fields that agree with each other are not set right by what a file lost', () => {
  it.each<[string, Partial<TiffLayout>]>([
    ['greys', { samples: 1, photometric: 1, pixels: photo.subarray(0, width * height) }],
    ['colours', {}],
    ['bits', { samples: 1, depth: 1, photometric: 1, width: 320, pixels: photo.subarray(0, 40 * height) }],
  ])('the width, by whole columns: %s', async (_, shape) => {
    const whole = writeTiffLayout([{ ...front, ...shape }]);
    const bytes = without(whole, whole.length >> 1, height * 6);
    const { before, after, report, kinds } = await repaired(whole, bytes);
    expect(kinds).not.toContain('fields');
    expect(report.verdict).toBe('partly');
    expect(after).toBeGreaterThanOrEqual(before);
  });

  it.each([60, 90, 99, 100])('the place of the rows, by %i free bytes in front of them', async (count) => {
    const pixels = framed(40);
    // The picture reaches the left side where rows moved, and is in its frame before that.
    const whole = apart(writeTiffLayout([{ ...front, pixels }]), pixels.length, 100);
    const { before, after, kinds } = await repaired(whole, without(whole, 100_001, count));
    expect(kinds).not.toContain('fields');
    expect(after).toBeGreaterThanOrEqual(before);
  });
});
