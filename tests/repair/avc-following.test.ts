import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setKindOf, unitReaderFor } from '../../lib/repair/codecs/following';
import { Effort } from '../../lib/repair/report';
import { setsAmong, unitsBehindCodes } from '../../lib/repair/video/startcodes';

const unitsOf = (name: string) => {
  const bytes = readFileSync(join(process.cwd(), 'tests/repair/fixtures', name));
  return [...unitsBehindCodes(bytes, (at) => at)];
};
const first = unitsOf('video-avc-veryfast.h264');
const second = unitsOf('video-avc-still.h264');

/** How many of the slices among units a reader by the sets of the first stream reads to their end, and how many there are. */
function read(units: readonly { bytes: Buffer }[]): { whole: number; slices: number } {
  const reader = unitReaderFor('avc', setsAmong(first, 'avc'), new Effort(1e9));
  if (!reader) throw new Error('The sets could not be read.');
  const slices = units.filter(({ bytes }) => reader.isSlice(bytes));
  // Units come in their order, each asked before the next, as a stream is read.
  const again = unitReaderFor('avc', setsAmong(first, 'avc'), new Effort(1e9));
  const whole = units.filter(({ bytes }) => again?.isSlice(bytes) && again.check(bytes).whole === 1);
  return { whole: whole.length, slices: slices.length };
}

describe('parameter sets that change in a stream', () => {
  it('are taken up from the slice on that they read', () => {
    const { whole, slices } = read([...first, ...second, ...first]);
    expect(slices).toBeGreaterThan(first.length / 2);
    expect(whole).toBe(slices);
  });

  it('change nothing where they are damaged', () => {
    const damaged = first.map((unit) => {
      const bytes = Buffer.from(unit.bytes);
      if (setKindOf('avc', bytes)) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 8;
      return { ...unit, bytes };
    });
    const { whole, slices } = read([...first, ...damaged]);
    expect(whole).toBe(slices);
  });
});
