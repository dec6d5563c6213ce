import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

withChildren();

describe('the speed of pictures whose track is gone from the index', () => {
  const whole = Buffer.from(videos.mp4);
  const first = whole.indexOf('trak') - 4;
  const second = whole.indexOf('trak', first + 8) - 4;
  const lacking = Buffer.from(whole).fill(0, first, second);

  it('is told by the length of the sound that the index still lists', async () => {
    const { report } = await repairBytes(lacking, 'a.mp4');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 30 });
    expect(report.notes.join(' ')).toContain('from the length of the sound');
    expect(report.lost.filter(({ unit }) => unit === 'frames')).toEqual([]);
  });
});
