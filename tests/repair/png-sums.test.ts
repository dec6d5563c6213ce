import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inverse, lostBytes, plainSum, product, wrongBytes, zeroesBehind } from '../../lib/repair/core/sumalgebra';
import { crc32 } from '../../lib/repair/core/sums';
import { type PngLayout, writePng } from './support/pngwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [320, 240];
const layout: PngLayout = {
  width,
  height,
  channels: 3,
  pixels: Buffer.from(scene(width, height, 4)),
  filter: 4,
  level: 6,
};
/** As libpng writes it by default, as Pillow does, and all in one. */
const pictures = [
  ['parts of 8 kB', writePng({ ...layout, chunk: 8192 })],
  ['parts of 64 kB', writePng({ ...layout, chunk: 65_536 })],
  ['one part', writePng(layout)],
] as const;

/** Whether a picture has the pixels that all of these have. */
async function showsAll(output: Buffer | null): Promise<boolean> {
  const shown = await sharp(output ?? Buffer.alloc(0))
    .raw()
    .toBuffer();
  return shown.equals(layout.pixels);
}

function changed(whole: Buffer, at: number, values: readonly number[]): Buffer {
  const bytes = Buffer.from(whole);
  for (const [index, value] of values.entries()) bytes[at + index] = (bytes[at + index] ?? 0) ^ value;
  return bytes;
}

const without = (whole: Buffer, at: number, count: number) =>
  Buffer.concat([whole.subarray(0, at), whole.subarray(at + count)]);
const within = (whole: Buffer, at: number, added: Uint8Array) =>
  Buffer.concat([whole.subarray(0, at), added, whole.subarray(at)]);

/** Pieces of a size in another order: the one of each number stands where the one before it in the list stood. */
function turned(whole: Buffer, size: number, ...numbers: number[]): Buffer {
  const bytes = Buffer.from(whole);
  for (const [index, number] of numbers.entries()) {
    const from = (numbers[(index + 1) % numbers.length] ?? 0) * size;
    whole.copy(bytes, number * size, from, from + size);
  }
  return bytes;
}

const damages: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
  ['with a byte that is another', (whole) => changed(whole, 20_011, [0x5b])],
  ['with two bytes side by side that are others', (whole) => changed(whole, 20_011, [0x5b, 0xc6])],
  ['that lost a byte', (whole) => without(whole, 20_011, 1)],
  ['that lost two bytes side by side', (whole) => without(whole, 20_011, 2)],
  ['with a byte too many', (whole) => within(whole, 20_011, Buffer.of(77))],
  ['with 700 bytes too many', (whole) => within(whole, 20_011, randomBytes(randomFrom(5), 700))],
  ['with clusters exchanged', (whole) => turned(whole, 4096, 3, 9)],
  ['with clusters side by side exchanged', (whole) => turned(whole, 4096, 5, 6)],
  ['with large clusters exchanged', (whole) => turned(whole, 16_384, 1, 3)],
  ['with sectors exchanged', (whole) => turned(whole, 512, 21, 90)],
  ['that begins with another cluster', (whole) => turned(whole, 4096, 0, 8)],
];

describe.each(pictures)('a PNG of %s', (_, whole) => {
  it.each(damages)('%s comes back as it was', async (_damage, damage) => {
    const { report, output } = await repairBytes(damage(whole), 'picture.png');
    expect(report.verdict).toBe('repaired');
    expect(await showsAll(output)).toBe(true);
  });
});

describe('a PNG of parts of 8 kB', () => {
  const [, whole] = pictures[0];

  it('comes back from three clusters that stand in a circle', async () => {
    const { report, output } = await repairBytes(turned(whole, 4096, 2, 7, 12), 'picture.png');
    expect(report.verdict).toBe('repaired');
    expect(report.steps.map(({ detail }) => detail)).toContain(
      '2 pairs of pieces that had changed places were put back, as the check sums show.',
    );
    expect(await showsAll(output)).toBe(true);
  });

  it('comes back from one wrong byte in each of its parts', async () => {
    let bytes: Buffer = Buffer.from(whole);
    const next = randomFrom(8);
    for (let at = 1000; at < whole.length - 100; at += 8204) bytes = changed(bytes, at, [1 + Math.floor(next() * 255)]);
    const { report, output } = await repairBytes(bytes, 'picture.png');
    expect(report.verdict).toBe('repaired');
    expect(await showsAll(output)).toBe(true);
  });
});

describe('sums as polynomials', () => {
  const text = randomBytes(randomFrom(3), 500);
  const sum = crc32(text);

  it('are multiplied and divided', () => {
    const zeroes = Buffer.alloc(77);
    expect(product(plainSum(text), zeroesBehind(77))).toBe(plainSum(Buffer.concat([text, zeroes])));
    expect(product(product(sum, 0x1234_5678), inverse(0x1234_5678)) >>> 0).toBe(sum);
  });

  it.each([1, 2])('tell where %i bytes are wrong, and which', (wide) => {
    const values = [0x81, 0x33].slice(0, wide);
    for (const at of [0, 1, 250, 498]) {
      const off = crc32(changed(text, at, values)) ^ sum;
      const value = values.reduce((all, byte, index) => all + byte * 256 ** index, 0);
      expect(wrongBytes(off, text.length, wide)).toContainEqual({ at, value });
    }
  });

  it.each([1, 2])('tell where %i bytes are lost, and which', (wide) => {
    for (const at of [0, 1, 250, 498]) {
      const rest = without(text, at, wide);
      const off = crc32(Buffer.concat([rest, Buffer.alloc(wide)])) ^ sum;
      const whole = lostBytes(rest, off, wide).map((lost) =>
        within(rest, lost.at, Buffer.of(lost.value & 255, lost.value >> 8).subarray(0, wide)),
      );
      expect(whole.some((one) => one.equals(text))).toBe(true);
    }
  });
});
