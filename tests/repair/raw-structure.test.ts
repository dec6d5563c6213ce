import { beforeAll, describe, expect, it } from 'vitest';
import { losslessFrameAt } from '../../lib/repair/codecs/ljpeg/frame';
import { readLossless } from '../../lib/repair/codecs/ljpeg/read';
import { nikonPacking, readNikon } from '../../lib/repair/codecs/nikon';
import { directoriesOf } from '../../lib/repair/formats/raw/kinds/tiff/directories';
import { sensorImage } from '../../lib/repair/formats/raw/kinds/tiff/image';
import { picture } from './support/originals/picture';
import { nikonTable, type RawKind, rawPhoto } from './support/rawphotos';
import { repairBytes } from './support/run';

const endings = { cr2: 'cr2', nef: 'nef', arw: 'arw', dng: 'dng', unpacked: 'nrw' } as const;
const kinds = Object.keys(endings) as RawKind[];
let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await picture(640, 480, 14).jpeg({ quality: 85 }).toBuffer();
});

const repair = (bytes: Buffer, kind: RawKind) => repairBytes(bytes, `photo.${endings[kind]}`, { type: 19 });

const nikonScheme = 34_713;

/** Nikon's values, as far as they can be read. */
function nikonValues(data: Buffer, { width, height }: { width: number; height: number }): Uint16Array {
  const packing = nikonPacking(nikonTable(), 12, false);
  const values = new Uint16Array(width * height);
  if (packing) readNikon(data, width, height, packing, (line, row) => values.set(line, row * width));
  return values;
}

/** The sensor data that directories lead to: unpacked where it is lossless JPEG, as it stands where it is not. */
function sensorOf(bytes: Buffer): Uint16Array {
  const directories = directoriesOf(bytes);
  const image = directories && sensorImage(directories);
  const parts = (image?.pieces ?? []).map(({ at, count }) => {
    const frame = losslessFrameAt(bytes, at);
    if (image?.compression === nikonScheme) return nikonValues(bytes.subarray(at, at + count), image);
    if (!frame) return Uint16Array.from(bytes.subarray(at, at + count));
    const values = new Uint16Array(frame.width * frame.components.length * frame.height);
    readLossless(bytes, frame, at + count, (line, row) => values.set(line, row * line.length));
    return values;
  });
  return Uint16Array.from(parts.flatMap((part) => [...part]));
}

/** The share of values that are those of the photo as it was, but for a step that nobody sees. */
function share(output: Uint8Array | null, whole: Buffer): number {
  if (!output) return 0;
  const [was, is] = [sensorOf(whole), sensorOf(Buffer.from(output))];
  return was.filter((value, at) => Math.abs(value - (is[at] ?? -999)) <= 60).length / was.length;
}

const wiped = (bytes: Buffer, from: number, count: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.fill(0, from, from + count);
  return copy;
};
const without = (bytes: Buffer, from: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + count)]);
/** Where sensor data begins. */
const sensorAt = (bytes: Buffer): number => {
  const directories = directoriesOf(bytes);
  return (directories && sensorImage(directories)?.pieces[0]?.at) ?? 0;
};

describe.each(kinds)('a raw photo of the kind %s', (kind) => {
  it('is healthy as its camera wrote it', async () => {
    const { report } = await repair(rawPhoto(kind, jpeg), kind);
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('comes back whole behind bytes that do not belong to it', async () => {
    const whole = rawPhoto(kind, jpeg);
    const { report, output } = await repair(Buffer.concat([Buffer.alloc(777, 0x41), whole]), kind);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('keeps its sensor data when the list that names the camera is wiped, and says what is lost', async () => {
    const whole = rawPhoto(kind, jpeg);
    const { report, output } = await repair(wiped(whole, 0, 64), kind);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe(endings[kind]);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'descriptions' }));
    expect(share(output, whole)).toBe(1);
  });

  it('is led to its data again when bytes before it are lost', async () => {
    const whole = rawPhoto(kind, jpeg);
    const notes = whole.indexOf(Buffer.alloc(600, 0x51));
    const { report, output } = await repair(without(whole, notes + 1000, 512), kind);
    // The directory of a CR2 stands behind the notes here, so it moved itself.
    expect(report.verdict, report.summary).not.toBe('healthy');
    expect(share(output, whole)).toBe(1);
  });

  it('stays raw when its end is cut off, with the rest named as lost', async () => {
    const whole = rawPhoto(kind, jpeg);
    const at = sensorAt(whole);
    const { report, output } = await repair(whole.subarray(0, at + Math.floor((whole.length - at) * 0.8)), kind);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe(endings[kind]);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
    expect(share(output, whole)).toBeGreaterThan(0.7);
  });

  it('gives the picture inside when next to nothing of the sensor data is left', async () => {
    const whole = rawPhoto(kind, jpeg);
    const at = sensorAt(whole);
    const { report } = await repair(whole.subarray(0, at + Math.floor((whole.length - at) * 0.1)), kind);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe('jpg');
    expect(report.notes.join(' ')).toContain('not the raw photo itself');
  });
});

describe('damage inside packed sensor data', () => {
  it.each(['cr2', 'nef', 'arw', 'dng'] as const)('is told: %s', async (kind) => {
    const whole = rawPhoto(kind, jpeg);
    const at = sensorAt(whole) + Math.floor((whole.length - sensorAt(whole)) * 0.3);
    const copy = Buffer.from(whole);
    for (let step = 0; step < 4096; step++) copy[at + step] = (step * 89 + (step >> 3) * 57) & 255;
    const { report } = await repair(copy, kind);
    expect(report.verdict).not.toBe('healthy');
    expect(report.verdict).not.toBe('repaired');
    expect(report.found.map(({ detail }) => detail).join(' ')).toContain('sensor data');
  });

  it.each([
    ['wiped', (whole: Buffer, at: number) => wiped(whole, at, 512)],
    ['lost', (whole: Buffer, at: number) => without(whole, at, 512)],
    [
      'added',
      (whole: Buffer, at: number) =>
        Buffer.concat([whole.subarray(0, at), Buffer.alloc(100, 0x41), whole.subarray(at)]),
    ],
  ] as const)('costs a few rows, and not all that follows: %s', async (_, damage) => {
    for (const kind of ['cr2', 'nef'] as const) await costsFewRows(kind, damage);
  });

  async function costsFewRows(kind: RawKind, damage: (whole: Buffer, at: number) => Buffer): Promise<void> {
    const whole = rawPhoto(kind, jpeg);
    const at = sensorAt(whole) + Math.floor((whole.length - sensorAt(whole)) * 0.45);
    const { report, output } = await repair(damage(whole, at), kind);
    expect(report.verdict, `${kind}: ${report.summary}`).toBe('partly');
    expect(share(output, whole), kind).toBeGreaterThan(0.96);
  }

  it.each(['arw', 'unpacked'] as const)('in rows that are not packed is filled from those around: %s', async (kind) => {
    const whole = rawPhoto(kind, jpeg);
    const at = sensorAt(whole) + Math.floor((whole.length - sensorAt(whole)) * 0.45);
    const foreign = Buffer.from(whole);
    for (let step = 0; step < 2048; step++) foreign[at + step] = (step * 89 + (step >> 3) * 57) & 255;
    for (const hurt of [wiped(whole, at, 2048), foreign]) {
      const { report, output } = await repair(hurt, kind);
      expect(report.verdict, report.summary).toBe('partly');
      expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
      expect(share(output, whole)).toBeGreaterThan(kind === 'arw' ? 0.99 : 0.995);
    }
  });

  it('costs a DNG a part of a tile, also where its beginning is wiped', async () => {
    const whole = rawPhoto('dng', jpeg);
    const directories = directoriesOf(whole);
    const pieces = (directories && sensorImage(directories)?.pieces) ?? [];
    const { report, output } = await repair(wiped(whole, pieces[5]?.at ?? 0, 1500), 'dng');
    expect(report.verdict, report.summary).toBe('partly');
    expect(share(output, whole)).toBeGreaterThan(0.97);
  });
});

describe('sensor data whose directory is lost', () => {
  it('is described anew: the slices of a CR2 from its values', async () => {
    const whole = rawPhoto('cr2', jpeg);
    const { report, output } = await repair(wiped(whole, 0, whole.indexOf(jpeg) - 8), 'cr2');
    expect(report.verdict, report.summary).toBe('partly');
    const directories = directoriesOf(Buffer.from(output ?? []));
    expect(directories && sensorImage(directories)?.slices).toEqual([2, 256, 128]);
    expect(share(output, whole)).toBe(1);
  });

  it('is described anew: the tiles of a DNG by how they go on from each other', async () => {
    const whole = rawPhoto('dng', jpeg);
    const { report, output } = await repair(wiped(whole, 0, whole.indexOf(jpeg) - 8), 'dng');
    expect(report.verdict, report.summary).toBe('partly');
    const directories = directoriesOf(Buffer.from(output ?? []));
    const image = directories && sensorImage(directories);
    expect([image?.width, image?.height]).toEqual([640, 480]);
    expect(share(output, whole)).toBe(1);
  });
});

/** The value of a field of one of the directories that the head leads to. */
function setField(bytes: Buffer, tag: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  const directories = directoriesOf(copy);
  for (const { fields, offset } of directories?.found ?? []) {
    const field = fields.get(tag);
    if (!field || (tag < 270 && !fields.has(262) && offset > 0)) continue;
    if (directories?.tiff.little) copy.writeUIntLE(value, field.at, field.type === 3 ? 2 : 4);
    else copy.writeUIntBE(value, field.at, field.type === 3 ? 2 : 4);
  }
  return copy;
}

/** A photo whose sensor data is packed as nothing here reads it, and does not begin as lossless JPEG does. */
function unread(): Buffer {
  const bytes = setField(rawPhoto('dng', jpeg), 259, 9);
  const directories = directoriesOf(bytes);
  for (const { at } of (directories && sensorImage(directories)?.pieces) ?? []) bytes.write('VC-5', at, 'latin1');
  return bytes;
}

describe('sensor data that nothing here reads', () => {
  it('is healthy, and said to be unread', async () => {
    const { report } = await repair(unread(), 'dng');
    expect(report.verdict, report.summary).toBe('healthy');
    expect(report.notes.join(' ')).toContain('cannot be judged');
  });

  it('is not called repaired when its end was cut off', async () => {
    const whole = unread();
    const at = sensorAt(rawPhoto('dng', jpeg));
    const { report } = await repair(whole.subarray(0, at + Math.floor((whole.length - at) * 0.7)), 'dng');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
  });
});

describe('a CR2 whose directory of the sensor data is not led to', () => {
  it('is not healthy, and is led to it again', async () => {
    const whole = rawPhoto('cr2', jpeg);
    const [first] = directoriesOf(whole)?.found ?? [];
    const broken = Buffer.from(whole);
    broken.writeUInt32LE(0, 16 + 2 + (first?.fields.size ?? 0) * 12);
    const { report, output } = await repair(broken, 'cr2');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(share(output, whole)).toBe(1);
  });
});

describe('fields that name what cannot be', () => {
  it.each([
    ['unpacked', 258, 0],
    ['unpacked', 256, 0xffff_ffff],
    ['nef', 256, 0xffff_ffff],
    ['nef', 257, 0xffff_ffff],
    ['arw', 256, 0x7fff_ffff],
    ['dng', 322, 0xffff_ffff],
  ] as const)('end a reading soon: %s, field %i of %i', async (kind, tag, value) => {
    const whole = Buffer.concat([setField(rawPhoto(kind, jpeg), tag, value), Buffer.alloc(64, 1)]);
    const { report } = await repair(whole, kind);
    // What it says of such a file matters less than that it says something: a loop without end ends the test.
    expect(report.summary).not.toBe('');
  });

  it('take no memory for a tile of which the header names billions of samples', async () => {
    const whole = rawPhoto('dng', jpeg);
    const at = sensorAt(whole);
    const broken = Buffer.from(whole);
    const frame = broken.indexOf(Buffer.from([0xff, 0xc3]), at);
    broken.writeUInt32BE(0xffff_ffff, frame + 5);
    const { report, output } = await repair(broken, 'dng');
    // The header of another tile reads it whole.
    expect(report.verdict, report.summary).toBe('repaired');
    expect(share(output, whole)).toBe(1);
  });
});
