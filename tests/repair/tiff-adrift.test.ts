import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [300, 240];
/** A photo that is darker to the left, so that its sides differ. */
const photo = Buffer.from(
  scene(width, height, 6).map((byte, at) =>
    Math.max(1, Math.round(byte * (0.3 + 0.7 * ((at % (width * 3)) / (width * 3))))),
  ),
);
const told: TiffLayout = {
  ...{ width, height, samples: 3, depth: 8, photometric: 2, little: true, pixels: photo },
  ...{ compression: 1, rowsPerStrip: 3, first: false },
};

/** A file with `count` bytes of chance more at a place. */
const withMore = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), randomBytes(randomFrom(4), count), bytes.subarray(at)]);
const without = (bytes: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);

describe('plain strips before a directory that bytes in between have moved', () => {
  const whole = writeTiffLayout([told]);

  it.each([
    ['6 bytes', 6],
    ['302 bytes', 302],
  ])('are put back where they were: %s', async (_, count) => {
    const bytes = withMore(whole, 60_001, count);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.9);
  });

  it('are put back byte by byte where single ones are lost', async () => {
    const bytes = [180_000, 150_000, 110_000, 60_000].reduce((left, at) => without(left, at, 1), whole);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.9);
  });

  it('are not called whole where nothing shows which of them moved', async () => {
    const plain = Buffer.alloc(width * height * 3, 200);
    scene(width - 80, height, 6).forEach((byte, at) => {
      const pixel = Math.floor(at / 3);
      const [x, y] = [40 + (pixel % (width - 80)), Math.floor(pixel / (width - 80))];
      plain[(y * width + x) * 3 + (at % 3)] = byte;
    });
    const framed = writeTiffLayout([{ ...told, pixels: plain, planes: true, rowsPerStrip: height }]);
    const { report } = await repairBytes(without(framed, 90_000, 4096), 'photo.tif');
    expect(report.verdict).toBe('partly');
  });
});

describe('plain rows behind their directory that bytes in between have moved', () => {
  const front: TiffLayout = { ...told, rowsPerStrip: 40, first: true };

  it.each<[string, Partial<TiffLayout>, (bytes: Buffer) => Buffer]>([
    ['100 bytes more', {}, (bytes) => withMore(bytes, 90_001, 100)],
    ['4096 bytes more', {}, (bytes) => withMore(bytes, 60_000, 4096)],
    ['100 bytes more in tiles', { tile: 64 }, (bytes) => withMore(bytes, 90_001, 100)],
    ['100 bytes more in planes', { planes: true, rowsPerStrip: height }, (bytes) => withMore(bytes, 30_001, 100)],
    ['302 bytes fewer', {}, (bytes) => without(bytes, 90_001, 302)],
  ])('are told and put back: %s', async (_, shape, damage) => {
    const whole = writeTiffLayout([{ ...front, ...shape }]);
    const { report, output } = await repairBytes(damage(whole), 'photo.tif');
    expect(report.found.map(({ kind }) => kind)).toEqual(['moved']);
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.97);
  });

  it('give back the directory of the next page', async () => {
    const whole = writeTiffLayout([front, { ...front, pixels: Buffer.from(photo).reverse() }]);
    const { report, output } = await repairBytes(withMore(whole, 90_001, 100), 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(output?.length).toBe(whole.length);
    expect(output?.subarray(whole.length / 2).equals(whole.subarray(whole.length / 2))).toBe(true);
  });

  it('are not called whole where a page is lost with its directory', async () => {
    const whole = writeTiffLayout([front, front]);
    const { report } = await repairBytes(whole.subarray(0, Math.floor(whole.length / 2) - 600), 'photo.tif');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('pages');
  });

  it.each([1, 6, 100, 302, 4096])('are sound where %i bytes follow that belong to nothing', async (count) => {
    const whole = writeTiffLayout([front]);
    const bytes = Buffer.concat([whole, randomBytes(randomFrom(count), count)]);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('healthy');
    expect(output?.equals(bytes)).toBe(true);
  });
});

describe('bytes that were put into plain rows behind their directory', () => {
  const front: TiffLayout = { ...told, rowsPerStrip: height, first: true };
  /** A photo whose sides are alike. */
  const alike = scene(width, height, 6);
  /** A page of words as bars of bits, with some bits behind each row where it does not end with a byte. */
  const page = (across: number): TiffLayout => {
    const [row, random] = [Math.ceil(across / 8), randomFrom(21)];
    const pixels = Buffer.alloc(row * height, 255);
    for (let line = 0; line < height; line++) if (across % 8 > 0) pixels[(line + 1) * row - 1] = 0xf0;
    for (let top = 16; top < height - 24; top += 12)
      for (let left = 4; left < row - 6; left += 2 + Math.floor(random() * 4))
        for (let line = top; line < top + 7; line++) pixels[line * row + left] = Math.floor(random() * 256);
    return { ...front, width: across, samples: 1, depth: 1, photometric: 1, pixels };
  };

  it.each<[string, TiffLayout, number, (from: Buffer) => Buffer]>([
    ['a cluster of the same photo', { ...front, pixels: alike }, 90_000, (from) => from.subarray(40_000, 44_096)],
    ['a cluster of chance', { ...front, pixels: alike }, 150_001, () => randomBytes(randomFrom(3), 4096)],
    ['47 zeroes in a page of bits', page(960), 12_000, () => Buffer.alloc(47)],
    ['one byte in rows of bits that are filled up', page(964), 9_001, () => Buffer.from([90])],
  ])('are taken out: %s', async (_, layout, at, piece) => {
    const whole = writeTiffLayout([layout]);
    const bytes = Buffer.concat([whole.subarray(0, at), piece(whole), whole.subarray(at)]);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.found.map(({ kind }) => kind)).toEqual(['moved']);
    expect(await scoreAgainst('tif', whole, output ?? Buffer.alloc(0))).toBeGreaterThan(0.99);
  });

  /** Columns of one colour each, and a band of chance that stands out more than a piece of them elsewhere. */
  const columns = (): Buffer => {
    const random = randomFrom(31);
    const colours = Buffer.from(Array.from({ length: width * 3 }, () => Math.floor(random() * 80)));
    const pixels = Buffer.concat(Array.from({ length: height }, () => colours));
    for (let place = 60 * width * 3; place < 64 * width * 3; place++) pixels[place] = Math.floor(random() * 256);
    return writeTiffLayout([{ ...front, pixels }]);
  };

  it.each([
    ['behind a band of chance', 150_000, 'partly', 0.99],
    ['in the first row, where nothing shows them', 700, 'unrepairable', 0],
  ])('are told %s', async (_, at, verdict, least) => {
    const whole = columns();
    const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(100_000, 100_300), whole.subarray(at)]);
    const { report, output } = await repairBytes(bytes, 'columns.tif');
    expect(report.found.map(({ kind }) => kind)).toEqual(['moved']);
    expect(report.verdict).toBe(verdict);
    if (output) expect(await scoreAgainst('tif', whole, output)).toBeGreaterThan(least);
  });

  it('are looked for in thousands of tiles without a long wait, each of which is shorter than what stands behind', async () => {
    const side = 1120;
    const tiled = { ...front, width: side, height: side, samples: 1, photometric: 1, tile: 16 } as const;
    const whole = writeTiffLayout([{ ...tiled, pixels: Buffer.alloc(side * side, 90) }]);
    const bytes = Buffer.concat([whole, randomBytes(randomFrom(2), 900_000)]);
    const { report } = await repairBytes(bytes, 'tiles.tif');
    expect(report.verdict).toBe('healthy');
  }, 10_000);

  it.each([
    ['white', page(960), Buffer.alloc(700, 255)],
    ['a row more of a photo', front, photo.subarray(photo.length - width * 3)],
  ])('are none where the file is filled up with %s', async (_, layout, more) => {
    const bytes = Buffer.concat([writeTiffLayout([layout]), more]);
    const { report } = await repairBytes(bytes, 'filled.tif');
    expect(report.verdict).toBe('healthy');
  });
});

describe('bytes of chance in plain strips', () => {
  it.each([
    ['a cluster', 65_536, 4096],
    ['two sectors', 100_352, 1024],
    ['the head and what follows it', 0, 4096],
  ])('are told and filled: %s', async (_, at, count) => {
    const whole = writeTiffLayout([{ ...told, rowsPerStrip: 40 }]);
    const bytes = Buffer.from(whole);
    randomBytes(randomFrom(8), count).copy(bytes, at);
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    const before = await scoreAgainst('tif', whole, bytes);
    expect(await scoreAgainst('tif', whole, output ?? bytes)).toBeGreaterThanOrEqual(before);
  });

  it.each(['a band over all its width', 'a part of each row', 'all of it'])(
    'are the picture where they are %s',
    async (where) => {
      const pixels = Buffer.from(photo);
      const random = randomFrom(12);
      for (let at = 0; at < pixels.length; at++) {
        const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
        const isBand = where.startsWith('a band') ? y > 90 && y < 130 : x > 60 && x < 220 && y > 40;
        if (where.startsWith('all') || isBand) pixels[at] = Math.floor(random() * 256);
      }
      const bytes = writeTiffLayout([{ ...told, pixels, rowsPerStrip: 40, first: true }]);
      const { report } = await repairBytes(bytes, 'noise.tif');
      expect(report.verdict).toBe('healthy');
    },
  );

  it('are not what drawings are made of', async () => {
    // Bars on a ground that gets darker, of which some by chance begin and end about where sectors of the file do.
    const pixels = Buffer.from(
      Array.from(
        { length: width * height * 3 },
        (_, at) => 250 - Math.floor(at / width / 3 / 2) * 2 + (Math.floor(at / width / 3) & 1),
      ),
    );
    const shape = { ...told, rowsPerStrip: height, first: true };
    const start = writeTiffLayout([{ ...shape, pixels }]).length - pixels.length;
    for (let sector = 40; sector < 400; sector += 30)
      pixels.fill(40, sector * 512 - start - 3, sector * 512 - start + 515);
    const bytes = writeTiffLayout([{ ...shape, pixels }]);
    const { report } = await repairBytes(bytes, 'drawing.tif');
    expect(report.verdict).toBe('healthy');
  });
});

describe('numbers of colours', () => {
  it('are not handed out as greys where the colours are cut off', async () => {
    const { data } = await picture(width, height, 5).greyscale().raw().toBuffer({ resolveWithObject: true });
    const palette = Array.from({ length: 768 }, (_, index) => ((index * 7919) % 256) * 257);
    const shape = { samples: 1, photometric: 3, palette, pixels: data, compression: 5, rowsPerStrip: height } as const;
    const whole = writeTiffLayout([{ ...told, ...shape }]);
    const { report } = await repairBytes(whole.subarray(0, whole.length - 512), 'colours.tif');
    expect(report.verdict).toBe('unrepairable');
  });
});
