import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeLzw } from '../../lib/repair/codecs/lzw/decode';
import { adoptRows } from '../../lib/repair/formats/tiff/striprows';
import { exifSegment, writeJpeg } from './support/originals/jpegwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { packLzw, type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [across, down] = [344, 287];

/** A spreadsheet as a picture of a screen shows it: lines, flat areas and small dark marks. */
function sheet(seed: number): Promise<Buffer> {
  const random = randomFrom(seed);
  const place = (most: number) => Math.floor(random() * most);
  const bar = (x: number, y: number, wide: number, high: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${fill}"/>`;
  const many = (count: number, draw: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => draw(index)).join('');
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" shape-rendering="crispEdges">`,
    bar(0, 0, across, down, '#fff'),
    bar(0, 40, across, 30, '#888'),
    bar(0, 0, across, 12, '#cde'),
    many(20, (line) => bar(0, 70 + line * 11, across * 0.8, 1, '#000')),
    many(12, (column) => bar(60 + column * 24, 70, 1, down - 120, '#000')),
    bar(across * 0.6, 70, across * 0.2, down - 120, '#bbb'),
    many(160, () => bar(10 + place(across * 0.7), 74 + place(18) * 11, 1 + place(3), 2 + place(5), '#000')),
    many(50, () => bar(across * 0.3 + place(across * 0.2), 20 + place(8), 1 + place(3), 2 + place(8), '#000')),
    '</svg>',
  ];
  return sharp(Buffer.from(svg.join('')))
    .jpeg({ quality: 90, chromaSubsampling: '4:2:0' })
    .toBuffer();
}

async function repaired(format: string, whole: Buffer, bytes: Buffer) {
  const { report, output } = await repairBytes(bytes, `picture.${format}`);
  return {
    verdict: report.verdict,
    before: await scoreAgainst(format, whole, bytes),
    after: output ? await scoreAgainst(format, whole, output) : 0,
  };
}

describe('pictures of screens as JPEG', () => {
  it('takes no line or flat area for a break in the data', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const whole = await sheet(seed);
      for (const share of [0.995, 0.8]) {
        const { before, after } = await repaired('jpg', whole, whole.subarray(0, Math.floor(whole.length * share)));
        expect(after, `sheet ${seed} cut to ${share}`).toBeGreaterThanOrEqual(before);
      }
    }
  });
});

describe('lost quantisation tables', () => {
  it('leaves the preview of another picture aside', async () => {
    const rgb = await sharp(scene(320, 240, 3), { raw: { width: 320, height: 240, channels: 3 } })
      .linear(1.3, -30)
      .raw()
      .toBuffer();
    const grey = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#888' } })
      .composite([{ input: { create: { width: 40, height: 40, channels: 3, background: '#999' } } }])
      .jpeg()
      .toBuffer();
    const options = { quality: 85, horizontal: 2, vertical: 2, restart: 0 } as const;
    const write = (preview: Buffer) =>
      writeJpeg(rgb, 320, 240, { ...options, segments: [exifSegment(320, 240, preview)] });
    const whole = write(grey);
    // The tables of the picture itself, not those of its preview.
    const table = Buffer.from([0xff, 0xdb]);
    const bytes = Buffer.from(whole);
    const end = bytes.indexOf(Buffer.from([0xff, 0xd9])) + 2;
    for (let at = bytes.indexOf(table, end); at >= 0; at = bytes.indexOf(table, at + 2)) bytes.fill(0, at, at + 4);
    const { before, after } = await repaired('jpg', whole, bytes);
    expect(before).toBe(0);
    expect(after).toBe(1);
  });
});

const [width, height] = [128, 128];
const plain: TiffLayout = {
  width,
  height,
  samples: 3,
  depth: 8,
  photometric: 2,
  pixels: scene(width, height, 3),
  little: true,
  first: true,
  compression: 1,
  rowsPerStrip: height,
};

describe('TIFF', () => {
  it('keeps the noted place of rows that are only cut short', async () => {
    const whole = writeTiffLayout([plain]);
    for (const share of [0.999, 0.9, 0.6]) {
      const { before, after } = await repaired('tif', whole, whole.subarray(0, Math.floor(whole.length * share)));
      expect(after, `cut to ${share}`).toBeGreaterThanOrEqual(before);
    }
  });

  it('shows what is left of a picture with a palette, rough as its numbers are', async () => {
    const numbers = scene(width, height, 3).filter((_, at) => at % 3 === 0);
    const order = Array.from({ length: 256 }, (_, index) => (index * 167) & 255);
    const palette = Array.from({ length: 768 }, (_, index) => order.indexOf(index & 255) * 257);
    const pixels = Buffer.from(numbers.map((value) => order[value] ?? 0));
    const whole = writeTiffLayout([
      { ...plain, samples: 1, photometric: 3, pixels, palette, compression: 8, rowsPerStrip: 32 },
    ]);
    const bytes = Buffer.from(whole);
    bytes.fill(0x55, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.4) + 40);
    const { verdict, before, after } = await repaired('tif', whole, bytes);
    expect(verdict).toBe('partly');
    expect(after).toBeGreaterThanOrEqual(Math.max(0.76, before));
  });

  it('reads LZW as it was before TIFF 6.0, of which decoders warn', async () => {
    const whole = writeTiffLayout([{ ...plain, compression: 5, isOldLzw: true, rowsPerStrip: 32 }]);
    expect((await repaired('tif', whole, whole)).verdict).toBe('healthy');
    const bytes = Buffer.from(whole);
    bytes.fill(0, Math.floor(bytes.length * 0.5), Math.floor(bytes.length * 0.5) + 600);
    const { verdict, before, after } = await repaired('tif', whole, bytes);
    expect(verdict).toBe('partly');
    expect(after).toBeGreaterThanOrEqual(Math.max(0.7, before));
  });

  it('sets aside no more room for a strip than it needs', () => {
    const { data } = decodeLzw(packLzw(Buffer.alloc(3000, 7)), 0, 64 << 20);
    expect(data.length).toBe(3000);
    expect(data.buffer.byteLength).toBeLessThan(1 << 20);
    const long = scene(300, 200, 3);
    expect(decodeLzw(packLzw(long), 0, long.length).data.equals(long)).toBe(true);
  });

  it('takes rows over that hang together, and none that moved aside', () => {
    const row = width * 3;
    const kind = { row, pixel: 3, predictor: false, wide: null } as const;
    const truth = Buffer.from(
      scene(width, height, 3).map((value, at) => value + (Math.floor((at % (width * 3)) / 21) % 2) * 40),
    );
    const reading = Buffer.from(truth);
    randomBytes(randomFrom(4), 4 * row).copy(reading, 40 * row);
    // From row 80 on all lies twenty pixels to the right.
    truth.copy(reading, 80 * row + 60, 80 * row);
    const data = Buffer.from(truth);
    const known = new Uint8Array(data.length).fill(1);
    data.fill(0, 20 * row);
    known.fill(0, 20 * row);
    adoptRows(kind, data, known, reading);
    const isKnown = (line: number) => known.subarray(line * row, (line + 1) * row).every((byte) => byte === 1);
    expect([30, 39, 50, 79].map(isKnown)).toEqual([true, true, true, true]);
    expect([41, 90, 120].map(isKnown)).toEqual([false, false, false]);
    expect(data.subarray(50 * row, 51 * row).equals(truth.subarray(50 * row, 51 * row))).toBe(true);
  });

  it('takes a progressive drawing with hardly more than a bit for each block for sound', async () => {
    const drawing = await sharp({ create: { width: 776, height: 709, channels: 3, background: '#ffffff' } })
      .composite([
        { input: { create: { width: 60, height: 50, channels: 3, background: '#a01030' } }, left: 70, top: 90 },
      ])
      .jpeg({ progressive: true, optimiseCoding: true })
      .toBuffer();
    expect((await repairBytes(drawing, 'drawing.jpg')).report).toMatchObject({ verdict: 'healthy', found: [] });
  });
});
