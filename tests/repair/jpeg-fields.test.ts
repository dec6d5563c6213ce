import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [203, 149];

const made = (progressive: boolean) =>
  sharp(scene(width, height, 17), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85, progressive })
    .toBuffer();
const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).raw().toBuffer();

/** Where the frame header and the first scan header stand, from their markers on. */
const frameOf = (bytes: Buffer, progressive: boolean) => bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
const scanOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xda]));

describe('fields of a JPEG that can have one value only', () => {
  it.each([
    ['the first coefficient', false, 'scan', 11, [255]],
    ['the last coefficient', false, 'scan', 12, [255]],
    ['all that stands behind the components', false, 'scan', 11, [0x5a, 0x91, 0xe3]],
    ['the last coefficient of a first pass', true, 'scan', 12, [255]],
    ['the name of a component in the scan', false, 'scan', 7, [0x42]],
    ['the name of a component in the frame', false, 'frame', 13, [0x42]],
    ['the number of components in the scan', false, 'scan', 4, [2]],
    ['the length of the scan header', false, 'scan', 2, [0, 13]],
    ['the precision', false, 'frame', 4, [12]],
    ['a table that there is not, where one is left', false, 'frame', 12, [3]],
    ['a table that there is not, by that of the other class', false, 'scan', 8, [0x19]],
  ] as const)('are set right: %s', async (_, progressive, part, place, values) => {
    const sound = await made(progressive);
    const bytes = Buffer.from(sound);
    bytes.set(values, (part === 'scan' ? scanOf(bytes) : frameOf(bytes, progressive)) + place);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).toEqual(['header']);
    expect(report.verdict).toBe('repaired');
    expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
  });

  it.each([
    ['the length of tables of quantisation', 0xdb, 3, (byte: number) => byte + 1],
    ['the length of the frame header', 0xc0, 3, (byte: number) => byte - 1],
    ['the length of Huffman tables', 0xc4, 3, (byte: number) => byte - 1],
    ['the class of Huffman tables', 0xc4, 4, (byte: number) => byte | 0x20],
  ] as const)('are set right in each segment: %s', async (_, marker, place, change) => {
    for (const progressive of [false, true]) {
      const sound = await made(progressive);
      const wanted = marker === 0xc0 && progressive ? 0xc2 : marker;
      const places = [...sound.keys()].filter((at) => sound[at] === 0xff && sound[at + 1] === wanted);
      expect(places.length).toBeGreaterThan(0);
      for (const at of places) {
        const bytes = Buffer.from(sound);
        bytes[at + place] = change(bytes[at + place] ?? 0);
        const { report, output } = await repairBytes(bytes, 'photo.jpg');
        expect(
          report.found.map(({ kind }) => kind),
          `at ${at}`,
        ).toEqual(['header']);
        expect(report.verdict).toBe('repaired');
        expect((await pixels(output ?? bytes)).equals(await pixels(sound))).toBe(true);
      }
    }
  });

  it('are not believed where the bits of a first pass are unknown as well', async () => {
    const bytes = await made(true);
    bytes.set([0x5a, 0x91, 0xe3], scanOf(bytes) + 11);
    expect((await repairBytes(bytes, 'photo.jpg')).report.verdict).not.toBe('repaired');
  });
});

describe('the height of a JPEG whose data is whole', () => {
  it.each([
    ['one row of MCUs too many', 16],
    ['one too few', -16],
    ['three too many', 48],
  ])('is told from the data, and the width believed: %s', async (_, off) => {
    const sound = await made(false);
    const bytes = Buffer.from(sound);
    const at = frameOf(bytes, false);
    bytes.writeUInt16BE(height + off, at + 5);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report, report.summary).toMatchObject({ verdict: 'partly', lost: [{ unit: 'description' }] });
    const { width: across, height: down } = await sharp(output ?? bytes).metadata();
    // To the row of MCUs: what of the last one belongs to the picture nothing tells.
    expect([across, down]).toEqual([width, 160]);
    const [before, after] = [await pixels(sound), await pixels(output ?? bytes)];
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
  });
});

describe('the size of a JPEG that its head does not tell', () => {
  it.each([
    ['no width', 7, 2],
    ['no height', 5, 2],
    ['no frame header', 0, 19],
  ])('is sure to the MCU only, which the result says: %s', async (_, from, count) => {
    const bytes = await made(false);
    const at = frameOf(bytes, false) + from;
    bytes.fill(0, at, at + count);
    const { report } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost[0]?.detail).toContain('exact size');
  });
});
