import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { box, words } from '../../lib/repair/core/boxes';
import { readFragment, roomFor } from '../../lib/repair/formats/iso/moof';
import { settleDurations } from '../../lib/repair/formats/iso/untimed';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';
import { repairBytes } from './support/run';
import { changed, fixtureOf, videos } from './support/videos';

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

/** Offsets of all words of a kind of leaf in the fragments of a file, from which its flags are read: behind the code. */
function* leaves(bytes: Buffer, code: string): Generator<number> {
  for (let at = bytes.indexOf(code, 0, 'latin1'); at >= 0; at = bytes.indexOf(code, at + 4, 'latin1')) yield at + 4;
}

describe('places of samples in fragments', () => {
  it('count from the end of the track fragment before, where nothing else is said', async () => {
    const bytes = Buffer.from(fixtureOf('fragmented-44100.mp4'));
    for (const at of leaves(bytes, 'tfhd')) bytes.writeUInt32BE(bytes.readUInt32BE(at) & ~0x20000, at);
    let index = 0;
    for (const at of leaves(bytes, 'trun')) if (index++ % 2 === 1) bytes.writeUInt32BE(0, at + 8);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('count from a place that the file names, be it the media data', async () => {
    const bytes = Buffer.from(videos.fragmented);
    const data = [...leaves(bytes, 'mdat')];
    let index = 0;
    const moofs = [...leaves(bytes, 'moof')];
    for (const at of leaves(bytes, 'tfhd')) bytes.writeBigUInt64BE(BigInt(data[index++ >> 1] ?? 0), at + 8);
    index = 0;
    for (const at of leaves(bytes, 'trun')) {
      const fragment = index++ >> 1;
      const before = (data[fragment] ?? 0) - ((moofs[fragment] ?? 0) - 8);
      bytes.writeInt32BE(bytes.readInt32BE(at + 8) - before, at + 8);
    }
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('are set right in a file that grew before its fragments, which name where they were', async () => {
    const { report: before } = await repairBytes(videos.fragmented, 'a.mp4');
    expect(before.verdict, before.summary).toBe('healthy');
    const { report, output } = await repairBytes(inserted(videos.fragmented, 'sidx', 88, 1), 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'index' }));
    expect((await repairBytes(output ?? Buffer.alloc(0), 'a.mp4')).report.verdict).toBe('healthy');
  });
});

/** The file with a box of a size before a fragment, by its number. */
function inserted(whole: Buffer, type: string, size: number, fragment = 2): Buffer {
  const places = [...leaves(whole, 'moof')];
  const at = (places[fragment - 1] ?? 0) - 8;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return Buffer.concat([whole.subarray(0, at), head, Buffer.alloc(size - 8, 0x3c), whole.subarray(at)]);
}

describe('boxes beside fragments', () => {
  it.each(['uuid', 'sidx', 'emsg', 'free'])('are no gap between the samples: %s', async (type) => {
    const { report } = await repairBytes(inserted(fixtureOf('fragmented-44100.mp4'), type, 731), 'a.mp4');
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it('are one where a fragment begins inside of them', async () => {
    const whole = fixtureOf('fragmented-44100.mp4');
    const bytes = inserted(whole, 'free', 731);
    const at = bytes.indexOf('free', whole.indexOf('moof') + 4) - 4;
    bytes.writeUInt32BE(731 + 2000, at);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
  });
});

describe('boxes of fragments', () => {
  it.each(['mfhd', 'traf', 'tfhd', 'tfdt', 'trun'])('are damaged where the size of one is wrong: %s', async (code) => {
    const bytes = changed(fixtureOf('fragmented-44100.mp4'), (copy) => {
      const at = copy.lastIndexOf(code) - 4;
      copy.writeUInt32BE(copy.readUInt32BE(at) + 1, at);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });

  it('stay as they are where only what follows them is cut off', async () => {
    const whole = fixtureOf('fragmented-44100.mp4');
    const { report, output } = await repairBytes(Buffer.concat([whole, Buffer.alloc(2000, 0x99)]), 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('are found in all their media data where they are wiped themselves', async () => {
    const bytes = changed(fixtureOf('fragmented-44100.mp4'), (copy) => {
      for (const code of ['moov', 'moof', 'mfra'])
        for (const place of leaves(copy, code)) copy.fill(0, place - 8, place - 8 + copy.readUInt32BE(place - 8));
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.kept, report.summary).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });

  it('make a file more than a first piece, though the boxes do not lead to them', async () => {
    const index = Buffer.alloc(0x70);
    index.writeUInt32BE(index.length);
    index.write('sidx', 4, 'latin1');
    const short = Buffer.from(index);
    short.writeUInt32BE(index.length - 1);
    const whole = fixtureOf('fragmented-44100.mp4');
    const at = whole.indexOf('moof') - 4;
    const bytes = Buffer.concat([whole.subarray(0, at), short, index, whole.subarray(at)]);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
  });
});

describe('durations that stood in the movie alone', () => {
  const run = (time: number, shifts: readonly number[]) => ({
    ...{ track: 1, entry: 1, offset: 0, time, isMoved: false },
    sizes: shifts.map(() => 100),
    durations: shifts.map(() => 0),
    shifts: [...shifts],
    keys: shifts.map(() => 1),
  });

  it('follow from when fragments begin, of which some may be missing', () => {
    const runs = [run(0, [0, 0, 0]), run(301, [0, 0, 0]), run(601, [0, 0, 0]), run(1501, [0, 0, 0])];
    settleDurations(runs, 0);
    expect(runs.map(({ durations }) => durations[0])).toEqual([100, 100, 100, 100]);
  });

  it('else from how pictures are put into the order in which they are shown, or from the stream', () => {
    const [ordered, even] = [run(-1, [83, 249, 0, 83]), run(-1, [0, 0])];
    settleDurations([ordered], 0);
    settleDurations([even], 1024);
    expect([ordered.durations[0], even.durations[0]]).toEqual([83, 1024]);
  });

  it('stay where any is told', () => {
    const told = { ...run(0, [0, 0]), durations: [7, 7] };
    settleDurations([told, run(900, [0])], 0);
    expect(told.durations).toEqual([7, 7]);
  });
});

describe('a wrong bit in the head of a leaf of a fragment', () => {
  const whole = fixtureOf('fragmented-44100.mp4');
  it.each([
    ['trun', 0, 'sizes of its samples', 2, 0x02],
    ['trun', 1, 'durations of its samples', 2, 0x01],
    ['trun', 0, 'number of samples', 7, 0x01],
    ['trun', 1, 'number of samples', 4, 0x20],
    ['tfhd', 1, 'size of all samples', 3, 0x10],
    ['tfdt', 0, 'version', 0, 0x01],
  ] as const)('is told by the size of that: %s %i, %s', async (code, index, _, byte, bit) => {
    const bytes = changed(whole, (copy) => {
      const at = ([...leaves(copy, code)][index] ?? 0) + byte;
      copy.writeUInt8(copy.readUInt8(at) ^ bit, at);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['index']);
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });
});

describe('a number of samples that are equally long, beside 40 bytes of data for ten each', () => {
  it.each([
    [4, 4, false],
    [0, 4, true],
    [0x20000004, 4, true],
    // Less than there is room for may be what its writer meant, and this is more than one bit.
    [2, 2, false],
    [7, 7, false],
  ])('of %i is taken for %i', async (told, count, isTorn) => {
    const head = box('tfhd', words(0x20010, 1, 10));
    const run = (at: number) => box('trun', words(1, told, at));
    const moof = (at: number) => box('moof', box('mfhd', words(0, 1)), box('traf', head, run(at)));
    const bytes = Buffer.concat([moof(moof(0).length + 8), box('mdat', Buffer.alloc(40))]);
    const folder = await mkdtemp(join(tmpdir(), 'mendara-run-'));
    await writeFile(join(folder, 'a.mp4'), bytes);
    const file = await OpenFile.open(join(folder, 'a.mp4'), 'read');
    const fragment = readFragment(new Source(file), 0, new Map(), roomFor(1 << 30));
    file.close();
    await rm(folder, { recursive: true });
    expect(fragment?.runs.map(({ sizes }) => sizes.length)).toEqual([count]);
    expect(fragment?.isTorn).toBe(isTorn);
  });
});
