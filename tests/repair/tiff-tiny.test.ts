import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scanStrips } from '../../lib/repair/formats/tiff/scan';
import { inflateCut, inflateRaw } from '../../lib/repair/host/packing';
import type { EngineJob } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';

const width = 8;

/** A grey TIFF of rows of eight samples, each a strip of its own packed as a zlib stream; `change` makes of it what is stored. */
function ofRows(rows: number, change: (packed: Buffer, row: number) => Buffer): Buffer {
  const random = randomFrom(7);
  const packed = Array.from({ length: 64 }, () => deflateSync(randomBytes(random, width)));
  const strips = Array.from({ length: rows }, (_, row) => change(packed[row % 64] as Buffer, row));
  const places = Buffer.alloc(rows * 8);
  let at = 8;
  for (const [row, strip] of strips.entries()) {
    places.writeUInt32LE(at, row * 4);
    places.writeUInt32LE(strip.length, (rows + row) * 4);
    at += strip.length;
  }
  at += at & 1;
  const entries = [
    [256, 4, 1, width],
    [257, 4, 1, rows],
    [258, 3, 1, 8],
    [259, 3, 1, 8],
    [262, 3, 1, 1],
    [273, 4, rows, at],
    [277, 3, 1, 1],
    [278, 4, 1, 1],
    [279, 4, rows, at + rows * 4],
  ] as const;
  const head = Buffer.from('49492a0000000000', 'hex');
  head.writeUInt32LE(at + places.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + index * 12);
    directory.writeUInt16LE(type, 4 + index * 12);
    directory.writeUInt32LE(count, 6 + index * 12);
    directory.writeUInt32LE(value, 10 + index * 12);
  }
  const data = Buffer.concat(strips);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1), places, directory]);
}

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
    const small = ofRows(20_000, (packed) => packed);
    const rows = Buffer.from(Array.from({ length: 6000 }, (_, index) => (index * 7) & 255));
    const large = deflateSync(rows);
    expect(scanStrips(job, Buffer.concat([Buffer.alloc(8), large, large]), 8).length).toBe(2);
    expect(scanStrips(job, Buffer.concat([small.subarray(0, 60_000), large]), 8).length).toBe(1);
    expect(scanStrips(job, Buffer.concat([small, large]), 8).length).toBe(0);
  });
});
