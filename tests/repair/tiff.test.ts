import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeLzw } from '../../lib/repair/codecs/lzw/decode';
import { decodeRun, nextClear } from '../../lib/repair/codecs/lzw/runs';
import { mendFlate } from '../../lib/repair/formats/tiff/flatemend';
import { findGap, withRoom } from '../../lib/repair/formats/tiff/gap';
import { jpegFrame, jpegLayout } from '../../lib/repair/formats/tiff/jpegframe';
import { mendLzw } from '../../lib/repair/formats/tiff/lzwmend';
import { arrange } from '../../lib/repair/formats/tiff/shape/arrange';
import { costOf, looksBilevel } from '../../lib/repair/formats/tiff/shape/measure';
import { rowPeriods, rowPhase } from '../../lib/repair/formats/tiff/shape/period';
import { packBitsSource } from '../../lib/repair/formats/tiff/shape/pieces';
import { findPlaces, findRemains } from '../../lib/repair/formats/tiff/shape/remains';
import { sampleShape } from '../../lib/repair/formats/tiff/shape/samples';
import { Deadline, defaultLimits } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { packLzw, type TiffLayout, writeTiffLayout } from './support/tiffwriter';

const [width, height] = [150, 120];
const pixels = scene(width, height, 3);
const row = width * 3;
const deadline = () => new Deadline(20_000, () => performance.now());
const page: TiffLayout = {
  width,
  height,
  samples: 3,
  depth: 8,
  photometric: 2,
  pixels,
  little: true,
  first: true,
  compression: 1,
  rowsPerStrip: 16,
};
const kind = { row, pixel: 3, predictor: false, wide: null } as const;
const share = (bytes: Uint8Array, truth: Uint8Array) =>
  bytes.reduce((sum, byte, at) => sum + (Math.abs(byte - (truth[at] ?? 0)) < 8 ? 1 : 0), 0) / truth.length;

describe('the shape of rows without a directory', () => {
  it('finds the row, the colours and where rows begin', () => {
    expect(rowPeriods(pixels, 0, false, deadline())[0]).toBe(row);
    expect(sampleShape(pixels, row, false, false, {})).toMatchObject({ samples: 3, depth: 8, predictor: false });
    expect(rowPhase(pixels.subarray(100), row, 3)).toEqual({ phase: row - 100, sure: true });
  });

  it('finds no shape in noise', () => {
    const noise = randomBytes(randomFrom(1), 60_000);
    expect(rowPeriods(noise, 0, false, deadline())).toEqual([]);
    expect(costOf({ data: noise, row: 300, samples: 3, depth: 8, big: false })).toBeGreaterThan(0.9);
    expect(looksBilevel(noise)).toBe(false);
    expect(looksBilevel(pixels)).toBe(false);
  });

  it('tells 16 bits and their order', () => {
    const wide = Buffer.alloc(pixels.length * 2);
    const random = randomFrom(2);
    for (const [at, byte] of pixels.entries()) wide.writeUInt16BE(byte * 256 + Math.floor(random() * 256), at * 2);
    expect(sampleShape(wide, row * 2, false, false, {})).toMatchObject({ samples: 3, depth: 16, big: true });
    expect(sampleShape(wide.swap16(), row * 2, false, false, {})).toMatchObject({ samples: 3, depth: 16, big: false });
  });

  it('lays planes and tiles out', () => {
    const grey = (channel: number) => Buffer.from(pixels.filter((_, at) => at % 3 === channel));
    const strips = [0, 1, 2].flatMap((channel) =>
      Array.from({ length: 6 }, (_, part) => grey(channel).subarray(part * 20 * width, (part + 1) * 20 * width)),
    );
    const shape = { row: width, samples: 1, depth: 8, big: false, predictor: false, cost: 0.1 } as const;
    const planes = arrange({ data: strips, size: 20 * width }, shape, {});
    expect(planes).toMatchObject({ width, height, samples: 3 });
    expect(planes.data.equals(pixels)).toBe(true);
    const big = scene(128, 96, 4);
    const tiles = Array.from({ length: 12 }, (_, index) => {
      const [left, top] = [(index % 4) * 96, Math.floor(index / 4) * 32];
      return Buffer.concat(
        Array.from({ length: 32 }, (_, line) =>
          big.subarray((top + line) * 384 + left, (top + line) * 384 + left + 96),
        ),
      );
    });
    const grid = arrange({ data: tiles, size: 32 * 96 }, { ...shape, row: 96, samples: 3 }, {});
    expect(grid).toMatchObject({ width: 128, height: 96 });
    expect(grid.data.equals(big)).toBe(true);
  });
});

describe('what is left of a directory', () => {
  const file = writeTiffLayout([page]);

  it('finds entries behind an overwritten beginning, and lists of places', () => {
    const bytes = Buffer.from(file);
    bytes.fill(0xa5, 0, 64);
    const [remains] = findRemains(bytes);
    expect(remains?.tiff.little).toBe(true);
    expect([...(remains?.directory.fields.keys() ?? [])]).toEqual([273, 277, 278, 279, 284]);
    expect(findPlaces(bytes)?.segments).toHaveLength(Math.ceil(height / 16));
    expect(findPlaces(randomBytes(randomFrom(5), 40_000))).toBeNull();
  });

  it.each([
    ['floats', 11, 2],
    ['doubles', 12, 1],
  ])('looks for %s where those of eight bytes stand', (_, type, count) => {
    const bytes = Buffer.alloc(400, 0xa5);
    // Width, height, depth, and a resolution whose values are elsewhere.
    for (const [index, [number, kind, values, value]] of [
      [256, 3, 1, 40],
      [257, 3, 1, 30],
      [258, 3, 1, 8],
      [282, type, count, 300],
    ].entries()) {
      bytes.writeUInt16LE(number ?? 0, 102 + index * 12);
      bytes.writeUInt16LE(kind ?? 0, 104 + index * 12);
      bytes.writeUInt32LE(values ?? 0, 106 + index * 12);
      bytes.writeUInt32LE(value ?? 0, 110 + index * 12);
    }
    expect(findRemains(bytes)[0]?.directory.fields.get(282)).toMatchObject({ type, count, at: 300 });
  });

  it('finds rows packed by run lengths by where packets end', () => {
    const packed = writeTiffLayout([{ ...page, compression: 32_773, first: false }]);
    expect(packBitsSource(packed, 8)?.row).toBe(row);
    expect(packBitsSource(file, 228)).toBeNull();
  });
});

describe('damaged strips', () => {
  it('reads LZW on from the next clear code', () => {
    const packed = packLzw(pixels);
    const first = decodeRun(packed, 9, Buffer.alloc(pixels.length), 0, 0);
    expect(first.stop).toBe('clear');
    expect(nextClear(packed, 9, 600)).toBe(first.bit);
    const spoilt = Buffer.from(packed);
    spoilt.fill(0, 9000, 9200);
    const mended = mendLzw(spoilt, pixels.length, kind, deadline());
    expect(share(decodeLzw(spoilt, 0, pixels.length).data, pixels)).toBeCloseTo(0.248, 3);
    expect(share(mended.data, pixels)).toBeCloseTo(0.9605, 3);
    expect(mended.known.includes(0)).toBe(true);
  });

  it('reads a Deflate strip on behind damage', () => {
    const packed = deflateSync(pixels);
    packed.fill(0, packed.length >> 1, (packed.length >> 1) + 60);
    const mended = mendFlate(packed, pixels.length, kind, deadline());
    expect(mended && share(mended.data, pixels)).toBeCloseTo(0.9895, 3);
  });

  it('finds missing bytes in plain rows, and none in a file cut short', () => {
    const gone = Buffer.concat([pixels.subarray(0, 20_000), pixels.subarray(20_100)]);
    const place = findGap(gone, row, 3, 100);
    expect(Math.abs(place - 20_000)).toBe(23);
    expect(share(withRoom(gone, row, place, 100, pixels.length), pixels)).toBeCloseTo(0.9994, 3);
    expect(findGap(pixels.subarray(0, pixels.length - 100), row, 3, 100)).toBe(-1);
  });

  it('takes an upright line of a drawing for no border that moved', () => {
    // The line begins in a third of the rows, where a border would stand if all bytes that are missing at the end were missing before.
    const drawing = Buffer.alloc(row * height, 250);
    for (let line = 40; line < height; line++) drawing.fill(20, line * row + 300, line * row + 309);
    for (let line = 4; line < 6; line++) drawing.fill(90, line * row, line * row + 30);
    const missing = 30 * row + (row - 300);
    expect(findGap(drawing.subarray(0, drawing.length - missing), row, 3, missing)).toBe(-1);
  });
});

describe('a Deflate strip with a wrong bit', () => {
  it('keeps its rows where it still unpacks to its own length, hard edges or not', async () => {
    const striped = Buffer.from(
      pixels.map((byte, at) => (Math.floor(at / row) % 6 < 2 ? byte >> 3 : 255 - (byte >> 2))),
    );
    const bytes = writeTiffLayout([{ ...page, pixels: striped, compression: 8, rowsPerStrip: 40 }]);
    // A wrong bit of a literal changes one sample, and the check sum with it.
    for (const place of [0.3, 0.5, 0.7].map((share) => Math.floor(bytes.length * share))) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 4;
      const { output } = await repairBytes(damaged, 'striped.tif');
      const after = await scoreAgainst('tif', bytes, output ?? Buffer.alloc(0));
      expect(after).toBeGreaterThanOrEqual((await scoreAgainst('tif', bytes, damaged)) - 0.02);
    }
  });
});

describe('JPEG inside TIFF', () => {
  it('reads the frame, and refuses what is none', () => {
    const head = Buffer.from('ffd8ffc0001108007800960301220002110103110100', 'hex');
    expect(jpegFrame(head, 0)).toEqual({ width: 150, height: 120, components: 3, subsampled: true });
    expect(jpegFrame(pixels, 0)).toBeNull();
    expect(jpegLayout(pixels)).toBeNull();
  });
});

describe('verdicts', () => {
  it('does not hand out noise or a head without data', async () => {
    const noise = Buffer.concat([Buffer.from('49492a0008000000', 'hex'), randomBytes(randomFrom(7), 50_000)]);
    expect((await repairBytes(noise, 'file.tif', { limits: defaultLimits })).report.verdict).toBe('unrepairable');
  });

  it('tells of strips that all lie at one place', async () => {
    const file = writeTiffLayout([{ ...page, first: false }]);
    const places = file.readUInt32LE(file.readUInt32LE(4) + 2 + 5 * 12 + 8);
    for (let index = 0; index < Math.ceil(height / 16); index++) file.writeUInt32LE(77, places + index * 4);
    const { report, output } = await repairBytes(file, 'file.tif');
    expect(report.verdict).toBe('repaired');
    expect(output).not.toBeNull();
  });
});
