import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [120, 90];
const pixels = Buffer.from(scene(width, height, 4));
const plain: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, compression: 1, rowsPerStrip: 16, pixels },
  ...{ little: true, first: false },
};
const whole = writeTiffLayout([plain]);
const oneStrip = writeTiffLayout([{ ...plain, rowsPerStrip: height }]);
const packed = writeTiffLayout([{ ...plain, compression: 8 }]);
const apart = writeTiffLayout([{ ...plain, planes: true, little: false }]);

/** Reads and writes the fields of the first directory of a TIFF. */
class Fields {
  readonly bytes: Buffer;
  readonly little: boolean;

  constructor(original: Buffer) {
    this.bytes = Buffer.from(original);
    this.little = original[0] === 0x49;
  }

  read(at: number, size: number): number {
    return this.little ? this.bytes.readUIntLE(at, size) : this.bytes.readUIntBE(at, size);
  }

  write(at: number, size: number, value: number): this {
    if (this.little) this.bytes.writeUIntLE(value, at, size);
    else this.bytes.writeUIntBE(value, at, size);
    return this;
  }

  entry(tag: number): number {
    const first = this.read(4, 4);
    const places = Array.from({ length: this.read(first, 2) }, (_, index) => first + 2 + index * 12);
    const found = places.find((at) => this.read(at, 2) === tag);
    if (found === undefined) throw new Error(`no field ${tag}`);
    return found;
  }

  /** Sets one value of a field. */
  set(tag: number, value: number, index = 0): this {
    const at = this.entry(tag);
    const size = this.read(at + 2, 2) === 3 ? 2 : 4;
    const isInside = size * this.read(at + 4, 4) <= 4;
    return this.write((isInside ? at + 8 : this.read(at + 8, 4)) + index * size, size, value);
  }

  get(tag: number, index = 0): number {
    const at = this.entry(tag);
    const size = this.read(at + 2, 2) === 3 ? 2 : 4;
    const isInside = size * this.read(at + 4, 4) <= 4;
    return this.read((isInside ? at + 8 : this.read(at + 8, 4)) + index * size, size);
  }

  count(tag: number, value: number): this {
    return this.write(this.entry(tag) + 4, 4, value);
  }

  type(tag: number, value: number): this {
    return this.write(this.entry(tag) + 2, 2, value);
  }
}

const cases: [string, Buffer, (fields: Fields) => Fields][] = [
  ['a width below that of the rows', whole, (one) => one.set(256, 60)],
  ['a height of a row less', whole, (one) => one.set(257, height - 1)],
  ['a width below that of one strip', oneStrip, (one) => one.set(256, 40)],
  ['a height below that of one strip', oneStrip, (one) => one.set(257, 45)],
  ['strips without rows', whole, (one) => one.set(278, 0)],
  ['one strip of half its length', oneStrip, (one) => one.set(279, (width * height * 3) / 2)],
  ['a length of its neighbour', whole, (one) => one.set(279, 2880, 2)],
  ['a place a byte further on', whole, (one) => one.set(273, one.get(273, 2) + 1, 2)],
  ['the first place a byte before', whole, (one) => one.set(273, one.get(273) - 1)],
  ['a place of its neighbour', packed, (one) => one.set(273, one.get(273, 1), 2)],
  ['all places moved', oneStrip, (one) => one.set(273, one.get(273) - 1)],
  ['a list of places that is cut short', whole, (one) => one.count(273, 4)],
  ['bits of a type that is none', whole, (one) => one.type(258, 7)],
  ['no numbers of bits', whole, (one) => one.count(258, 0)],
  ['colours by differences without any', packed, (one) => one.set(262, 6)],
  ['samples apart in strips of all', whole, (one) => one.set(284, 2)],
  ['samples together in strips of each', apart, (one) => one.set(284, 1)],
];

describe('fields of a TIFF that the others contradict', () => {
  it.each(cases)('are set right, and nothing else: %s', async (_name, original, damage) => {
    const { bytes } = damage(new Fields(original));
    expect(bytes.equals(original)).toBe(false);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['fields']);
    expect(output?.equals(original)).toBe(true);
  });

  it('are left where sound files have them so', async () => {
    // Strips that are alike may be stored once, behind the last one something else may stand, and lists may be longer.
    const even = Buffer.alloc(width * height * 3, 200);
    const same = new Fields(writeTiffLayout([{ ...plain, pixels: even, compression: 8 }]));
    same.set(273, same.get(273, 1), 2);
    const behind = Buffer.concat([whole, Buffer.from('left by another program')]);
    for (const bytes of [same.bytes, behind]) {
      const { report } = await repairBytes(bytes, 'photo.tif');
      expect(report.steps.filter(({ name }) => /field/i.test(name))).toEqual([]);
    }
  });

  it('make a page that readers pass over no sound one', async () => {
    const pages = writeTiffLayout([plain, { ...plain, compression: 8 }]);
    const fields = new Fields(pages);
    const first = fields.read(4, 4);
    const second = fields.read(first + 2 + fields.read(first, 2) * 12, 4);
    const at = Array.from({ length: fields.read(second, 2) }, (_, index) => second + 2 + index * 12).find(
      (place) => fields.read(place, 2) === 273,
    );
    const { bytes } = fields.write(at ?? 0, 2, 270);
    const { report } = await repairBytes(bytes, 'photo.tif');
    expect(['partly', 'repaired']).toContain(report.verdict);
  });
});
