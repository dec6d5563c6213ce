import { describe, expect, it } from 'vitest';
import { lostParts } from '../../lib/repair/formats/raw/kinds/tiff/lost';
import type { Rows } from '../../lib/repair/formats/raw/kinds/tiff/rows';
import { randomFrom } from './support/random';

const [width, height] = [1024, 400];
const rows: Rows = {
  at: 0,
  row: width * 2,
  count: height,
  apart: 2,
  range: 1 << 12,
  beyond: 1 << 12,
  value: (bytes, place) => bytes.readUInt16LE(place),
  group: 2,
  coarse: (bytes, place) => [bytes.readUInt16LE(place) >> 4],
  isBlocks: false,
};

/** Unpacked rows of a soft picture with a little noise; `drawn` gives values of its own where it draws. */
function photo(drawn: (x: number, y: number) => number | null = () => null): Buffer {
  const random = randomFrom(11);
  const bytes = Buffer.alloc(width * height * 2);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light = 900 + 500 * Math.sin(x / 190 + y / 130) + random() * 40;
      bytes.writeUInt16LE(Math.round(drawn(x, y) ?? light), (y * width + x) * 2);
    }
  return bytes;
}

describe('what else was written over unpacked rows', () => {
  it('is found by values that no sensor gives, and by stretches that are no picture', () => {
    const random = randomFrom(5);
    for (const most of [256, 16]) {
      const bytes = photo();
      const at = 200 * 512;
      for (let step = 0; step < 2048; step += 2) {
        bytes[at + step] = Math.floor(random() * 256);
        bytes[at + step + 1] = Math.floor(random() * most);
      }
      expect(lostParts(bytes, rows), `upper bytes below ${most}`).toEqual([{ start: at, end: at + 2048 }]);
    }
  });

  it.each([
    [
      'lines as fine as pixels',
      (x: number, y: number) => (x > 300 && x < 800 && y > 100 && y < 300 ? ((x >> 1) % 2) * 3800 : null),
    ],
    ['a chart of squares', (x: number, y: number) => (x > 300 && y > 100 ? (((x >> 2) + (y >> 2)) % 2) * 3800 : null)],
    [
      'noise of a bright sign at night',
      (x: number, y: number) => (y > 180 && y < 190 ? 3000 + ((x * 7919) % 1000) : null),
    ],
    ['a single bright row', (_: number, y: number) => (y === 200 ? 4095 : null)],
  ] as const)('is none of what a camera may see: %s', (_, drawn) => {
    expect(lostParts(photo(drawn), rows)).toEqual([]);
  });
});
