import { beforeAll, describe, expect, it } from 'vitest';
import { losslessFrameAt } from '../../lib/repair/codecs/ljpeg/frame';
import { readLossless } from '../../lib/repair/codecs/ljpeg/read';
import { writeLossless } from '../../lib/repair/codecs/ljpeg/write';
import { directoriesOf } from '../../lib/repair/formats/raw/kinds/tiff/directories';
import { sensorImage } from '../../lib/repair/formats/raw/kinds/tiff/image';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { directory, sensorSize, sensorValues } from './support/rawphotos';
import { repairBytes } from './support/run';

const { width, height } = sensorSize;
const rowsPerStrip = 32;
const values = sensorValues(5);
let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await picture(320, 240, 14).jpeg({ quality: 85 }).toBuffer();
});

/** Strips as they stand, or as lossless JPEG. */
function strips(isPacked: boolean): Buffer[] {
  const parts: Buffer[] = [];
  for (let top = 0; top < height; top += rowsPerStrip) {
    const samples = values.subarray(top * width, (top + rowsPerStrip) * width);
    const picture = { precision: 12, width: width / 2, height: rowsPerStrip, components: 2, samples };
    const plain = Buffer.alloc(samples.length * 2);
    if (!isPacked) for (const [at, value] of samples.entries()) plain.writeUInt16LE(value, at * 2);
    const part = isPacked ? writeLossless(picture) : plain;
    parts.push(part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)]));
  }
  return parts;
}

type Entry = Parameters<typeof directory>[0][number];

/** A DNG in strips, its directories before all data, or behind it as programs write them that do not know the lengths before. */
function dng(isPacked: boolean, isBehind: boolean): Buffer {
  const parts = strips(isPacked);
  const sensor = (places: readonly number[]): Entry[] => [
    [254, 4, [0]],
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, [16]],
    [259, 3, [isPacked ? 7 : 1]],
    [262, 3, [32_803]],
    [273, 4, places],
    [277, 3, [1]],
    [278, 4, [rowsPerStrip]],
    [279, 4, parts.map(({ length }) => length)],
    [33_421, 3, [2, 2]],
    [33_422, 1, [0, 1, 1, 2]],
    [0xc61d, 4, [4095]],
  ];
  const first = (jpegAt: number, sub: number): Entry[] => [
    [254, 4, [1]],
    [259, 3, [6]],
    [271, 2, 'Acme Works'],
    [272, 2, 'Acme Works One'],
    [330, 4, [sub]],
    [513, 4, [jpegAt]],
    [514, 4, [jpeg.length]],
    [0xc612, 1, [1, 4, 0, 0]],
  ];
  const shown = jpeg.length % 2 === 0 ? jpeg : Buffer.concat([jpeg, Buffer.alloc(1)]);
  const data = Buffer.concat([...parts, shown]);
  const firstBytes = directory(first(0, 0), 8, 0, true).length;
  const bothBytes = firstBytes + directory(sensor(parts.map(() => 0)), 8, 0, true).length;
  const directoriesAt = isBehind ? 8 + data.length : 8;
  let at = isBehind ? 8 : 8 + bothBytes;
  const places = parts.map(({ length }) => {
    at += length;
    return at - length;
  });
  const both = Buffer.concat([
    directory(first(at, directoriesAt + firstBytes), directoriesAt, 0, true),
    directory(sensor(places), directoriesAt + firstBytes, 0, true),
  ]);
  const head = Buffer.from('49492a0000000000', 'hex');
  head.writeUInt32LE(directoriesAt, 4);
  return Buffer.concat(isBehind ? [head, data, both] : [head, both, data]);
}

const repair = (bytes: Buffer) => repairBytes(bytes, 'photo.dng', { type: 19 });

/** The share of the sensor's values that stand where they were, but for a step that nobody sees. */
function share(output: Buffer | null): number {
  const directories = output && directoriesOf(output);
  const image = directories && sensorImage(directories);
  if (!image) return 0;
  const found: number[] = [];
  for (const { at, count } of image.pieces) {
    const frame = losslessFrameAt(output, at);
    if (frame) readLossless(output, frame, at + count, (line) => line.forEach((value) => void found.push(value)));
    else for (let place = at; place < at + count; place += 2) found.push(output.readUInt16LE(place));
  }
  return values.filter((value, index) => Math.abs(value - (found[index] ?? -999)) <= 60).length / values.length;
}

const stripAt = (bytes: Buffer, index: number): number => {
  const directories = directoriesOf(bytes);
  return (directories && sensorImage(directories)?.pieces[index]?.at) ?? 0;
};

describe('sensor data in strips', () => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('is sound as it was written: packed %s, directories behind %s', async (isPacked, isBehind) => {
    const { report } = await repair(dng(isPacked, isBehind));
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('moves back behind bytes that were put into it', async () => {
    const whole = dng(false, false);
    const at = stripAt(whole, 7) + 333;
    const { report, output } = await repair(
      Buffer.concat([whole.subarray(0, at), Buffer.alloc(37, 0x5a), whole.subarray(at)]),
    );
    expect(report.verdict, report.summary).toMatch(/repaired|partly/);
    expect(share(output)).toBeGreaterThan(0.97);
  });

  it('is told from clusters of zeroes that stand near each other', async () => {
    const damaged = dng(false, false);
    const at = Math.ceil(stripAt(damaged, 4) / 4096) * 4096;
    for (const step of [0, 3, 6, 9]) damaged.fill(0, at + step * 4096, at + (step + 1) * 4096);
    const { report, output } = await repair(damaged);
    expect(report.verdict, report.summary).toBe('partly');
    expect(share(output)).toBeGreaterThan(0.95);
  });

  it.each([4096, 65_536])('is told from %d bytes of chance, which are filled', async (count) => {
    const damaged = dng(false, false);
    const at = Math.ceil(stripAt(damaged, 4) / 512) * 512;
    randomBytes(randomFrom(9), count).copy(damaged, at);
    const { report, output } = await repair(damaged);
    expect(report.found.length, report.summary).toBeGreaterThan(0);
    expect(report.verdict).toBe('partly');
    expect(share(output)).toBeGreaterThan(0.85);
  });

  it('keeps strips that stand where one lost its beginning, in the place that they have', async () => {
    const damaged = dng(true, true);
    damaged.fill(0, 0, 16);
    const { report, output } = await repair(damaged);
    expect(report.verdict, report.summary).not.toBe('unrepairable');
    expect(share(output)).toBeGreaterThan(0.9);
  });

  it('has strips that programs can read where one is gone, as some stop at the first that they cannot', async () => {
    const damaged = dng(true, true);
    damaged.fill(0, 0, stripAt(damaged, 1));
    const { report, output } = await repair(damaged);
    expect(report.verdict, report.summary).toBe('partly');
    const strips = Array.from({ length: height / rowsPerStrip }, (_, index) => index);
    for (const index of strips) expect(output && losslessFrameAt(output, stripAt(output, index))).not.toBeNull();
    expect(share(output)).toBeGreaterThan(0.9);
  });

  it('stays a raw photo where its directories moved, and names its camera', async () => {
    const whole = dng(true, true);
    const at = stripAt(whole, 7) + 333;
    const { report, output } = await repair(
      Buffer.concat([whole.subarray(0, at), Buffer.alloc(1, 0x5a), whole.subarray(at)]),
    );
    expect(report.format).toBe('dng');
    const first = output && directoriesOf(output);
    const make = first?.found[0]?.fields.get(271);
    expect(output?.toString('latin1', make?.at ?? 0, (make?.at ?? 0) + 10)).toBe('Acme Works');
    expect(share(output)).toBeGreaterThan(0.9);
  });
});
