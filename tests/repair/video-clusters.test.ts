import { describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { settleTimes } from '../../lib/repair/formats/matroska/before';
import type { Cluster, Walk } from '../../lib/repair/formats/matroska/walk';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

const cluster = Buffer.from('1f43b675', 'hex');
const amount = (report: RepairReport, unit: string) => report.kept.find((kept) => kept.unit === unit)?.count ?? 0;

/** Calls `change` with the place of every cluster. */
function eachCluster(bytes: Buffer, change: (at: number) => void): undefined {
  for (let at = bytes.indexOf(cluster); at >= 0; at = bytes.indexOf(cluster, at + 4)) change(at);
  return undefined;
}

/** Frames and sound packets of the whole file, by a repair that loses nothing. */
async function whole(): Promise<[number, number]> {
  const { report } = await repairBytes(
    changed(videos.mkv, (copy) => void copy.fill(0, 0, 16)),
    'clip.mkv',
  );
  return [amount(report, 'frames'), amount(report, 'sound packets')];
}

withChildren();

describe('clusters of Matroska', () => {
  it('are told by their content where their heads are zeroed', async () => {
    const bytes = changed(videos.mkv, (copy) => eachCluster(copy, (at) => void copy.fill(0, at, at + 4)));
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual(await whole());
    expect((await repairBytes(output ?? Buffer.alloc(0), 'clip.mkv')).report.verdict).toBe('healthy');
  });

  it.each([0x10, 0x20, 0x40, 0x80])('keep all blocks behind a size that begins with %i', async (first) => {
    const bytes = changed(videos.mkv, (copy) => eachCluster(copy, (at) => void copy.fill(first + 1, at + 4, at + 6)));
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual(await whole());
  });

  it('do not take a second time from damaged bytes', async () => {
    const time = Buffer.from('e788597a1f2e3d4c5b6a', 'hex');
    // Behind the first block, whose size is told by the two bytes or more after its identifier.
    const block = videos.mkv.indexOf(0xa3, videos.mkv.indexOf(0xe7, videos.mkv.indexOf(cluster) + 5) + 3);
    const width = Math.clz32(videos.mkv[block + 1] ?? 0) - 23;
    const place = block + 1 + width + (videos.mkv.readUIntBE(block + 1, width) & (2 ** (7 * width) - 1));
    const bytes = Buffer.concat([videos.mkv.subarray(0, place), time, videos.mkv.subarray(place)]);
    const { output } = await repairBytes(bytes, 'clip.mkv');
    expect(output?.includes(time.subarray(2, 7))).toBe(false);
  });

  it('tell by their check sums that bytes of the sound were changed', async () => {
    const bytes = changed(videos.mkv, (copy) => {
      // Inside the last block of the second track, behind its head.
      const sound = copy.lastIndexOf(Buffer.from([0x82]), copy.lastIndexOf(0xa3) - 1);
      for (const at of [sound + 40, sound + 44]) copy[at] = (copy[at] ?? 0) ^ 0x55;
      return undefined;
    });
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).toEqual(['sums', 'frames']);
    expect(output?.equals(bytes)).toBe(true);
  });
});

describe('what configures a decoder', () => {
  it('is found in what is left of the description of Matroska’s tracks', async () => {
    const options = videos.mkv.indexOf('options: cabac=', videos.mkv.indexOf(cluster));
    const bytes = changed(videos.mkv, (copy) => {
      // Up to the version of the configuration, whose parameter sets follow five bytes later.
      copy.fill(0, 0, copy.indexOf(Buffer.from([0xe1, 0])) - 5);
      if (options >= 0) copy.fill(0x20, options, options + 20);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect(amount(report, 'frames')).toBe(30);
  });

  it('is found in what is left of a packet of FLV', async () => {
    const bytes = changed(videos.flv, (copy) => {
      const sets = copy.indexOf(Buffer.from([0xe1, 0]));
      copy.fill(0, 0, sets - 5);
      const options = copy.indexOf('options: cabac=');
      if (options >= 0) copy.fill(0x20, options, options + 20);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.flv');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'frames')).toBe(30);
  });

  it('does not take the sound with it where it is gone from a transport stream', async () => {
    const bytes = changed(videos.ts, (copy) => {
      const set = Buffer.from([0, 0, 1, 0x67]);
      for (let at = copy.indexOf(set); at >= 0; at = copy.indexOf(set, at + 1)) copy[at + 3] = 0x60;
      return undefined;
    });
    const { report } = await repairBytes(bytes.subarray(188 * 7 + 20), 'clip.ts');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'pieces of sound')).toBe(27);
  });

  it('stays in AVI whose list of pictures has lost its name', async () => {
    const head = videos.avi.subarray(0, videos.avi.indexOf('movi') - 8);
    const format = head.subarray(head.indexOf('strf'), head.indexOf('strf') + 48);
    const bytes = changed(videos.avi, (copy) => {
      const movi = copy.indexOf('movi');
      copy.fill(0, movi - 8, movi + 4);
      // Pictures that cannot tell their size by themselves.
      copy[copy.indexOf(Buffer.from([0xff, 0xd8]), movi)] = 0;
      return undefined;
    });
    const { report, output } = await repairBytes(bytes, 'clip.avi');
    expect(report.verdict).not.toBe('unrepairable');
    expect(output?.includes(format)).toBe(true);
    expect(report.found.map(({ kind }) => kind)).not.toContain('headers');
  });

  it('leaves pictures of AVI in their place that lie before a head that is gone', async () => {
    const second = videos.avi.indexOf('00dc', videos.avi.indexOf('00dc') + 4);
    const sound = second + 8 + videos.avi.readUInt32LE(second + 4);
    const head = sound + (sound & 1);
    expect(videos.avi.toString('latin1', head, head + 4)).toBe('01wb');
    const bytes = changed(videos.avi, (copy) => void copy.fill(0, head, head + 16));
    const { report, output } = await repairBytes(bytes, 'clip.avi');
    const whole = await repairBytes(
      changed(videos.avi, (copy) => void copy.fill(0, 0, 4)),
      'clip.avi',
    );
    // The index puts the head back, but not the eight bytes of sound behind it.
    expect(report.verdict).toBe('partly');
    expect(report.lost).toMatchObject([{ unit: 'sound packets', count: 1 }]);
    expect(amount(report, 'frames')).toBe(amount(whole.report, 'frames'));
    expect(output?.includes(videos.avi.subarray(second, sound))).toBe(true);
  });
});

describe('clusters whose beginning is lost', () => {
  it('keep their first blocks where lost bytes before these look like one of another length', async () => {
    const first = videos.mkv.indexOf(cluster);
    const places = blocksFrom(videos.mkv, videos.mkv.indexOf(0xa3, first));
    const [begin = 0, , , fourth = 0] = places;
    const headless = changed(videos.mkv, (copy) => void copy.fill(0, 0, begin));
    const misleading = changed(headless, (copy) => {
      // A SimpleBlock of track 110 whose size leads to the fourth one.
      copy.writeUIntBE(0xa3_200000 + fourth - (begin - 4), begin - 8, 4);
      copy.set([0xee, 0, 0, 0], begin - 4);
    });
    const [plain, told] = [await repairBytes(headless, 'clip.mkv'), await repairBytes(misleading, 'clip.mkv')];
    expect(amount(plain.report, 'sound packets')).toBeGreaterThan(10);
    expect(told.report.kept).toEqual(plain.report.kept);
  });
});

/** Offsets of SimpleBlocks that follow one another from a place on. */
function blocksFrom(bytes: Buffer, from: number): number[] {
  const places: number[] = [];
  for (let at = from; bytes[at] === 0xa3; ) {
    places.push(at);
    const width = Math.clz32(bytes[at + 1] ?? 0) - 23;
    at += 1 + width + (bytes.readUIntBE(at + 1, width) & (2 ** (7 * width) - 1));
  }
  return places;
}

/** A cluster at a time, with blocks of a track and a time behind it each. */
const clusterOf = (time: number, ...blocks: [number, number][]): Cluster =>
  ({ time, blocks: blocks.map(([track, behind]) => ({ track, time: behind })) }) as unknown as Cluster;

describe('times of clusters of a tenth of a second', () => {
  /** As mkvmerge stores pictures in the order in which they are decoded (track 1), and sound between them (2), when it is asked for such clusters. */
  const stored = () => [
    clusterOf(1061, [1, 0], [2, 6]),
    clusterOf(1101, [2, 72], [1, 120], [1, 40], [1, 0], [1, 80]),
    clusterOf(1280, [2, 0]),
    clusterOf(1261, [1, 120], [1, 40], [1, 0], [1, 80], [2, 126]),
    clusterOf(1421, [2, 94], [1, 120], [1, 40], [1, 0], [1, 80]),
    clusterOf(1581, [2, 40], [1, 120], [1, 40], [1, 0], [1, 80]),
  ];
  const settle = (clusters: Cluster[]) => settleTimes({ clusters } as unknown as Walk);

  it('may come before those that they follow', () => {
    const clusters = stored();
    expect(settle(clusters)).toBe(0);
    expect(clusters.map(({ time }) => time)).toEqual(stored().map(({ time }) => time));
  });

  it.each([3, 4])('are set right where one is wrong', (index) => {
    const clusters = stored();
    const wrong = clusters[index] as Cluster;
    wrong.time += 4096;
    expect(settle(clusters)).toBeGreaterThan(0);
    expect(Math.abs(wrong.time - (stored()[index] as Cluster).time)).toBeLessThanOrEqual(120);
  });
});
