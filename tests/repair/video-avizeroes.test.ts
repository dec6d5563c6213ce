import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

withChildren();

describe('Huffyuv in AVI', () => {
  const whole = fixtureOf('huffyuv.avi');

  it('is not called healthy where zeroes were written over a picture, which its decoder shows without a word', async () => {
    const from = whole.indexOf('00dc', whole.indexOf('movi')) + 1000;
    const { report } = await repairBytes(Buffer.from(whole).fill(0, from, from + 512), 'a.avi');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toMatchObject([{ unit: 'frames', count: 1 }]);
  });

  it('is healthy as it was written', async () => {
    expect((await repairBytes(whole, 'a.avi')).report.verdict).toBe('healthy');
  });
});
