import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [320, 240];

/** Pictures with Huffman tables that were counted for them. */
const counted = (progressive: boolean) =>
  sharp(scene(width, height, 31), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85, optimiseCoding: true, progressive })
    .toBuffer();
const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).raw().toBuffer();

/** The place of the first DHT segment of a class and number: 0 and 0x10 are brightness. */
const tableOf = (bytes: Buffer, id: number) => placeOf(bytes, id, 0);

function placeOf(bytes: Buffer, id: number, from: number): number {
  const at = bytes.indexOf(Buffer.from([0xff, 0xc4]), from);
  return at < 0 || bytes[at + 4] === id ? at : placeOf(bytes, id, at + 2);
}

describe('one wrong byte in Huffman tables that were made for a picture', () => {
  it.each([
    ['a bit of a symbol for DC values', false, 0, 4 + 17 + 2, 1],
    ['a bit of a symbol for AC values', false, 0x10, 4 + 17 + 3, 2],
    ['a bit of the number of codes', false, 0x10, 4 + 1 + 3, 1],
    ['all of a symbol', false, 0x10, 4 + 17 + 1, 0xbb],
    ['a bit of a symbol for DC values in passes', true, 0, 4 + 17 + 1, 1],
  ])('is set right: %s', async (_, progressive, id, place, change) => {
    const sound = await counted(progressive);
    const bytes = Buffer.from(sound);
    const at = tableOf(bytes, id) + place;
    bytes[at] = (bytes[at] ?? 0) ^ change;
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).toContain('huffman');
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });

  it('is not looked for where the data is damaged alone', async () => {
    const bytes = await counted(false);
    const middle = bytes.length >> 1;
    bytes.fill(0, middle, middle + 700);
    expect((await repairBytes(bytes, 'photo.jpg')).report.found.map(({ kind }) => kind)).not.toContain('huffman');
  });
});

describe('steps of a quantisation table that were wiped', () => {
  it.each([
    ['six steps', 4 + 1 + 20, 6],
    ['sixteen steps', 4 + 1 + 8, 16],
  ])('are told by the rest of it where no other table is left: %s', async (_, place, count) => {
    const sound = await sharp(scene(width, height, 31), { raw: { width, height, channels: 3 } })
      .toColourspace('b-w')
      .jpeg({ quality: 93 })
      .toBuffer();
    const bytes = Buffer.from(sound);
    const at = bytes.indexOf(Buffer.from([0xff, 0xdb])) + place;
    bytes.fill(0, at, at + count);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });
});
