import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { writtenTo } from '../../lib/repair/formats/png/cut';
import { PngRows } from '../../lib/repair/formats/png/rows';
import { Effort } from '../../lib/repair/report';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const [width, height] = [240, 240];

/** Samples of a picture, red, green, blue and how much is seen of each pixel. */
const drawn = (at: (x: number, y: number) => readonly number[]): Buffer =>
  Buffer.from(
    Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width))).flat(),
  );

/** A shaded ball on nothing, which begins far below the first row. */
function ball(seed: number): Buffer {
  const random = randomFrom(seed);
  return drawn((x, y) => {
    const away = Math.hypot(x - 120, y - 130) / 90;
    if (away > 1) return [0, 0, 0, 0];
    const light = Math.sqrt(1 - away * away) * 200;
    const craters = Math.sin(x / 5) * Math.cos(y / 7) * 24;
    return [light + craters + random() * 12, light + random() * 12, light / 2 + 40 + craters, 255].map(Math.round);
  });
}

const samplesOf = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer();

/** Rows from the first one on that are as they were. */
function rightRows(before: Buffer, after: Buffer): number {
  const row = width * 4;
  for (let line = 0; line < height; line++)
    if (before.compare(after, line * row, (line + 1) * row, line * row, (line + 1) * row) !== 0) return line;
  return height;
}

it.each([1, 2, 3, 4])('a picture that is only cut keeps every row that it has: %i', async (seed) => {
  const before = ball(seed);
  const raw = { width, height, channels: 4 } as const;
  const png = await sharp(before, { raw })
    .png({ adaptiveFiltering: seed % 2 === 0 })
    .toBuffer();
  for (const share of [0.5, 0.7, 0.9]) {
    const cut = png.subarray(0, Math.floor(png.length * share));
    const shown = await sharp(cut, { failOn: 'none' }).ensureAlpha().raw().toBuffer();
    const { report, output } = await repairBytes(cut, 'ball.png');
    expect(report.verdict).toBe('partly');
    const after = await samplesOf(output ?? Buffer.alloc(0));
    expect(rightRows(before, after)).toBeGreaterThanOrEqual(rightRows(before, shown));
  }
});

it('what unpacks to its end, to rows with filters, is as it was written, but not what does not', () => {
  const header = { width, height, depth: 8, colour: 0, interlaced: false };
  const random = randomFrom(9);
  const rows = Buffer.from(
    Array.from({ length: (width + 1) * height }, (_, at) =>
      at % (width + 1) === 0 ? 1 : Math.floor(random() ** 4 * 256),
    ),
  );
  const model = new PngRows(header, new Effort(1000));
  const packed = deflateSync(rows);
  const bytes = packed.subarray(0, Math.floor(packed.length * 0.6));
  const span = { start: 0, end: bytes.length, sum: null, sound: false, isNoted: false };
  expect(writtenTo({ bytes, spans: [span] }, header, model)).toBe(bytes.length * 8);
  // With a check sum that says otherwise it is known to be damaged.
  expect(writtenTo({ bytes, spans: [{ ...span, sum: 1 }] }, header, model)).toBe(0);
  // Behind a byte that is gone rows begin elsewhere, but where what is left of the codes stands for as many samples.
  const places = Array.from({ length: 14 }, (_, index) => 200 + index * 997);
  const isSeen = (at: number) => {
    const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    return writtenTo({ bytes: shorter, spans: [{ ...span, end: shorter.length }] }, header, model) === 0;
  };
  expect(places.filter(isSeen).length).toBeGreaterThan(places.length / 2);
});

it('rows that a picture of few colours lost at its end are not seen where it has holes', async () => {
  const colours = [
    [0, 0, 0, 0],
    [200, 60, 20, 255],
    [240, 160, 40, 255],
    [120, 30, 10, 255],
  ] as const;
  const random = randomFrom(5);
  const before = drawn((x, y) => {
    const isThing = Math.hypot(x - 120, (y - 120) * 0.7) < 100;
    return colours[isThing ? 1 + Math.floor(random() * 3) : 0] ?? colours[0];
  });
  const raw = { width, height, channels: 4 } as const;
  const png = await sharp(before, { raw }).png({ palette: true, colours: 8, dither: 0 }).toBuffer();
  const { report, output } = await repairBytes(png.subarray(0, Math.floor(png.length * 0.5)), 'thing.png');
  expect(report.verdict).toBe('partly');
  const after = await samplesOf(output ?? Buffer.alloc(0));
  const last = after.subarray(-20 * width * 4);
  expect(last.every((value, at) => at % 4 !== 3 || value === 0)).toBe(true);
});

it('a drawing in one colour, told by how much is seen of it alone, is not taken for an empty picture', async () => {
  const before = drawn((x, y) => [0, 0, 0, Math.max(0, 255 - Math.abs(Math.hypot(x - 120, y - 120) - 80) * 12)]);
  const raw = { width, height, channels: 4 } as const;
  const png = await sharp(before, { raw }).png().toBuffer();
  const { report, output } = await repairBytes(png.subarray(0, Math.floor(png.length * 0.7)), 'ring.png');
  expect(report.verdict).toBe('partly');
  expect(rightRows(before, await samplesOf(output ?? Buffer.alloc(0)))).toBeGreaterThan(height / 2);
});
