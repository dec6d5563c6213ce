import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
const shape = { width, height, samples: 3, depth: 8, photometric: 2, little: true } as const;

/** A pattern of dark and bright cells in grey, three pixels wide, as rough as noise where they are low, of three samples each. */
const pattern = (low: number): Buffer =>
  Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => {
      const pixel = Math.floor(at / 3);
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      return (Math.floor(x / 3) + Math.floor(y / low)) & 1 ? 250 - (x >> 3) : 5 + (y >> 3);
    }),
  );
const photo = Buffer.from(scene(width, height, 6));

/** Every line end of either kind as CR and LF, as some transfers in text mode leave it. */
const withOneLineEnd = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(/\r\n/g, '\n').replace(/\n/g, '\r\n'), 'latin1');

describe('what a TIFF says of itself', () => {
  it('is found again where line ends of both kinds became one, whose lost bytes moved the directory', async () => {
    const whole = writeTiffLayout([{ ...shape, pixels: photo, compression: 8, rowsPerStrip: 16, first: false }]);
    const bytes = withOneLineEnd(whole);
    expect(whole.indexOf('\r\n', 0, 'latin1')).toBeGreaterThan(0);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(report.found[0]?.kind).toBe('textmode');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.5);
  });

  it('keeps the number of its colours where the height alone is wrong, however rough the picture is', async () => {
    const told = { ...shape, pixels: pattern(8), compression: 1, rowsPerStrip: height, first: true } as const;
    const whole = writeTiffLayout([told]);
    const bytes = Buffer.from(whole);
    const at = bytes.indexOf(Buffer.from([0x01, 0x01]), 8);
    bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) * 3, at + 8);
    expect(bytes.equals(whole)).toBe(false);
    const { report, output } = await repairBytes(bytes, 'pattern.tif');
    expect(report.verdict).toBe('repaired');
    expect(report.summary).toContain('300 × 240');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it.each([['plain', 1, 240] as const, ['run lengths', 32773, 16] as const])(
    'keeps kind of colours and width where the number of colours alone is wrong (%s)',
    async (_, compression, rowsPerStrip) => {
      const whole = writeTiffLayout([{ ...shape, pixels: pattern(8), compression, rowsPerStrip, first: true }]);
      const bytes = Buffer.from(whole);
      const at = bytes.indexOf(Buffer.from([0x15, 0x01, 3, 0, 1, 0, 0, 0, 3]), 8);
      expect(at).toBeGreaterThan(0);
      bytes.writeUInt16LE(1, at + 8);
      const { report, output } = await repairBytes(bytes, 'pattern.tif');
      expect(report.summary).toContain('300 × 240');
      expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBe(1);
    },
  );

  it('is no noise where a pattern as rough as noise is cut, of which most is there', async () => {
    const whole = writeTiffLayout([
      { ...shape, pixels: pattern(3), compression: 1, rowsPerStrip: height, first: true },
    ]);
    const { report, output } = await repairBytes(whole.subarray(0, Math.floor(whole.length * 0.8)), 'pattern.tif');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.75);
  });

  it('finds the strips behind those of a list that was cut off, one after another', async () => {
    const laid = writeTiffLayout([{ ...shape, pixels: photo, compression: 32773, rowsPerStrip: 16, first: false }]);
    const entry = laid.indexOf(Buffer.from([0x11, 0x01, 4, 0]), laid.readUInt32LE(4));
    const [count, places] = [laid.readUInt32LE(entry + 4), laid.readUInt32LE(entry + 8)];
    expect(count).toBe(height / 16);
    const whole = Buffer.concat([laid, laid.subarray(places, places + count * 4)]);
    whole.writeUInt32LE(laid.length, entry + 8);
    const { report, output } = await repairBytes(whole.subarray(0, laid.length + 5 * 4), 'photo.tif');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBe(1);
    expect(report.kept).toMatchObject([{ unit: 'pixels', count: width * height }]);
  });

  it('is not needed where strips hold differences of neighbours, however noisy, or end in zeroes', async () => {
    const random = randomFrom(9);
    const noisy = Buffer.from(photo.map((value) => Math.max(0, Math.min(255, value + Math.floor(random() * 13) - 6))));
    for (const compression of [5, 8] as const) {
      const tiff = { ...shape, pixels: noisy, compression, predictor: true, rowsPerStrip: 16, first: false };
      const whole = writeTiffLayout([tiff]);
      for (const share of [0.98, 0.8]) {
        const bytes = Buffer.from(whole).fill(0, Math.floor(whole.length * share));
        const { report, output } = await repairBytes(bytes, 'photo.tif');
        expect(report.verdict, `${compression}, ${share}: ${report.summary}`).toBe('partly');
        expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(share - 0.08);
      }
    }
  });
});
