import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { fixtureOf, videos, withoutIndex } from './support/videos';

withChildren();

/** Four seconds of MPEG-4 and AAC with the index behind them: 60 pictures and 64 packets of sound. */
const whole = fixtureOf('mpeg4-16khz.3gp');
const without = (from: number, bytes: number) => Buffer.concat([whole.subarray(0, from), whole.subarray(from + bytes)]);

async function partsOf(bytes: Buffer): Promise<{ frames: number; sound: number; verdict: string }> {
  const { report } = await repairBytes(bytes, 'clip.3gp');
  const amount = (unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;
  return { frames: amount('frames'), sound: amount('sound packets'), verdict: report.verdict };
}

describe('a video that lost bytes among pictures and sound that only the index tells apart', () => {
  it.each([
    ['14,000 bytes at 27,457', 27457, 14000, 48, 50],
    ['14,000 bytes at 12,825', 12825, 14000, 50, 52],
    ['14,000 bytes at 15,457', 15457, 14000, 50, 54],
  ])('is looked at without it where little comes of it: %s', async (_, from, bytes, frames, sound) => {
    const parts = await partsOf(without(from, bytes));
    expect(parts.verdict).toBe('partly');
    expect(parts.frames).toBeGreaterThanOrEqual(frames);
    expect(parts.sound).toBeGreaterThanOrEqual(sound);
  });

  it('keeps what its index leads to where that is more', async () => {
    const bytes = without(7647, 6000);
    const parts = await partsOf(bytes);
    expect(parts.frames).toBeGreaterThanOrEqual(48);
    expect(parts.sound).toBeGreaterThanOrEqual(59);
    // The same file gives the same bytes, whichever way it was looked at last.
    const [one, other] = [await repairBytes(bytes, 'clip.3gp'), await repairBytes(bytes, 'clip.3gp')];
    expect(one.output?.equals(other.output ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('a video with wrong bytes all over its index', () => {
  const sound = videos.mp4;
  const at = sound.indexOf('moov');

  it.each([1, 3, 4])('brings back no less than without its index: %i', async (seed) => {
    const random = randomFrom(seed);
    const bytes = Buffer.from(sound);
    for (let count = 0; count < 64; count++)
      bytes[at + 4 + Math.floor(random() * (sound.length - at - 4))] = Math.floor(random() * 256);
    const [damaged, none] = [await partsOf(bytes), await partsOf(withoutIndex(sound))];
    expect(damaged.frames).toBeGreaterThanOrEqual(none.frames);
    expect(damaged.sound).toBeGreaterThanOrEqual(none.sound);
  });
});
