import { beforeAll, describe, expect, it } from 'vitest';
import { directoriesOf } from '../../lib/repair/formats/raw/kinds/tiff/directories';
import { picture } from './support/originals/picture';
import { type RawKind, rawPhoto } from './support/rawphotos';
import { repairBytes } from './support/run';

let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await picture(160, 120, 14).jpeg({ quality: 85 }).toBuffer();
});

const repair = (bytes: Buffer, kind: RawKind) =>
  repairBytes(bytes, `photo.${kind === 'unpacked' ? 'nrw' : kind}`, { type: 19 });

/** Parts of an entry: its number, type, count and value. */
const parts = { number: [0, 2], type: [2, 2], count: [4, 4], value: [8, 4], short: [8, 2] } as const;

/** A photo with one part of an entry changed: of the directory of the sensor data, or of another one that has the field. */
function changed(
  whole: Buffer,
  tag: number,
  part: keyof typeof parts,
  value: number | ((was: number) => number),
): Buffer {
  const bytes = Buffer.from(whole);
  const directories = directoriesOf(bytes);
  const own = directories?.found.filter(({ fields }) => fields.has(tag)).at(-1);
  if (!directories || !own) throw new Error('The photo has no such field.');
  const [from, size] = parts[part];
  const at = own.offset + 2 + [...own.fields.keys()].indexOf(tag) * 12 + from;
  const was = directories.tiff.little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const is = typeof value === 'number' ? value : value(was);
  if (directories.tiff.little) bytes.writeUIntLE(is, at, size);
  else bytes.writeUIntBE(is, at, size);
  return bytes;
}

const tags = {
  make: 271,
  model: 272,
  width: 256,
  height: 257,
  depth: 258,
  compression: 259,
  photometric: 262,
  places: 273,
  samples: 277,
  counts: 279,
  tileWidth: 322,
  pattern: 33_422,
  slices: 0xc640,
} as const;

describe('a field of sensor data that its data contradicts', () => {
  it.each<[RawKind, keyof typeof tags, keyof typeof parts, number | ((was: number) => number)]>([
    ['nef', 'photometric', 'number', 263],
    ['nef', 'compression', 'count', 7],
    ['nef', 'pattern', 'value', 0x00010101],
    ['arw', 'width', 'number', 255],
    ['arw', 'compression', 'short', 0],
    ['arw', 'counts', 'value', (was) => was / 2],
    ['dng', 'compression', 'short', 1],
    ['dng', 'photometric', 'short', 2],
    ['dng', 'tileWidth', 'value', (was) => was + 1],
    ['dng', 'samples', 'short', 3],
    ['dng', 'pattern', 'type', 3],
    ['unpacked', 'width', 'value', (was) => was + 1],
    ['unpacked', 'height', 'value', (was) => was / 2],
    ['unpacked', 'depth', 'short', 1],
    ['unpacked', 'counts', 'value', 1],
    ['cr2', 'slices', 'number', 0xc641],
    ['cr2', 'slices', 'value', (was) => was + 2],
    ['dng', 'make', 'value', (was) => was - 1],
    ['nef', 'make', 'number', 270],
    ['arw', 'model', 'count', 0x1000_0000],
  ])('is set right: %s, %s, its %s', async (kind, tag, part, value) => {
    const whole = rawPhoto(kind, jpeg);
    const { report, output } = await repair(changed(whole, tags[tag], part, value), kind);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.format).toBe(kind === 'unpacked' ? 'nrw' : kind);
    const [was, is] = [directoriesOf(whole), directoriesOf(output ?? whole)];
    const read = (one: typeof was) =>
      one?.found.map(({ fields }) => [...fields.keys()].map((each) => one.tiff.values(fields.get(each), 99)));
    expect(read(is)).toEqual(read(was));
  });

  it('is no reason to change a photo that fits its data', async () => {
    const { report } = await repair(changed(rawPhoto('unpacked', jpeg), tags.depth, 'short', 12), 'unpacked');
    expect(report.verdict, report.summary).toBe('healthy');
  });
});

describe('a first directory whose place alone is wrong', () => {
  it.each([1, 2])('keeps its values: %i bytes before', async (shift) => {
    const whole = rawPhoto('arw', jpeg);
    const bytes = Buffer.from(whole);
    bytes.writeUInt32LE(bytes.readUInt32LE(4) - shift, 4);
    const { report, output } = await repair(bytes, 'arw');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });
});

it('takes a DNG whose version has a wrong count for one, not for the TIFF of its small picture', async () => {
  const whole = rawPhoto('dng', jpeg);
  const bytes = changed(whole, 0xc612, 'count', 0x1000_0000);
  // What DNG alone has beside its version.
  const named = changed(bytes, 0x8769, 'number', 0xc614);
  const { report } = await repair(named, 'dng');
  expect(report.format).toBe('dng');
});

it.each([-2, 40])('counts the lines of lossless JPEG where its header names %i more', async (more) => {
  const whole = rawPhoto('cr2', jpeg);
  const bytes = Buffer.from(whole);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc3]));
  bytes.writeUInt16BE(bytes.readUInt16BE(frame + 5) + more, frame + 5);
  const { report, output } = await repair(bytes, 'cr2');
  expect(report.verdict, report.summary).toBe('repaired');
  expect(output?.equals(whole)).toBe(true);
});
