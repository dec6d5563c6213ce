import { expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

/** The file without `count` bytes of the beginning of its pictures and sound. */
function beginningLost(bytes: Buffer, count: number): Buffer {
  const at = bytes.indexOf('mdat', 0, 'latin1') + 4;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
}

it('counts frames that build on a lost key frame as lost', async () => {
  const { report } = await repairBytes(beginningLost(videos.mp4, 600), 'a.mp4');
  expect(report.verdict).toBe('partly');
  expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBe(20);
  expect(report.lost.map(({ unit, count }) => [unit, count])).toEqual([
    ['frames', 1],
    ['frames', 9],
  ]);
});

it('tells key frames by their content where the table of them is empty', async () => {
  const bytes = changed(videos.mp4, (copy) => {
    copy.writeUInt32BE(0, copy.indexOf('stss', 0, 'latin1') + 8);
    return undefined;
  });
  const { report } = await repairBytes(beginningLost(bytes, 600), 'a.mp4');
  expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBe(20);
});

it('hands nothing out where no frame is left that a decoder can start at, and no sound', async () => {
  // Only the picture stays a track.
  const silent = changed(videos.mov, (copy) => {
    const sound = copy.lastIndexOf('trak', copy.indexOf('soun', 0, 'latin1'), 'latin1');
    copy.write('free', sound, 'latin1');
    return undefined;
  });
  const { report, output } = await repairBytes(beginningLost(silent, 5000), 'a.mov');
  expect(report.verdict).toBe('unrepairable');
  expect(report.summary).toContain('builds on one that is gone');
  expect(output).toBeNull();
});

it('counts frames of Matroska that build on a lost key frame as lost', async () => {
  // The first key frame, with the head of its block; the nine frames behind it are whole.
  const bytes = changed(videos.mkv, (copy) => void copy.fill(0, 650, 2200));
  const { report } = await repairBytes(bytes, 'a.mkv');
  expect(report.verdict).toBe('partly');
  expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBe(20);
  expect(report.lost).toContainEqual({
    unit: 'frames',
    count: 9,
    detail: 'at the beginning, which build on a frame that is gone',
  });
});
