import { describe, expect, it } from 'vitest';
import { exchanged } from './support/exchanged';
import { repairBytes } from './support/run';
import { cameraRecording, changed, fixtureOf, timed, videos } from './support/videos';

/** A file with three pieces moved round in a ring. */
const turned = (bytes: Buffer, places: readonly [number, number, number], size: number): Buffer => {
  const [first, second, third] = places;
  return exchanged(
    bytes,
    [
      [first, second],
      [second, third],
    ],
    size,
  );
};

const sector = 512;
const cluster = 4096;

describe('pieces of an MP4, MOV or 3GP that stand in each other’s place', () => {
  it.each([
    ['clusters of H.263', fixtureOf('h263.3gp'), [[1, 5]], cluster, 'clip.3gp'],
    ['sectors of H.264', videos.mp4, [[3, 14]], sector, 'clip.mp4'],
    [
      'two pairs of sectors',
      videos.mp4,
      [
        [3, 14],
        [8, 18],
      ],
      sector,
      'clip.mp4',
    ],
    ['sectors of HEVC', videos.mov, [[4, 13]], sector, 'clip.mov'],
    ['sectors without arithmetic coding', cameraRecording, [[5, 12]], sector, 'clip.mov'],
    ['sectors of fragments', fixtureOf('fragmented-44100.mp4'), [[6, 11]], sector, 'clip.mp4'],
  ] as const)('go back: %s', async (_, whole, pairs, size, name) => {
    const damaged = exchanged(whole, pairs, size);
    const { report, output } = await repairBytes(damaged, name);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(report.steps[0]?.name).toBe('exchanged');
    expect(output?.equals(whole)).toBe(true);
  });

  it('go back where three moved round in a ring', async () => {
    const damaged = turned(videos.mp4, [3, 9, 15], sector);
    const { report, output } = await repairBytes(damaged, 'clip.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(videos.mp4)).toBe(true);
  });

  it('stay where one of them is gone, and what cannot be read is told', async () => {
    const damaged = changed(videos.mp4, (copy) => void copy.copyWithin(3 * sector, 14 * sector, 15 * sector));
    const { report } = await repairBytes(damaged, 'clip.mp4');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).not.toContain('exchanged');
  });
});

describe('pieces of a video whose parts lead to each other that stand in each other’s place', () => {
  it.each([
    ['sectors of FLV', videos.flv, [[3, 14]], sector, 'clip.flv'],
    ['clusters of FLV', fixtureOf('flash.flv'), [[2, 9]], cluster, 'clip.flv'],
    ['sectors of Matroska', videos.mkv, [[3, 14]], sector, 'clip.mkv'],
    ['clusters of AVI', fixtureOf('avc.avi'), [[2, 4]], cluster, 'clip.avi'],
    ['clusters of a transport stream', videos.ts, [[1, 3]], cluster, 'clip.mts'],
    ['sectors of packets with times', timed(videos.ts), [[9, 21]], sector, 'clip.m2ts'],
    ['clusters of MXF', fixtureOf('avc.mxf'), [[2, 21]], cluster, 'clip.mxf'],
  ] as const)('go back: %s', async (_, whole, pairs, size, name) => {
    const { report, output } = await repairBytes(exchanged(whole, pairs, size), name);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(output?.equals(whole)).toBe(true);
  });

  it('go back where three moved round in a ring', async () => {
    const { report, output } = await repairBytes(turned(videos.flv, [3, 9, 15], sector), 'clip.flv');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(videos.flv)).toBe(true);
  });

  it('stay where one of them is gone', async () => {
    const damaged = changed(videos.flv, (copy) => void copy.copyWithin(3 * sector, 14 * sector, 15 * sector));
    const { report } = await repairBytes(damaged, 'clip.flv');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).not.toContain('exchanged');
  });
});
