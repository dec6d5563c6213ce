import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { writeTiffLayout } from './support/tiffwriter';

const [width, height] = [120, 90];
const layout = { width, height, samples: 3, depth: 8, photometric: 2, compression: 8, rowsPerStrip: 16 } as const;
const pixels = Buffer.from(scene(width, height, 4));

/** A sound TIFF, with the place of the entry of a field in it. */
function withEntry(little: boolean, number: number): { whole: Buffer; at: number } {
  const whole = writeTiffLayout([{ ...layout, pixels, little, first: false }]);
  const read16 = (at: number) => (little ? whole.readUInt16LE(at) : whole.readUInt16BE(at));
  const first = little ? whole.readUInt32LE(4) : whole.readUInt32BE(4);
  const index = Array.from({ length: read16(first) }, (_, entry) => first + 2 + entry * 12).find(
    (at) => read16(at) === number,
  );
  if (index === undefined) throw new Error('no such field');
  return { whole, at: index };
}

/** A copy with one number of two bytes changed. */
function changed(whole: Buffer, at: number, value: number, little: boolean): Buffer {
  const bytes = Buffer.from(whole);
  if (little) bytes.writeUInt16LE(value, at);
  else bytes.writeUInt16BE(value, at);
  return bytes;
}

const cases = [true, false].flatMap((little) => [
  { name: 'a type of text for the kind of colours', little, number: 262, by: 2, value: 2 },
  { name: 'two widths', little, number: 256, by: little ? 4 : 6, value: 2 },
  { name: 'no samples', little, number: 277, by: little ? 4 : 6, value: 0 },
  { name: 'an unknown type for the places of strips', little, number: 273, by: 2, value: 8 },
  { name: 'two heights for want of a depth', little, number: 258, by: 0, value: 257 },
  { name: 'a number that no field has for the compression', little, number: 259, by: 0, value: 260 },
]);

describe('fields of a TIFF that cannot be as they are', () => {
  it.each(cases)('are set right, and nothing else: $name ($little)', async ({ little, number, by, value }) => {
    const { whole, at } = withEntry(little, number);
    const bytes = changed(whole, at + by, value, little);
    expect(bytes.equals(whole)).toBe(false);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('repaired');
    expect(report.found[0]?.kind).toBe('fields');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it.each([0, 3, 65_535])(
    'are set right by the number of strips where samples are stored in a way that is none (%s)',
    async (value) => {
      const { whole, at } = withEntry(true, 284);
      const { report, output } = await repairBytes(changed(whole, at + 8, value, true), 'photo.tif');
      expect(report.verdict).toBe('repaired');
      expect(output?.equals(whole)).toBe(true);
    },
  );

  it('are set right by the number of strips where samples are stored apart', async () => {
    const whole = writeTiffLayout([{ ...layout, pixels, little: false, first: false, planes: true }]);
    const at = whole.indexOf(Buffer.from([1, 28, 0, 3, 0, 0, 0, 1, 0, 2]));
    expect(at).toBeGreaterThan(0);
    const { report, output } = await repairBytes(changed(whole, at + 8, 7, false), 'photo.tif');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('are no fault where only their order is', async () => {
    const { whole, at } = withEntry(true, 262);
    const bytes = Buffer.from(whole);
    whole.copy(bytes, at, at + 12, at + 24);
    whole.copy(bytes, at + 12, at, at + 12);
    const { report } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('healthy');
  });
});
