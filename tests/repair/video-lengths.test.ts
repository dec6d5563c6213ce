import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

withChildren();

describe('the width of the lengths of units in an MP4', () => {
  it.each([
    ['avcC', videos.mp4, 8, 0xc1],
    ['avcC', videos.mp4, 8, 0xfc],
    ['hvcC', videos.mov, 25, 0x0d],
  ])('is told from the samples where that of %s is wrong', async (box, whole, at, byte) => {
    const place = whole.lastIndexOf(box) + at;
    const { report, output } = await repairBytes(
      changed(whole, (copy) => void copy.fill(byte, place, place + 1)),
      'clip.mp4',
    );
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBe(30);
    expect(output?.[(output?.lastIndexOf(box) ?? 0) + at]).toBe(whole[place]);
  });
});
