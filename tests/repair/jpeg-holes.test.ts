import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const [width, height] = [960, 1200];
const raw = { width, height, channels: 3 } as const;
const photo = (quality = 90) =>
  sharp(scene(width, height, 7), { raw })
    .jpeg({ quality })
    .toBuffer();

/** Bytes of chance, the mark of an end among them. */
function chance(length: number): Buffer {
  const random = randomFrom(3);
  const bytes = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  bytes.set([0xff, 0xd9, 0x12], length >> 1);
  return bytes;
}

/** A photo of which bytes were written over from a share of it on. */
function over(bytes: Buffer, share: number, hole: Buffer): Buffer {
  const at = Math.floor((bytes.length * share) / 512) * 512;
  const damaged = Buffer.from(bytes);
  hole.copy(damaged, at);
  return damaged;
}

describe('Bytes that were written over much of a JPEG', () => {
  it.each([
    ['zeroes', Buffer.alloc(65_536)],
    ['chance', chance(65_536)],
  ])('leave what lies behind them where it belongs: %s', async (_, hole) => {
    const bytes = await photo();
    const { report, output } = await repairBytes(over(bytes, 0.3, hole), 'photo.jpg');
    expect(report.verdict).toBe('partly');
    const pixels = (file: Buffer) => sharp(file).greyscale().raw().toBuffer();
    const [before, after] = await Promise.all([pixels(bytes), pixels(output ?? Buffer.alloc(0))]);
    expect(after.length).toBe(before.length);
    // Brightness is a guess; the shapes of the last third are the photo's to the pixel.
    const from = Math.floor((height * 2) / 3) * width;
    let changes = 0;
    for (let at = from + 1; at < before.length; at++) {
      const was = (before[at] ?? 0) - (before[at - 1] ?? 0);
      changes += Math.min(20, Math.abs((after[at] ?? 0) - (after[at - 1] ?? 0) - was));
    }
    expect(changes / (before.length - from)).toBeLessThan(1);
  });

  it.each([0.25, 0.55])(
    'break the reading where they are zeroes, in a photo full of edges as well: from %s on',
    async (share) => {
      const random = randomFrom(8);
      const grain = scene(640, 480, 7).map((value) =>
        Math.max(0, Math.min(255, value + Math.round((random() - 0.5) * 60))),
      );
      const bytes = await sharp(grain, { raw: { width: 640, height: 480, channels: 3 } })
        .jpeg({ quality: 92 })
        .toBuffer();
      const { report, output } = await repairBytes(over(bytes, share, Buffer.alloc(4096)), 'photo.jpg');
      expect(report.verdict).toBe('partly');
      expect(await scoreAgainst('jpg', bytes, output ?? Buffer.alloc(0))).toBeGreaterThan(0.95);
    },
  );

  it('are no noise where they are a few sectors of ones', async () => {
    const bytes = await photo();
    let damaged: Buffer = bytes;
    for (const share of [0.1, 0.6]) damaged = over(damaged, share, Buffer.alloc(512, 0xff));
    const { report, output } = await repairBytes(damaged, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('jpg', bytes, output ?? Buffer.alloc(0))).toBeGreaterThan(0.7);
  });

  it('do not hide the level of what follows from a preview', async () => {
    const bytes = await photo();
    const preview = await sharp(scene(width, height, 7), { raw })
      .resize(160, 200)
      .jpeg()
      .toBuffer();
    const withPreview = await sharp(bytes)
      .withExif({ IFD0: { Make: 'Test' } })
      .jpeg({ quality: 90 })
      .toBuffer();
    // A picture in a comment segment in front of the photo's tables.
    const segment = Buffer.concat([Buffer.from([0xff, 0xee, 0, 0]), preview]);
    segment.writeUInt16BE(segment.length - 2, 2);
    const whole = Buffer.concat([withPreview.subarray(0, 2), segment, withPreview.subarray(2)]);
    const { output } = await repairBytes(over(whole, 0.3, Buffer.alloc(65_536)), 'photo.jpg');
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.7);
  });
});

describe('Data that can be read to its end and shows a broken picture', () => {
  it('is not called repaired where nothing of it was set right', async () => {
    const small = { width: 320, height: 240, channels: 3 } as const;
    const bytes = await sharp(scene(320, 240, 7), { raw: small })
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const damaged = Buffer.from(bytes);
    // A bit with which the codes go on to the very end.
    damaged[9959] = (damaged[9959] ?? 0) ^ 1;
    const { report } = await repairBytes(damaged, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(report.lost).not.toEqual([]);
  });
});

describe('data of another picture in one that has Huffman tables of its own', () => {
  const [width, height] = [640, 480];
  const counted = (seed: number) =>
    sharp(scene(width, height, seed), { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90, optimiseCoding: true, chromaSubsampling: '4:4:4' })
      .toBuffer();

  it.each([0.3, 0.6])('costs no more than what it lies on, from %d of the file on', async (part) => {
    const [whole, other] = await Promise.all([counted(31), counted(12)]);
    const at = Math.floor(whole.length * part);
    const bytes = Buffer.from(whole);
    other.copy(bytes, at, 3000, 6000);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(
      1 - (3000 * 1.5) / whole.length,
    );
  });

  it('does not pass for restart intervals where it has markers of such', async () => {
    const whole = await counted(31);
    const bytes = Buffer.from(whole);
    const at = whole.length >> 1;
    for (let mark = 0; mark < 8; mark++) bytes.set([0xff, 0xd0 + mark], at + mark * 300);
    const { report } = await repairBytes(bytes, 'photo.jpg');
    expect(report.found.map(({ kind }) => kind)).not.toContain('restart');
  });
});

describe('rough ground below a smooth sky', () => {
  const size = { width: 720, height: 360, channels: 3 } as const;

  /** Grain of so many levels under a plain gradient, from a row on. */
  async function landscape(seed: number, grain: number, ground: number): Promise<Buffer> {
    const random = randomFrom(seed);
    const pixels = Buffer.alloc(size.width * size.height * 3);
    for (let place = 0; place < size.width * size.height; place++) {
      const [x, y] = [place % size.width, Math.floor(place / size.width)];
      const waves = Math.sin(x / 9 + Math.sin(y / 5) * 3) * grain * 0.5;
      const level = y > ground ? 110 + (random() - 0.5) * grain * 2 + waves : 90 + y * 0.3 + (random() - 0.5) * 4;
      for (let colour = 0; colour < 3; colour++)
        pixels[place * 3 + colour] = Math.max(0, Math.min(255, level + colour * 8));
    }
    return sharp(pixels, { raw: size }).blur(0.8).jpeg({ quality: 92 }).toBuffer();
  }

  it.each([
    [7, 40, 300, 0.95],
    [11, 55, 276, 0.9],
    [12, 40, 290, 0.93],
  ])('is no hole where a few bytes are gone from it: grain %#', async (seed, grain, ground, share) => {
    const whole = await landscape(seed, grain, ground);
    const at = Math.floor(whole.length * share);
    const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 3)]);
    const { output } = await repairBytes(bytes, 'photo.jpg');
    expect(await scoreAgainst('jpg', whole, output ?? bytes)).toBeGreaterThan(0.95);
  });
});
