import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeJpeg } from './support/originals/jpegwriter';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height, mcu] = [640, 320, 16];
const pixels = Buffer.from(scene(width, height, 6));
const across = width / mcu;
const whole = writeJpeg(pixels, width, height, {
  quality: 85,
  horizontal: 2,
  vertical: 2,
  restart: across,
  segments: [],
});

/** Luminance as a decoder that is not ours shows it. */
const shown = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).greyscale().raw().toBuffer();

/** The mean change of each MCU, by rows. */
function changes(before: Buffer, after: Buffer): number[] {
  const sums = new Array<number>((across * height) / mcu).fill(0);
  for (let at = 0; at < before.length; at++) {
    const place = Math.floor(Math.floor(at / width) / mcu) * across + Math.floor((at % width) / mcu);
    sums[place] = (sums[place] ?? 0) + (after[at] ?? 0) - (before[at] ?? 0);
  }
  return sums.map((sum) => sum / mcu ** 2);
}

describe('a JPEG with restart markers', () => {
  it.each([0, across, 2 * across])(
    'is sound with last bytes full of zeroes and a marker at its end: every %i',
    async (restart) => {
      const bytes = writeJpeg(pixels, width, height, {
        ...{ quality: 85, horizontal: 2, vertical: 2, restart, segments: [], likeSamsung: true },
      });
      expect((await repairBytes(bytes, 'photo.jpg')).report.verdict).toBe('healthy');
      const cut = await repairBytes(bytes.subarray(0, -600), 'photo.jpg');
      expect(cut.report.verdict).toBe('partly');
    },
  );

  it('is mostly not called sound where brightness is another one from the middle of an interval to its end', async () => {
    expect((await repairBytes(whole, 'photo.jpg')).report.verdict).toBe('healthy');
    const before = await shown(whole);
    let [seen, told] = [0, 0];
    for (let at = 8_003; at < whole.length - 4000 && seen < 12; at += 61) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      const all = changes(before, await shown(bytes));
      const changed = all.flatMap((change, place) => (Math.abs(change) > 8 ? [place] : []));
      const [first = 0, last = 0] = [changed[0], changed.at(-1)];
      const isBand = changed.length >= 12 && last % across === across - 1 && last - first + 1 === changed.length;
      const isInside = first % across >= 8 && first >= across && last < all.length - across;
      if (!isBand || !isInside || changed.some((place) => Math.abs((all[place] ?? 0) - (all[last] ?? 0)) > 3)) continue;
      seen++;
      if ((await repairBytes(bytes, 'photo.jpg')).report.verdict !== 'healthy') told++;
    }
    expect(seen).toBeGreaterThan(8);
    // Others are as large as what the picture does there itself.
    expect(told).toBeGreaterThan(seen / 2);
  });

  it('gets brightness back to the end of intervals where it is known to be damaged', async () => {
    const paired = writeJpeg(pixels, width, height, {
      ...{ quality: 85, horizontal: 2, vertical: 2, restart: 2 * across, segments: [] },
    });
    const before = await shown(paired);
    let [seen, back] = [0, 0];
    for (let at = 8_003; at < paired.length - 12_000 && seen < 8; at += 61) {
      const bytes = Buffer.from(paired);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      const changed = changes(before, await shown(bytes)).flatMap((change, place) =>
        Math.abs(change) > 10 ? [place] : [],
      );
      const [first = 0, last = 0] = [changed[0], changed.at(-1)];
      const isBand = changed.length >= across && (last + 1) % (2 * across) === 0 && last - first + 1 === changed.length;
      if (!isBand || first % (2 * across) < 8 || first % across < 8) continue;
      seen++;
      // Damage that is seen at once, further on.
      bytes.fill(0, bytes.length - 4000, bytes.length - 3800);
      const { report, output } = await repairBytes(bytes, 'photo.jpg');
      expect(report.verdict).toBe('partly');
      const left = changes(before, await shown(output ?? bytes)).slice(first + 2, last);
      if (left.every((change) => Math.abs(change) < 5)) back++;
    }
    expect(seen).toBeGreaterThan(3);
    expect(back).toBeGreaterThan(seen * 0.8);
  });

  it('is sound where stripes are as high as its intervals', async () => {
    const striped = Buffer.from(pixels);
    for (let y = 0; y < height; y++)
      for (let x = 208; x < width && Math.floor(y / mcu) % 2 === 0; x++)
        for (let at = (y * width + x) * 3, end = at + 3; at < end; at++)
          striped[at] = Math.min(255, (striped[at] ?? 0) + 40);
    const bytes = writeJpeg(striped, width, height, {
      quality: 85,
      horizontal: 2,
      vertical: 2,
      restart: across,
      segments: [],
    });
    expect((await repairBytes(bytes, 'photo.jpg')).report.verdict).toBe('healthy');
  });

  it('is not called whole where an interval is zeroes, of which decoders read as many blocks as belong there', async () => {
    const grey = writeJpeg(pixels, width, height, {
      ...{ quality: 85, horizontal: 1, vertical: 1, restart: width / 8, segments: [] },
    });
    const marks = [...grey.keys()].filter((at) => grey[at] === 0xff && ((grey[at + 1] ?? 0) & 0xf8) === 0xd0);
    const [from = 0, to = 0] = [(marks[20] ?? 0) + 2, marks[21]];
    // By the tables of annex K.3 a block of zeroes has 63 coefficients of three bits in brightness, and none of colour.
    const zeroes = Buffer.alloc(((width / 8) * (2 + 63 * 3 + 2 * 4)) / 8);
    const bytes = Buffer.concat([grey.subarray(0, from), zeroes, grey.subarray(to)]);
    const { report } = await repairBytes(bytes, 'photo.jpg');
    expect(['partly', 'unrepairable']).toContain(report.verdict);
  });
});
