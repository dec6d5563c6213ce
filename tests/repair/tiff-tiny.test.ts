import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scanStrips } from '../../lib/repair/formats/tiff/scan';
import { inflateCut, inflateRaw } from '../../lib/repair/host/packing';
import type { EngineJob } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';
import { writeTiffLayout } from './support/tiffwriter';

const width = 8;

/** A grey TIFF of rows of eight samples, each a strip of its own packed as a zlib stream. */
const ofRows = (rows: number) =>
  writeTiffLayout([
    {
      ...{
        width,
        height: rows,
        samples: 1,
        depth: 8,
        photometric: 1,
        pixels: randomBytes(randomFrom(7), rows * width),
      },
      ...{ little: true, first: false, compression: 8, rowsPerStrip: 1 },
    },
  ]);

describe('TIFF of very many strips of a few bytes', () => {
  it('holds of what is unpacked no more than it is', () => {
    const packed = deflateRawSync(Buffer.alloc(width, 3));
    const whole = inflateRaw(packed, 1 << 26);
    if (typeof whole === 'string') throw new Error(whole);
    expect(whole.data.equals(Buffer.alloc(width, 3))).toBe(true);
    expect(whole.data.buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize);
    expect(inflateCut(packed, 1 << 26)?.buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize);
    // What grows by far comes out whole all the same.
    const large = inflateRaw(deflateRawSync(Buffer.alloc(1 << 20)), 1 << 26);
    expect(typeof large === 'string' ? large : large.data.length).toBe(1 << 20);
    expect(inflateRaw(deflateRawSync(Buffer.alloc(1 << 20)), 1000)).toBe('large');
  });

  it('is not looked through for strips that tell nothing', () => {
    const job = { limits: { pixels: 1 << 28 }, deadline: { check: () => undefined } } as unknown as EngineJob;
    const small = ofRows(20_000);
    const rows = Buffer.from(Array.from({ length: 6000 }, (_, index) => (index * 7) & 255));
    const large = deflateSync(rows);
    expect(scanStrips(job, Buffer.concat([Buffer.alloc(8), large, large]), 8).length).toBe(2);
    expect(scanStrips(job, Buffer.concat([small.subarray(0, 60_000), large]), 8).length).toBe(1);
    expect(scanStrips(job, Buffer.concat([small, large]), 8).length).toBe(0);
  });
});
