import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readChunks, writeChunk } from '../../lib/repair/formats/png/chunks';
import { isPartOfRow } from '../../lib/repair/formats/png/halves';
import { damaged, generalRecipes, pngRecipes, textModeRecipes } from './support/damage';
import { originals } from './support/originals';
import { writePng } from './support/pngwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const files = (await originals()).filter(({ format }) => format === 'png');
const original = (writer: string): Buffer =>
  files.find((file) => file.writer.endsWith(writer))?.bytes ?? Buffer.alloc(0);
const recipes = [...generalRecipes, ...pngRecipes, ...textModeRecipes];

async function outcome(whole: Buffer, recipe: string, seed = 1) {
  const kind = recipes.find(({ name }) => name === recipe);
  const bytes = kind ? damaged(whole, kind, seed) : null;
  if (!bytes) throw new Error(`${recipe} does not fit`);
  const { report, output } = await repairBytes(bytes, 'picture.png');
  return { report, value: output ? await scoreAgainst('png', whole, output) : 0 };
}

describe('parts of a PNG', () => {
  const part = randomBytes(randomFrom(4), 500);
  const head = Buffer.from('89504e470d0a1a0a', 'hex');
  const parts = (middle: Buffer) =>
    Buffer.concat([
      head,
      writeChunk('IDAT', part),
      middle,
      writeChunk('IDAT', part),
      writeChunk('IEND', Buffer.alloc(0)),
    ]);

  it.each([
    ['lost', (chunk: Buffer) => Buffer.concat([chunk.subarray(0, 200), chunk.subarray(231)]), 469],
    [
      'came in',
      (chunk: Buffer) => Buffer.concat([chunk.subarray(0, 200), part.subarray(0, 40), chunk.subarray(200)]),
      540,
    ],
    ['did not change', (chunk: Buffer) => chunk, 500],
  ])('end where the next one begins when bytes %s', (_, change, length) => {
    const chunks = readChunks(parts(change(writeChunk('IDAT', part))));
    expect(chunks.map(({ type }) => type)).toEqual(['IDAT', 'IDAT', 'IDAT', 'IEND']);
    expect(chunks.map(({ start, end }) => end - start)).toEqual([500, length, 500, 0]);
    expect(chunks[2]?.sound).toBe(true);
  });

  it('keep their length where the next one has lost its name', () => {
    const bytes = parts(writeChunk('IDAT', part));
    bytes.fill(0, 8 + 2 * 512 + 4, 8 + 2 * 512 + 8);
    expect(readChunks(bytes).map(({ start, end }) => end - start)).toEqual([500, 500, 500, 0]);
  });
});

describe('a PNG without its header', () => {
  it.each(['palette', 'grey', 'interlaced', 'alpha', '16 bits'])('is rebuilt whole: %s', async (writer) => {
    const { report, value } = await outcome(original(writer), 'IHDR cut out');
    expect(value, report.summary).toBe(1);
    // Nothing proves what rows suggest.
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('description');
  });

  it('is not taken for one of half the width where the middle of every row is flat', () => {
    const [row, rows] = [898, 60];
    const data = Buffer.alloc(row * rows);
    for (let line = 0; line < rows; line++) data[line * row] = 2 + 2 * (line % 2);
    expect(isPartOfRow(data, row / 2, 0)).toBe(true);
    expect(isPartOfRow(data, row, 0)).toBe(false);
  });

  it('is rebuilt from its first block when everything before that is lost', async () => {
    for (const writer of ['colour', 'interlaced', '16 bits'])
      expect((await outcome(original(writer), 'head of 64 bytes random')).value, writer).toBe(1);
  });

  it('is never called whole when its table of colours cannot be proven', async () => {
    const { report, value } = await outcome(original('palette'), 'head of 64 bytes random');
    expect(report.verdict).toBe('partly');
    expect(value).toBeCloseTo(0.775, 2);
  });

  it('is rebuilt from the end when the first block is lost too', async () => {
    const { report, value } = await outcome(original('interlaced'), 'head of 512 bytes zeroed');
    expect(value).toBe(1);
    expect(report.verdict).toBe('partly');
  });

  it('is refused when its table of colours is wiped, or nearly all bytes are copies of lost ones', async () => {
    for (const writer of ['palette', 'alpha', 'Up'])
      expect((await outcome(original(writer), 'head of 512 bytes zeroed')).report.verdict, writer).toBe('unrepairable');
  });
});

/** A white page with lines of small marks in grey and one colour, as a screen or a page of text has them. */
function page(width: number, height: number, channels: 3 | 4): Buffer {
  const pixels = Buffer.alloc(width * height * channels, 255);
  const random = randomFrom(77);
  for (let y = 0; y < height; y++)
    for (let x = 10; x < width - 10; x++) {
      if (y % 16 > 8 || y < 12) continue;
      const [ink, grey] = [random() < 0.2, Math.floor(random() * 256)];
      const colour = y % 80 < 16 ? [200, 40, 30] : [grey, grey, grey];
      if (ink) for (let part = 0; part < 3; part++) pixels[(y * width + x) * channels + part] = colour[part] ?? 0;
    }
  return pixels;
}

describe('a page or a screen as PNG', () => {
  it.each([3, 4] as const)('has its kind of pixel told from edges, of %s samples each', async (channels) => {
    const [width, height] = [396, 240];
    for (const filter of [0, 2, 'least sum'] as const) {
      const whole = writePng({ width, height, channels, pixels: page(width, height, channels), filter });
      expect((await outcome(whole, 'IHDR cut out')).value, `filter ${filter}`).toBe(1);
    }
  });

  it('has its ground in place of what is lost', async () => {
    const [width, height] = [400, 600];
    const pixels = page(width, height, 3);
    const whole = writePng({ width, height, channels: 3, pixels, filter: 2 });
    const { value, report } = await outcome(whole, 'truncated to 60 %');
    // Of the lost two fifths the ground between the lines, and the margins, are as they were.
    expect(value, report.summary).toBeCloseTo(0.611, 2);
    expect(report.verdict).toBe('partly');
  });
});

describe('damage within the data of a PNG', () => {
  const up = writePng({ width: 200, height: 150, channels: 3, pixels: scene(200, 150, 33), filter: 2 });

  it('spoils little of what builds on the lost rows', async () => {
    for (const [recipe, wanted] of [
      ['gap of 100 bytes', 0.962],
      ['block of 64 bytes random', 0.9],
    ] as const) {
      const { report, value } = await outcome(up, recipe, 5);
      expect(value, recipe).toBeCloseTo(wanted, 2);
      expect(report.verdict).toBe('partly');
    }
  });

  it('costs a few rows at each of many places', async () => {
    const [width, height] = [900, 700];
    const random = randomFrom(35);
    const pixels = Buffer.alloc(width * height * 3);
    for (let at = 0; at < pixels.length; at++)
      pixels[at] = 60 + ((at % (width * 3)) >> 5) + Math.floor(at / (width * 3) / 9) + Math.floor(random() * 30);
    const whole = writePng({ width, height, channels: 3, pixels, filter: 'least sum' });
    const bytes = Buffer.from(whole);
    for (let part = 1; part <= 6; part++) bytes[Math.floor((bytes.length * part) / 7)] = 0x5a;
    const { report, output } = await repairBytes(bytes, 'picture.png');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('png', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('costs nothing when a transfer in text mode took bytes from many parts', async () => {
    for (const writer of ['filtered', 'alpha', 'large'])
      expect((await outcome(original(writer), 'CRLF became LF')).value, writer).toBe(1);
  });

  it('costs nothing when two bits are wrong in one part', async () => {
    const whole = original('filtered');
    for (const seed of [1, 2, 3]) {
      const random = randomFrom(seed);
      const bytes = Buffer.from(whole);
      const { start } = readChunks(whole).filter(({ type }) => type === 'IDAT')[5] ?? { start: 0 };
      for (let count = 0; count < 2; count++) {
        const at = start + Math.floor(random() * 8192);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      const { report, output } = await repairBytes(bytes, 'picture.png');
      expect(report.verdict, `seed ${seed}`).toBe('repaired');
      expect(await scoreAgainst('png', whole, output ?? Buffer.alloc(0))).toBe(1);
    }
  });

  it('is not handed out when next to nothing of it can be read', async () => {
    const data = deflateSync(randomBytes(randomFrom(8), 300 * 301));
    const header = Buffer.alloc(13);
    header.writeUInt32BE(300, 0);
    header.writeUInt32BE(300, 4);
    header[8] = 8;
    const noise = randomBytes(randomFrom(9), data.length);
    const bytes = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      writeChunk('IHDR', header),
      writeChunk('IDAT', Buffer.concat([data.subarray(0, 400), noise])),
    ]);
    expect((await repairBytes(bytes, 'picture.png')).report.verdict).toBe('unrepairable');
  });
});
