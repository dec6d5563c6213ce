import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const all = (await originals()).filter(({ format }) => format === 'webp');
const original = (writer: string): Buffer => {
  const found = all.find((file) => file.writer === `libvips, ${writer}`);
  if (!found) throw new Error(`There is no original ${writer}.`);
  return found.bytes;
};

/** Where the data of the first chunk of a type begins. */
const dataOf = (bytes: Buffer, type: string, from = 12): number => {
  const at = bytes.indexOf(type, from, 'latin1');
  if (at < 0) throw new Error(`There is no ${type}.`);
  return at + 8;
};

async function repaired(bytes: Buffer, change: (bytes: Buffer) => void) {
  const broken = Buffer.from(bytes);
  change(broken);
  expect(broken.equals(bytes)).toBe(false);
  const { report, output } = await repairBytes(broken, 'picture.webp');
  return { report, output: output ?? Buffer.alloc(0) };
}

async function expectWhole(bytes: Buffer, name: string, change: (bytes: Buffer) => void) {
  const { report, output } = await repaired(bytes, change);
  expect(report.verdict, `${name}: ${report.summary}`).toBe('repaired');
  expect(report.found.map(({ kind }) => kind)).toContain('header');
  expect(await scoreAgainst('webp', bytes, output), name).toBe(1);
}

describe('the head of a lossy WebP picture', () => {
  const bytes = original('VP8, large');
  const at = dataOf(bytes, 'VP8 ');
  const tag = bytes.readUIntLE(at, 3);

  it.each<[string, (broken: Buffer) => void]>([
    ['no key frame', (broken) => broken.writeUIntLE(tag ^ 1, at, 3)],
    ['not shown', (broken) => broken.writeUIntLE(tag ^ 0x10, at, 3)],
    ['a version that there is not', (broken) => broken.writeUIntLE(tag | 0xa, at, 3)],
    ['a first partition one byte longer', (broken) => broken.writeUIntLE(tag + 0x20, at, 3)],
    ['a first partition one byte shorter', (broken) => broken.writeUIntLE(tag - 0x20, at, 3)],
    ['no first partition', (broken) => broken.writeUIntLE(tag & 0x1f, at, 3)],
    ['no frame tag', (broken) => broken.fill(0xff, at, at + 3)],
    ['a wrong start code', (broken) => broken.writeUInt8(0x9c, at + 3)],
    ['neither tag nor start code', (broken) => broken.fill(0, at, at + 6)],
  ])('is set right where it says: %s', (name, change) => expectWhole(bytes, name, change));

  it('is read from the data where a side is lost, and the result says that only its blocks are sure', async () => {
    for (const [side, value] of [
      [6, 0],
      [6, 48],
      [8, 0],
      [8, 4000],
    ] as const) {
      const { report, output } = await repaired(bytes, (broken) => broken.writeUInt16LE(value, at + side));
      expect(report, `${side}: ${value}`).toMatchObject({ verdict: 'partly', lost: [{ unit: 'description' }] });
      expect(report.lost[0]?.detail).toContain('exact size');
      const { width, height } = await sharp(bytes).metadata();
      const shown = await sharp(output).metadata();
      expect(shown.width).toBe(side === 6 ? Math.ceil(width / 16) * 16 : width);
      expect(shown.height).toBe(side === 8 ? Math.ceil(height / 16) * 16 : height);
    }
  });

  it('takes its sides from the canvas, the larger where nothing says which of two is right', async () => {
    const extended = original('VP8 with a profile');
    const data = dataOf(extended, 'VP8 ');
    for (const side of [6, 8]) await expectWhole(extended, 'zero', (broken) => broken.writeUInt16LE(0, data + side));
    const odd = await picture(405, 277, 57).withMetadata({ icc: 'srgb' }).webp().toBuffer();
    const first = dataOf(odd, 'VP8 ') + 6;
    const { report } = await repaired(odd, (broken) => broken.writeUInt16LE(404, first));
    expect(report.verdict).toBe('partly');
  });

  it('is told by alpha values, which are those of one size alone', async () => {
    const withAlpha = original('VP8 with alpha');
    const data = dataOf(withAlpha, 'VP8 ');
    await expectWhole(withAlpha, 'height', (broken) => broken.writeUInt8(broken.readUInt8(data + 8) ^ 1, data + 8));
    const alpha = dataOf(withAlpha, 'ALPH');
    await expectWhole(withAlpha, 'packing', (broken) => broken.writeUInt8(broken.readUInt8(alpha) ^ 1, alpha));
  });

  it('is not called healthy where the flags leave its alpha values out', async () => {
    const withAlpha = original('VP8 with alpha');
    await expectWhole(withAlpha, 'flags', (broken) => broken.writeUInt8(0, dataOf(withAlpha, 'VP8X')));
  });
});

describe('the head of a lossless WebP picture', () => {
  it('is set right by what its data is the data of', async () => {
    const bytes = await picture(173, 131, 57).webp({ lossless: true }).toBuffer();
    const at = dataOf(bytes, 'VP8L');
    const word = bytes.readUInt32LE(at + 1);
    const told = (value: number) => (broken: Buffer) => void broken.writeUInt32LE(value >>> 0, at + 1);
    await expectWhole(bytes, 'signature', (broken) => broken.writeUInt8(0, at));
    await expectWhole(bytes, 'version', told(word | (2 << 29)));
    await expectWhole(bytes, 'wider', told(word + 1));
    await expectWhole(bytes, 'no width', told(word & ~0x3fff));
    await expectWhole(bytes, 'higher', told(word + (1 << 14)));
    await expectWhole(bytes, 'no height', told(word & ~(0x3fff << 14)));
  });

  it('is not searched for where another part tells the same size', async () => {
    const bytes = Buffer.from(original('VP8L'));
    bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 200);
    const { report } = await repairBytes(bytes, 'picture.webp');
    expect(report.verdict).not.toBe('repaired');
  });
});

describe('the name of a chunk', () => {
  const kinds = ['VP8', 'VP8L', 'VP8 with alpha', 'VP8 with a profile', 'animation'];
  it.each(kinds)('is told by what the chunk holds and where it stands: %s', async (kind) => {
    const bytes = original(kind);
    for (let at = 12; at + 8 <= bytes.length; ) {
      const [from, length] = [at, bytes.readUInt32LE(at + 4)];
      const name = `${kind}, ${bytes.toString('latin1', from, from + 4)}`;
      const { report, output } = await repaired(bytes, (broken) =>
        broken.writeUInt8(broken.readUInt8(from + 1) ^ 32, from + 1),
      );
      expect(report.verdict, name).toBe('repaired');
      expect(await scoreAgainst('webp', bytes, output), name).toBe(1);
      at += 8 + length + (length & 1);
    }
  });

  it('is no trouble where frames are shorter than their head, or larger than any picture', async () => {
    const short = Buffer.from('RIFF\x14\0\0\0WEBPANMF\x04\0\0\0abcd', 'latin1');
    expect((await repairBytes(short, 'picture.webp')).report.verdict).toBe('unrepairable');
    const bytes = original('animation, VP8L');
    const frame = dataOf(bytes, 'ANMF');
    await expectWhole(bytes, 'huge', (broken) => broken.fill(0xff, frame + 6, frame + 12));
  });

  it('is told inside frames, too', async () => {
    const bytes = original('animation');
    const inner = dataOf(bytes, 'ANMF') + 16;
    await expectWhole(bytes, 'inside', (broken) => broken.fill(0, inner, inner + 4));
  });
});

describe('a WebP whose head is gone', () => {
  it.each([
    ['with its first 16 bytes cut off', (bytes: Buffer) => bytes.subarray(16)],
    ['with other bytes before it', (bytes: Buffer) => Buffer.concat([randomBytes(randomFrom(8), 90), bytes])],
  ])('is the photo, not the preview that it holds, %s', async (_, damage) => {
    const raw = { width: 320, height: 240, channels: 3 } as const;
    const whole = await sharp(scene(320, 240, 6), { raw })
      .webp({ quality: 80 })
      .toBuffer();
    const preview = await sharp(scene(320, 240, 6), { raw })
      .resize(80, 60)
      .jpeg()
      .toBuffer();
    const chunk = (name: string, data: Buffer) => {
      const head = Buffer.alloc(8);
      head.write(name, 'latin1');
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
    };
    // With Exif, 320 by 240.
    const canvas = Buffer.from([8, 0, 0, 0, 63, 1, 0, 239, 0, 0]);
    const exif = Buffer.concat([Buffer.from('II*\0\b\0\0\0\0\0\0\0\0\0', 'latin1'), preview]);
    const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', canvas), whole.subarray(12), chunk('EXIF', exif)]);
    const bytes = chunk('RIFF', body);
    const { report, output } = await repairBytes(damage(bytes), 'photo.webp');
    expect(['repaired', 'partly'], report.summary).toContain(report.verdict);
    const { format, width } = await sharp(output ?? bytes).metadata();
    expect([format, width]).toEqual(['webp', 320]);
    const pixels = (file: Buffer) => sharp(file).raw().toBuffer();
    expect((await pixels(output ?? preview)).equals(await pixels(whole))).toBe(true);
  });
});
