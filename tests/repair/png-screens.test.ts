import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { firstGarbage } from '../../lib/repair/core/deflate/garbage';
import type { Mended } from '../../lib/repair/core/deflate/mended';
import { writeChunk } from '../../lib/repair/formats/png/chunks';
import { writePng } from './support/pngwriter';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';
import { screenPng } from './support/screen';

const opaque = await screenPng(420, 300, false);
const passes = await screenPng(420, 300, true);

/** Overwrites 64 bytes at a share of the file, or takes them out. */
function hurt(bytes: Buffer, share: number, isCut = false): Buffer {
  const at = Math.floor(bytes.length * share);
  const patch = isCut ? Buffer.alloc(0) : randomBytes(randomFrom(Math.round(share * 100)), 64);
  return Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + 64)]);
}

async function repaired(bytes: Buffer, whole: Buffer) {
  const { report, output } = await repairBytes(bytes, 'screen.png');
  return { report, output, value: output ? await scoreAgainst('png', whole, output) : 0 };
}

describe('a damaged picture of a screen', () => {
  it.each([
    [0.5, 0.476],
    [0.7, 0.817],
  ])('comes back opaque, and more than what stands above 64 wrong bytes at %s', async (share, wanted) => {
    const { report, output, value } = await repaired(hurt(opaque, share), opaque);
    expect(report.verdict).toBe('partly');
    expect(value).toBeCloseTo(wanted, 2);
    const { data } = await sharp(output ?? Buffer.alloc(0))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data.every((byte, at) => at % 4 !== 3 || byte === 255)).toBe(true);
  });

  it.each([
    [0.4, 0.485],
    [0.6, 0.795],
    [0.8, 0.988],
  ])('in seven passes shows what the first of them tell, with 64 bytes lost at %s', async (share, wanted) => {
    const { report, value } = await repaired(hurt(passes, share, true), passes);
    expect(report.verdict).toBe('partly');
    expect(value).toBeCloseTo(wanted, 2);
  });

  it('is not handed out where all builds on a beginning that was misread', async () => {
    const early = 70;
    const bytes = Buffer.from(opaque);
    randomBytes(randomFrom(3), 120).copy(bytes, early);
    expect((await repaired(bytes, opaque)).report.verdict).toBe('unrepairable');
  });
});

describe('alpha values', () => {
  it('that differ are left as they are', async () => {
    const [width, height] = [200, 160];
    const pixels = Buffer.alloc(width * height * 4);
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const inside = (x - 100) ** 2 + (y - 80) ** 2 < 70 ** 2;
      pixels.set(inside ? [200, (x * 3) & 255, (y * 5) & 255, 255] : [0, 0, 0, 0], at * 4);
    }
    const whole = writePng({ width, height, channels: 4, pixels, filter: 'least sum' });
    const { output, value } = await repaired(hurt(whole, 0.6), whole);
    expect(value).toBeCloseTo(0.785, 2);
    const { data } = await sharp(output ?? Buffer.alloc(0))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
  });
});

describe('what is told of a PNG', () => {
  it('does not take a picture for a thread of one pixel', async () => {
    const [width, height] = [97, 40];
    const pixels = Buffer.alloc(width * height * 4, 255);
    for (let at = 0; at < width * height; at++) {
      const level = Math.floor((at % width) / 8) + Math.floor(at / width / 8);
      pixels.set([level, level * 2, level * 3, level * 4], at * 4);
    }
    const whole = writePng({ width, height, channels: 4, pixels, filter: 'least sum' });
    const { report, value } = await repaired(Buffer.concat([whole.subarray(0, 8), whole.subarray(33)]), whole);
    expect(report.kept[0]?.detail).toBe('97 × 40');
    expect(value).toBe(1);
  });

  it('counts a colour profile that stood in a lost beginning as lost', async () => {
    const [width, height] = [160, 120];
    const pixels = await sharp(opaque).resize(width, height).removeAlpha().raw().toBuffer();
    const plain = writePng({ width, height, channels: 3, pixels, filter: 4 });
    const text = writeChunk('tEXt', Buffer.from(`Comment\0${'a description '.repeat(20)}`, 'latin1'));
    const whole = Buffer.concat([plain.subarray(0, 33), text, plain.subarray(33)]);
    const bytes = Buffer.from(whole);
    bytes.fill(0, 0, 33 + text.length + 8);
    const { report, value } = await repaired(bytes, whole);
    expect(value).toBe(1);
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('descriptions');
  });
});

describe('copies that end too early', () => {
  const mended = (ends: number[], breaks: number[], gaps: Mended['gaps'] = []): Mended => ({
    data: new Uint8Array(),
    known: new Uint8Array(),
    flips: [],
    gaps,
    copies: [],
    length: 0,
    bit: 0,
    finished: true,
    ends: Uint16Array.from(ends),
    breaks: Uint16Array.from(breaks),
  });

  it('tell where data was misread, unless that was noticed or the program makes such copies anyway', () => {
    expect(firstGarbage(mended([40, 40, 40, 40], [0, 0, 9, 0]), 4)).toBe(2);
    expect(firstGarbage(mended([40, 40, 40, 40], [0, 0, 0, 0]), 4)).toBe(4);
    expect(firstGarbage(mended([40, 40, 40, 40], [0, 0, 1, 0]), 4)).toBe(4);
    expect(firstGarbage(mended([40, 40, 40, 40], [0, 0, 9, 0], [{ bit: 0, from: 2, to: 3 }]), 4)).toBe(4);
    expect(firstGarbage(mended([40, 40, 40, 40], [9, 8, 9, 7]), 4)).toBe(4);
  });

  it('say nothing of a program that cuts copies short for fewer bits, though some rows have none', () => {
    const rows = (count: number, ends: number, breaks: (row: number) => number): [number[], number[]] => [
      Array.from({ length: count }, () => ends),
      Array.from({ length: count }, (_, row) => breaks(row)),
    ];
    // As zopfli writes them: nearly all rows of a photo, with its smoothest row at the end.
    expect(firstGarbage(mended(...rows(240, 110, (row) => (row === 239 ? 0 : 15))), 240)).toBe(240);
    // The same in a sky with fewer of them below the first rows.
    expect(
      firstGarbage(mended(...rows(110, 200, (row) => (row === 6 ? 9 : row < 20 ? 3 : row % 8 ? 0 : 2))), 110),
    ).toBe(110);
    // As many clean rows as come together by chance.
    expect(firstGarbage(mended(...rows(200, 40, (row) => (row % 5 ? 0 : 2))), 200)).toBe(200);
  });
});

describe('a cut picture with holes', () => {
  it('ends in a hole rather than in its last row drawn out', async () => {
    const [width, height] = [160, 120];
    const pixels = Buffer.alloc(width * height * 4);
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const inside = (x - 80) ** 2 + (y - 50) ** 2 < 45 ** 2;
      if (inside) pixels.set([200, (x * 3) & 255, (y * 5) & 255, 255], at * 4);
    }
    const whole = writePng({ width, height, channels: 4, pixels, filter: 'least sum' });
    const { output } = await repairBytes(whole.subarray(0, Math.floor(whole.length * 0.6)), 'sprite.png');
    const { data } = await sharp(output ?? Buffer.alloc(0))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data.subarray(0, width * 4 * 40).equals(pixels.subarray(0, width * 4 * 40))).toBe(true);
    expect(data.subarray(-width * 4 * 10).every((byte) => byte === 0)).toBe(true);
  });
});
