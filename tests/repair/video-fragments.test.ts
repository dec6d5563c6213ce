import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

describe('fragments behind bytes that are no box', () => {
  it.each([40, 3000])('are kept, of %i such bytes between two of them', async (count) => {
    const whole = fixtureOf('fragmented-44100.mp4');
    const at = whole.indexOf('moof', whole.indexOf('moof') + 4) - 4;
    const bytes = Buffer.concat([whole.subarray(0, at), Buffer.alloc(count, 0x99), whole.subarray(at)]);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });
});
