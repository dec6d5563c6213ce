import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { writeChunk } from '../../lib/repair/formats/png/chunks';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [width, height] = [200, 200];
const raw = { width, height, channels: 3 } as const;

/** A soft picture with so much grain that nothing of it can be packed. */
function grainy(seed: number): Buffer {
  const random = randomFrom(seed);
  const level = (x: number, y: number) => 128 + 60 * Math.sin(x / 40) + 50 * Math.cos(y / 30);
  return Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => {
      const pixel = Math.floor(at / 3);
      return Math.round(level(pixel % width, Math.floor(pixel / width)) + random() * 12);
    }),
  );
}

/** A PNG of rows whose filter is Up, or None in every 20th, in stored blocks as programs keep what does not pack. */
function storedPng(pixels: Buffer): Buffer {
  const row = width * 3;
  const rows = Array.from({ length: height }, (_, line) => {
    const [own, above] = [pixels.subarray(line * row, (line + 1) * row), pixels.subarray((line - 1) * row, line * row)];
    if (line % 20 === 0) return Buffer.from([0, ...own]);
    return Buffer.from([2, ...own.map((value, at) => value - (above[at] ?? 0))]);
  });
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]);
  const data = deflateSync(Buffer.concat(rows), { level: 0, memLevel: 6 });
  const chunks = [writeChunk('IHDR', head), writeChunk('IDAT', data), writeChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** Which rows of two pictures differ by more than a few levels anywhere. */
async function otherRows(before: Buffer, output: Buffer | null): Promise<number[]> {
  const after = await sharp(output ?? Buffer.alloc(0))
    .removeAlpha()
    .raw()
    .toBuffer();
  const row = width * 3;
  const differs = (line: number) =>
    before.subarray(line * row, (line + 1) * row).some((value, at) => value !== after[line * row + at]);
  return Array.from({ length: height }, (_, line) => line).filter(differs);
}

const lostRows = (lost: readonly { unit: string; count: number }[]) =>
  lost.filter(({ unit }) => unit === 'rows').reduce((sum, { count }) => sum + count, 0);

it.each([
  ['within a stored block', 20_480, 512],
  ['over the head of a stored block', 64_000, 4096],
])('a sector of zeroes %s spoils no row that does not build on it', async (_, from, size) => {
  const before = grainy(5);
  const png = storedPng(before);
  png.fill(0, from, from + size);
  const { report, output } = await repairBytes(png, 'grain.png');
  expect(report.verdict).toBe('partly');
  const rows = await otherRows(before, output);
  // Rows are of 601 bytes, and every 20th begins anew.
  expect(rows.length).toBeLessThan(20 + Math.ceil(size / 601) + 20);
  // What is not as it was is told of, however far down it goes.
  expect(lostRows(report.lost)).toBeGreaterThanOrEqual(rows.length);
});

it('rows that build on lost ones are told of, down to the one that needs none above it', async () => {
  const before = grainy(8);
  const png = await sharp(before, { raw }).png({ adaptiveFiltering: true, compressionLevel: 6 }).toBuffer();
  const random = randomFrom(3);
  const at = Math.floor(png.length * 0.3);
  for (let byte = at; byte < at + 600; byte++) png[byte] = Math.floor(random() * 256);
  const { report, output } = await repairBytes(png, 'grain.png');
  const rows = await otherRows(before, output);
  expect(rows.length).toBeGreaterThan(0);
  expect(lostRows(report.lost)).toBeGreaterThanOrEqual(rows.length);
});

it('a long run of one colour in a picture that is cut is no sector that was overwritten', async () => {
  const [wide, high] = [1000, 1200];
  // A ball on nothing: the rows above it take hundreds of bytes of zeroes, packed.
  const before = Buffer.alloc(wide * high * 4);
  const random = randomFrom(2);
  for (let y = 800; y < 1100; y++)
    for (let x = 300; x < 600; x++)
      if (Math.hypot(x - 450, y - 950) < 140)
        before.set(
          [Math.floor(200 - y / 12 + random() * 9), Math.floor(x / 4 + random() * 9), 40, 255],
          (y * wide + x) * 4,
        );
  const png = await sharp(before, { raw: { width: wide, height: high, channels: 4 } })
    .png()
    .toBuffer();
  expect(png.indexOf(Buffer.alloc(512))).toBeGreaterThan(0);
  const { report, output } = await repairBytes(png.subarray(0, Math.floor(png.length * 0.7)), 'ball.png');
  expect(report.verdict).toBe('partly');
  const after = await sharp(output ?? Buffer.alloc(0))
    .ensureAlpha()
    .raw()
    .toBuffer();
  expect(after.subarray(0, wide * 900 * 4).equals(before.subarray(0, wide * 900 * 4))).toBe(true);
});
