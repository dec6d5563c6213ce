import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mendPackedRows } from '../../lib/repair/core/deflate/mendrows';
import type { RowModel } from '../../lib/repair/core/deflate/model';
import { Deadline } from '../../lib/repair/report';
import { randomBytes, randomFrom } from './support/random';

const [rows, row] = [24, 90];
const plain = randomBytes(randomFrom(4), rows * row);
const packed = deflateSync(plain);

/** Rows of which one looks like none, as odd ones of a drawing do. */
const doubtful: RowModel = {
  starts: Int32Array.from({ length: rows + 1 }, (_, index) => index * row),
  ahead: 1,
  sound: (_, __, at) => at !== 9,
  settle: () => undefined,
  roughness: () => 1,
  settledRoughness: () => 1,
  typical: 1,
  align: () => null,
};

const mend = (soundTo?: number) =>
  mendPackedRows(packed, 16, doubtful, {
    deadline: new Deadline(20_000, () => performance.now()),
    patience: 100,
    suspect: () => true,
    ...(soundTo !== undefined && { soundTo }),
  });

describe('rows that look like none', () => {
  it('are as they were written where check sums say so', () => {
    const { data, known, flips, gaps } = mend(packed.length * 8);
    expect([flips, gaps]).toEqual([[], []]);
    expect(known.every((one) => one === 1)).toBe(true);
    expect(Buffer.from(data.subarray(0, plain.length)).equals(plain)).toBe(true);
  });

  it('are looked into where nothing says so', () => {
    expect(mend().known.every((one) => one === 1)).toBe(false);
  });
});
