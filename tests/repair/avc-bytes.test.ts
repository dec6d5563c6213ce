import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

/** Where the first slice of a file lies that is a key picture: behind the length of its unit, in bytes. */
function keySlice(bytes: Buffer): { from: number; length: number } {
  const data = bytes.indexOf('mdat') + 4;
  for (let at = data; ; at += 4 + bytes.readUInt32BE(at))
    if (((bytes[at + 4] ?? 0) & 31) === 5) return { from: at + 4, length: bytes.readUInt32BE(at) };
}

describe('a byte that is another one inside a picture of H.264', () => {
  const whole = videos.mp4;
  const { from, length } = keySlice(whole);

  it('is set right where the place at which it is noticed lies near it', async () => {
    let count = 0;
    const places = [0.2, 0.35, 0.5, 0.6, 0.8].map((share) => from + Math.floor(length * share));
    for (const [index, at] of places.entries()) {
      const other = (whole[at] ?? 0) ^ (0x35 + index * 0x22);
      const damaged = changed(whole, (copy) => void copy.fill(other, at, at + 1));
      const { report, output } = await repairBytes(damaged, 'clip.mp4');
      if (report.verdict !== 'repaired') continue;
      count++;
      expect(output?.equals(whole)).toBe(true);
    }
    expect(count).toBeGreaterThanOrEqual(3);
  });

  it('is left, and the picture said to be damaged, where other bytes were written over many', async () => {
    const at = from + (length >> 1);
    const damaged = changed(whole, (copy) => void copy.fill(0xa7, at, at + 40));
    const { report } = await repairBytes(damaged, 'clip.mp4');
    expect(report.verdict, report.summary).toBe('partly');
  });
});
