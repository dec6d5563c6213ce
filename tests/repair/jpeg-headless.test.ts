import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeJpeg } from './support/originals/jpegwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [480, 320];
const raw = { width, height, channels: 3 } as const;

const plain = (chromaSubsampling: string, seed = 31) =>
  sharp(scene(width, height, seed), { raw })
    .jpeg({ quality: 85, chromaSubsampling, optimiseCoding: false })
    .toBuffer();
const grey = () =>
  sharp(scene(width, height, 31), { raw })
    .greyscale()
    .jpeg({ optimiseCoding: false })
    .toBuffer();
const sampled = (restart: number) =>
  Promise.resolve(
    writeJpeg(scene(width, height, 31), width, height, {
      quality: 85,
      horizontal: 2,
      vertical: 1,
      restart,
      segments: [],
    }),
  );

/** Samples of brightness, with the size they have. */
async function lightOf(bytes: Buffer): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(bytes, { failOn: 'none' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * How the mean brightness of blocks of 16 by 16 samples goes with that of the original, both pictures laid upon each other at their lower
 * edges: the correlation, and by how much most are brighter. The upper quarter, where blocks are lost, is left out.
 */
async function compared(whole: Buffer, output: Buffer): Promise<{ alike: number; off: number; width: number }> {
  const [wanted, got] = [await lightOf(whole), await lightOf(output)];
  const shift = Math.ceil(wanted.height / 8) * 8 - got.height;
  const pairs: [number, number][] = [];
  for (let y = wanted.height >> 2; y + 16 <= wanted.height; y += 16)
    for (let x = 0; x + 16 <= wanted.width; x += 16) {
      const pair: [number, number] = [0, 0];
      for (let at = 0; at < 256; at++) {
        const [row, column] = [y + (at >> 4), x + (at & 15)];
        pair[0] += (wanted.data[row * wanted.width + column] ?? 0) / 256;
        pair[1] += (got.data[(row - shift) * got.width + column] ?? 0) / 256;
      }
      pairs.push(pair);
    }
  const gaps = pairs.map(([one, other]) => other - one).sort((left, right) => left - right);
  return { alike: correlation(pairs), off: gaps[gaps.length >> 1] ?? 0, width: got.width };
}

/** Pearson's coefficient. */
function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [one, other] = [mean(0), mean(1)];
  let [both, first, second] = [0, 0, 0];
  for (const pair of pairs) {
    both += (pair[0] - one) * (pair[1] - other);
    first += (pair[0] - one) ** 2;
    second += (pair[1] - other) ** 2;
  }
  return both / Math.sqrt(first * second);
}

/** What becomes of a file whose first bytes are gone, or are others now. */
async function outcome(whole: Buffer, damaged: Buffer) {
  const { report, output } = await repairBytes(damaged, 'photo.jpg');
  return { report, ...(output ? await compared(whole, output) : { alike: 0, off: 0, width: 0 }) };
}

const over = (whole: Buffer, head: Buffer) => Buffer.concat([head, whole.subarray(head.length)]);

describe('a JPEG without its head', () => {
  it.each([
    ['4:2:0', () => plain('4:2:0')],
    ['4:4:4', () => plain('4:4:4')],
    ['4:2:2', () => sampled(0)],
    ['grey', grey],
  ])('is read by the tables that most writers use: %s, cut in its data', async (_, make) => {
    const whole = await make();
    const found = await outcome(whole, whole.subarray(1500));
    expect(found.report.verdict, found.report.summary).toBe('partly');
    expect(found.width).toBe(width);
    expect(found.alike).toBeGreaterThan(0.97);
    expect(found.report.notes.join()).toContain('brightness and colours');
  });

  it.each([
    ['zeroes', Buffer.alloc(2048)],
    ['text', Buffer.from('A note that was written over a photo. '.repeat(80)).subarray(0, 2048)],
    ['ones', Buffer.alloc(2048, 255)],
    ['noise', randomBytes(randomFrom(3), 2048)],
  ])('comes back behind %s, with the rows that are lost', async (_, head) => {
    const whole = await plain('4:2:0', 32);
    const { report, alike } = await outcome(whole, over(whole, head));
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.kept[0]?.detail).toBe(`${width} × ${height}`);
    expect(alike).toBeGreaterThan(0.97);
  });

  it('keeps what stands between its lost beginning and other damage', async () => {
    const whole = await plain('4:2:0', 32);
    const damaged = over(whole, Buffer.alloc(2048));
    randomBytes(randomFrom(6), 400).copy(damaged, Math.floor(whole.length * 0.26));
    const { report } = await outcome(whole, damaged);
    expect(report.verdict, report.summary).toBe('partly');
    const blocks = (width / 16) * (height / 16);
    expect(report.rebuilt.find(({ unit }) => unit === 'blocks')?.count).toBeGreaterThan(blocks * 0.8);
  });

  it('has its own brightness where restart markers count it anew', async () => {
    const whole = await sampled(10);
    const { report, alike, off } = await outcome(whole, whole.subarray(1500));
    expect(report.verdict, report.summary).toBe('partly');
    expect(alike).toBeGreaterThan(0.97);
    expect(Math.abs(off)).toBeLessThan(3);
    expect(report.notes.join()).not.toContain('brightness and colours');
  });

  it('has a brightness that fits between black and white', async () => {
    let sum = 0;
    for (const seed of [31, 32, 33, 34]) {
      const whole = await plain('4:2:0', seed);
      sum += Math.abs((await outcome(whole, whole.subarray(2000))).off);
    }
    expect(sum / 4).toBeLessThan(20);
  });

  it('is not made up of data with tables of its own, nor of other data', async () => {
    const own = await sharp(scene(width, height, 31), { raw })
      .jpeg({ quality: 85, optimiseCoding: true })
      .toBuffer();
    for (const bytes of [own.subarray(1500), randomBytes(randomFrom(4), 60_000), Buffer.from('text '.repeat(9000))]) {
      const { report, output } = await repairBytes(bytes, 'photo.jpg');
      expect(report.verdict, report.summary).toBe('unrepairable');
      expect(output).toBeNull();
    }
  });
});
