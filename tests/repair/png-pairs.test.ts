import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pngSignature, writeChunk } from '../../lib/repair/formats/png/chunks';
import { type PngLayout, writePng } from './support/pngwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

/** Bytes of a part as Pillow writes them at most. */
const longPart = 65_536;

const [width, height] = [300, 240];
const layout: PngLayout = {
  width,
  height,
  channels: 3,
  pixels: Buffer.from(scene(width, height, 6)),
  filter: 4,
  level: 6,
};

describe('two wrong bits in one part of a PNG', () => {
  it('are set right in parts as long as 64 kB', async () => {
    const whole = writePng({ ...layout, chunk: longPart });
    const bytes = Buffer.from(whole);
    for (const at of [9_000, 61_000]) bytes[at] = (bytes[at] ?? 0) ^ 8;
    const { report, output } = await repairBytes(bytes, 'photo.png');
    expect(report.verdict).toBe('repaired');
    const shown = await sharp(output ?? Buffer.alloc(0))
      .raw()
      .toBuffer();
    expect(shown.equals(layout.pixels)).toBe(true);
  });
});

describe('a PNG that lost its beginning', () => {
  it('is not handed out where all of it builds on that and came out as noise', async () => {
    // Samples of two bytes, whose lower ones are noise, each row told by the one above.
    const wide = Buffer.from([...layout.pixels].flatMap((byte, at) => [byte, (at * 167) & 255]));
    const row = width * 6;
    const filtered = Buffer.alloc((row + 1) * height);
    for (let y = 0; y < height; y++) {
      filtered[y * (row + 1)] = 4;
      for (let at = 0; at < row; at++) {
        const get = (line: number, place: number) => (line < 0 || place < 0 ? 0 : (wide[line * row + place] ?? 0));
        const [left, up, corner] = [get(y, at - 6), get(y - 1, at), get(y - 1, at - 6)];
        const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
        const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
        filtered[y * (row + 1) + 1 + at] = (get(y, at) - paeth) & 255;
      }
    }
    const head = Buffer.from([0, 0, 1, 44, 0, 0, 0, 240, 16, 2, 0, 0, 0]);
    const { deflateSync } = await import('node:zlib');
    const whole = Buffer.concat([
      pngSignature,
      writeChunk('IHDR', head),
      writeChunk('IDAT', deflateSync(filtered)),
      writeChunk('IEND', Buffer.alloc(0)),
    ]);
    expect((await repairBytes(whole, 'photo.png')).report.verdict).toBe('healthy');
    const bytes = Buffer.concat([randomBytes(randomFrom(1), 4096), whole.subarray(4096)]);
    expect((await repairBytes(bytes, 'photo.png')).report.verdict).toBe('unrepairable');
  });
});
