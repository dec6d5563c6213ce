import { beforeAll, describe, expect, it } from 'vitest';
import { crxTilesAt } from '../../lib/repair/codecs/crx/headers';
import { readCrx } from '../../lib/repair/codecs/crx/read';
import { writeCrx } from '../../lib/repair/codecs/crx/write';
import { sensorTrack, tracksOf } from '../../lib/repair/formats/raw/kinds/cr3/tracks';
import { cr3Photo } from './support/cr3s';
import { picture } from './support/originals/picture';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

let photo: ReturnType<typeof cr3Photo>;

beforeAll(async () => {
  photo = cr3Photo(await picture(640, 480, 14).jpeg({ quality: 85 }).toBuffer());
});

const repair = (bytes: Buffer) => repairBytes(bytes, 'photo.cr3', { type: 19 });

/** The planes of the sensor, and whether all of them read to the end of their data. */
function planesOf(output: Uint8Array | null): { planes: Int16Array[]; isSound: boolean } {
  const bytes = Buffer.from(output ?? []);
  const track = sensorTrack(tracksOf(bytes));
  const laid = track && crxTilesAt(bytes, track.start, track.shape);
  const planes: Int16Array[] = [];
  let isSound = laid !== null;
  for (const { width, height, planes: packed } of laid?.tiles ?? [])
    for (const { bands } of packed) {
      const values = new Int16Array(width * height);
      const data = bytes.subarray(bands[0]?.start, bands[0]?.end);
      const { fault } = readCrx(
        data,
        width,
        height,
        12,
        () => {},
        (line, row) => values.set(line.subarray(1, width + 1), row * width),
      );
      isSound &&= fault === null;
      planes.push(values);
    }
  return { planes, isSound };
}

/** The share of values that are those of the photo as it was, but for a step that nobody sees. */
function share(output: Uint8Array | null): number {
  const [was, is] = [planesOf(photo.bytes).planes, planesOf(output).planes];
  let [right, all] = [0, 0];
  for (const [index, plane] of was.entries())
    for (const [at, value] of plane.entries()) {
      right += Math.abs(value - (is[index]?.[at] ?? -9999)) <= 60 ? 1 : 0;
      all++;
    }
  return right / all;
}

const wiped = (from: number, count: number): Buffer => {
  const copy = Buffer.from(photo.bytes);
  copy.fill(0, from, from + count);
  return copy;
};
const without = (from: number, count: number): Buffer =>
  Buffer.concat([photo.bytes.subarray(0, from), photo.bytes.subarray(from + count)]);
const inSensor = (part: number): number => photo.sensorAt + Math.floor(photo.sensorBytes * part);

describe('values of a CR3 without loss', () => {
  it.each(['noise', 'flat', 'steps', 'extremes'])('are read as they were packed: %s', (kind) => {
    const random = randomFrom(7);
    const [width, height] = [97, 40];
    const values = Int16Array.from({ length: width * height }, (_, at) => {
      if (kind === 'noise') return Math.floor(random() * 60) - 30;
      if (kind === 'flat') return at % 1000 === 999 ? 5 : 0;
      if (kind === 'steps') return Math.floor((at % width) / 20) * 37 + (Math.floor(at / width) > 20 ? 100 : 0);
      return random() < 0.5 ? -2048 : 2047;
    });
    const { data, unused } = writeCrx(values, width);
    const read = new Int16Array(values.length);
    const { rows, fault } = readCrx(
      data.subarray(0, data.length - unused),
      width,
      height,
      12,
      () => {},
      (line, row) => read.set(line.subarray(1, width + 1), row * width),
    );
    expect([rows, fault]).toEqual([height, null]);
    expect(read).toEqual(values);
  });

  it('that are wrong are told wherever many of them are', () => {
    const random = randomFrom(3);
    const [width, height] = [200, 100];
    const values = Int16Array.from({ length: width * height }, (_, at) =>
      Math.round(1500 * Math.sin(at / 500) + random() * 40),
    );
    const { data } = writeCrx(values, width);
    let told = 0;
    for (let step = 1; step < 40; step++) {
      const hurt = Buffer.from(data);
      const at = Math.floor((data.length * step) / 40);
      hurt[at] = (hurt[at] ?? 0) ^ (1 << (step % 8));
      let wrong = 0;
      const { fault } = readCrx(
        hurt,
        width,
        height,
        12,
        () => {},
        (line, row) => {
          for (let column = 0; column < width; column++)
            if (Math.abs((line[column + 1] ?? 0) - (values[row * width + column] ?? 0)) > 200) wrong++;
        },
      );
      if (fault) told++;
      else expect(wrong / values.length, `wrong from byte ${at} on`).toBeLessThan(0.02);
    }
    expect(told).toBeGreaterThan(10);
  });
});

describe('a CR3 photo', () => {
  it('is sound as the camera writes it', async () => {
    const { report } = await repair(photo.bytes);
    expect(report.verdict, report.summary).toBe('healthy');
    expect(planesOf(photo.bytes).isSound).toBe(true);
  });

  it('is sound with a picture of a kind that nothing here knows', async () => {
    const { report } = await repair(cr3Photo(Buffer.alloc(20_000, 0x5b), 'HEVC').bytes);
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it.each([64, 512])('whose first %i bytes were wiped keeps its sensor data', async (count) => {
    const { report, output } = await repair(wiped(0, count));
    expect(['repaired', 'partly'], report.summary).toContain(report.verdict);
    expect(report.format).toBe('cr3');
    expect(share(output)).toBe(1);
  });

  it('that lost bytes of its descriptions finds its data again', async () => {
    const { report, output } = await repair(without(420, 100));
    expect(report.format).toBe('cr3');
    expect(share(output)).toBe(1);
  });

  it('that lost bytes between descriptions and data finds its data again', async () => {
    const { report, output } = await repair(without(photo.bytes.indexOf('mdat') - 1000, 700));
    expect(report.verdict, report.summary).toBe('repaired');
    expect(share(output)).toBe(1);
  });

  it('that is cut off keeps what is there, and the rows without all colours count as lost', async () => {
    const { report, output } = await repair(photo.bytes.subarray(0, inSensor(0.9)));
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe('cr3');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
    expect(share(output)).toBeGreaterThan(0.85);
    expect(planesOf(output).isSound).toBe(true);
  });

  it('whose colours are cut off gives the picture of the camera', async () => {
    const { report, output } = await repair(photo.bytes.subarray(0, inSensor(0.4)));
    expect(report.verdict, report.summary).toBe('partly');
    expect(output?.readUInt16BE(0)).toBe(0xffd8);
  });

  it.each([
    ['wiped', (at: number) => wiped(at, 600)],
    ['lost', (at: number) => without(at, 600)],
  ])('whose sensor data is %s in a place can be read to its end', async (_, damage) => {
    const { report, output } = await repair(damage(inSensor(0.7)));
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe('cr3');
    expect(share(output)).toBeGreaterThan(0.9);
    expect(planesOf(output).isSound).toBe(true);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
  });

  it('without notes of the moment loses their track, since programs refuse it otherwise', async () => {
    const { report, output } = await repair(wiped(photo.sensorAt + photo.sensorBytes, 664));
    expect(report.verdict, report.summary).toBe('partly');
    expect(tracksOf(Buffer.from(output ?? []))).toHaveLength(2);
    expect(share(output)).toBe(1);
  });

  it('whose headers ask for far more than there is ends all the same', async () => {
    const at = photo.bytes.indexOf('CMP1') + 4;
    for (const [place, value] of [
      [8, 0xffff_fffe],
      [12, 0xffff_fffe],
      [16, 22],
      [28, 0xffff_ffff],
    ] as const) {
      const hurt = Buffer.from(photo.bytes);
      hurt.writeUInt32BE(value, at + place);
      const { report } = await repair(hurt);
      expect(report.verdict, report.summary).not.toBe('healthy');
    }
  });
});
