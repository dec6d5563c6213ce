import { describe, expect, it } from 'vitest';
import { withoutRepeat } from '../../lib/repair/core/transfer/twice';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

/** A file in which `length` bytes from a place on stand twice. */
function twice(bytes: Buffer, share: number, length: number): Buffer {
  const at = Math.floor((bytes.length - length) * share);
  return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
}

describe('a packet or sector that stands in a video twice', () => {
  it.each([
    ['avc.mp4', 1460],
    ['hevc.mov', 512],
    ['avc.mkv', 4096],
    ['vp8.webm', 1448],
    ['avc.flv', 1460],
    ['avc.avi', 512],
    ['avc.mxf', 4096],
    ['mpeg2.bin', 1460],
  ])('is taken out of %s, which is as it was', async (name, length) => {
    const bytes = fixtureOf(name);
    const { report, output } = await repairBytes(twice(bytes, 0.6, length), name.replace('.bin', '.mts'));
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ detail }) => detail)).toEqual([expect.stringContaining('stood in it twice')]);
    expect(output?.equals(bytes)).toBe(true);
  });

  it('is no reason to hand out less where more is wrong', async () => {
    const bytes = twice(fixtureOf('avc.mkv'), 0.6, 1460);
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.9));
    const { report, output } = await repairBytes(cut, 'a.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ detail }) => detail).join(' ')).not.toContain('twice');
    expect(report.output?.bytes).toBe(output?.length);
  });
});

describe('stretches that stand in a file twice', () => {
  it('are told from what repeats by itself', () => {
    const row = randomBytes(randomFrom(4), 512);
    expect(withoutRepeat(Buffer.concat([row, row, row]))).toBeNull();
    expect(withoutRepeat(Buffer.from('a line of text that stands there often\n'.repeat(200)))).toBeNull();
  });

  it('are soon told from bytes that repeat all the time', { timeout: 300_000 }, () => {
    expect(withoutRepeat(Buffer.from(Array.from({ length: 8 << 20 }, (_, at) => (at * 7) & 255)))).toBeNull();
  });
});
