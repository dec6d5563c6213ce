import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

withChildren();

/** AV1 of 24 short pictures, and 51 packets of AAC between them, of which some look like pictures. */
const whole = fixtureOf('av1-short.mp4');
const amount = (kept: readonly { unit: string; count: number }[], unit: string) =>
  kept.find((one) => one.unit === unit)?.count;

describe('short pictures of AV1 among sound whose index is gone', () => {
  it('are told from the sound by going from one to the next', async () => {
    const { report } = await repairBytes(whole.subarray(0, whole.lastIndexOf('moov') - 4), 'clip.mp4');
    expect(report.verdict, report.summary).not.toBe('unrepairable');
    expect(amount(report.kept, 'frames')).toBe(24);
    expect(amount(report.kept, 'sound packets')).toBeGreaterThanOrEqual(51);
  });

  it('come back from a recording that was interrupted', async () => {
    const { report } = await repairBytes(whole.subarray(0, Math.round(whole.length * 0.7)), 'clip.mp4');
    expect(amount(report.kept, 'frames')).toBeGreaterThanOrEqual(14);
  });
});
