import { describe, expect, it } from 'vitest';
import { soundLeaves } from '../../lib/repair/formats/iso/leaves';
import { settleShifts, settleTimeTables } from '../../lib/repair/formats/iso/oddtimes';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

/** A box with version and flags of zero and these words. */
function leaf(code: string, ...words: number[]): Buffer {
  const bytes = Buffer.alloc(12 + words.length * 4);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(code, 4, 'latin1');
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, 12 + index * 4);
  return bytes;
}

/** The order of display of pictures with two between each pair: in steps of 512. */
const orders: number[] = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 1536 : 0));
/** A track of 60 pictures that lasts as long as the head of its media says. */
const trackWith = (changes: Record<string, Buffer>) =>
  new Map<string, Buffer>([
    ['mdhd', leaf('mdhd', 0, 0, 15360, 60 * 512, 0)],
    ['stsz', leaf('stsz', 0, 60)],
    ['stts', leaf('stts', 1, 60, 512)],
    ['ctts', leaf('ctts', 60, ...orders.flatMap((value) => [1, value]))],
    ...Object.entries(changes),
  ]);
const withWord = (table: Buffer, index: number, bit: number) => {
  const copy = Buffer.from(table);
  copy.writeUInt32BE((copy.readUInt32BE(12 + index * 4) ^ bit) >>> 0, 12 + index * 4);
  return copy;
};
const sound = trackWith({});
const tableOf = (leaves: ReadonlyMap<string, Buffer>, code: string) => leaves.get(code) ?? Buffer.alloc(0);

describe('a wrong bit in the times of samples', () => {
  it('is looked for in vain in a track that is sound, or lasts another time', () => {
    expect(settleTimeTables(trackWith({}), new Map())).toBe(false);
    const cut = trackWith({ mdhd: leaf('mdhd', 0, 0, 15360, 60 * 512 - 1024, 0) });
    expect(settleTimeTables(cut, new Map())).toBe(false);
    // A picture that was dropped leaves a time at which none is shown.
    const gaps = orders.map((value, index) => (index > 40 ? value + 512 : value));
    const dropped = trackWith({ ctts: leaf('ctts', 60, ...gaps.flatMap((value) => [1, value])) });
    expect(settleTimeTables(dropped, new Map())).toBe(false);
  });

  it('and another byte are set right where a picture would be shown at once with another one, far from its place', () => {
    const wrong = trackWith({});
    // The picture of entry 10, shown 31 steps later: where another one is.
    const table = Buffer.from(tableOf(wrong, 'ctts'));
    table.writeUInt32BE((orders[10] ?? 0) + 31 * 512, 12 + (1 + 10 * 2 + 1) * 4);
    wrong.set('ctts', table);
    expect(settleTimeTables(wrong, new Map())).toBe(true);
    expect(tableOf(wrong, 'ctts')).toEqual(tableOf(sound, 'ctts'));
  });

  it('is no difference by which the head counts what is shown behind the last sample', () => {
    const lasting = (samples: number, ticks: number, ...runs: number[]) =>
      trackWith({
        mdhd: leaf('mdhd', 0, 0, 15360, ticks, 0),
        stsz: leaf('stsz', 0, samples),
        stts: leaf('stts', runs.length / 2, ...runs),
        ctts: leaf('ctts', 0),
      });
    // Every fourth picture lasts twice as long, and none of the runs holds most samples.
    const varied = [4, 512, 1, 1024, ...Array.from({ length: 20 }, () => [3, 512, 1, 1024]).flat()];
    expect(settleTimeTables(lasting(85, 3072 + 20 * 2560 + 512, ...varied), new Map())).toBe(false);
    // Samples of 602 ticks would be one picture more, and one bit.
    expect(settleTimeTables(lasting(300, 301 * 600, 300, 600), new Map())).toBe(false);
    expect(settleTimeTables(lasting(300, 300 * 600, 300, 602), new Map())).toBe(true);
  });

  it.each([
    ['in the number of samples of a run', 'stts', 1, 0x4],
    ['in how long they last', 'stts', 2, 0x1],
    ['in when one is shown, between two steps', 'ctts', 2 * 7 + 2, 0x1],
    ['in when one is shown, at the time of another one', 'ctts', 2 * 7 + 2, 0x400],
    ['in when one is shown, far behind all others', 'ctts', 2 * 20 + 2, 0x10000000],
    ['in how many have the same order', 'ctts', 2 * 5 + 1, 0x10],
  ] as const)('is set right: %s (%s, word %i)', (_, code, index, bit) => {
    const leaves = trackWith({ [code]: withWord(tableOf(sound, code), index, bit) });
    expect(settleTimeTables(leaves, new Map())).toBe(true);
    expect(tableOf(leaves, code).equals(tableOf(sound, code))).toBe(true);
  });

  it('is set right in runs of fragments', () => {
    const runs = [0, 30].map((from) => ({
      ...{ track: 1, entry: 1, offset: 0, time: from * 512, isMoved: false, keys: [] },
      sizes: new Array<number>(30).fill(9),
      durations: new Array<number>(30).fill(512),
      shifts: orders.slice(from, from + 30),
    }));
    expect(settleShifts(runs, null)).toBe(false);
    const [, second] = runs;
    if (second) second.shifts[4] = 0x40;
    expect(settleShifts(runs, null)).toBe(true);
    expect(second?.shifts).toEqual(orders.slice(30));
  });

  it('is no picture of a run that is shown between those that the movie lists', () => {
    const run = {
      ...{ track: 1, entry: 1, offset: 0, time: 1024, isMoved: false, keys: [] },
      sizes: new Array<number>(20).fill(9),
      durations: new Array<number>(20).fill(512),
      shifts: [512, 512, ...Array.from({ length: 18 }, (_, index) => (index % 3 === 0 ? 2048 : 512))],
    };
    const own = {
      sizes: Uint32Array.of(9, 9),
      durations: Uint32Array.of(512, 512),
      compositions: Int32Array.of(1024, 2048),
    };
    const before = [...run.shifts];
    expect(settleShifts([run], own)).toBe(false);
    expect(run.shifts).toEqual(before);
  });

  it('is no order of display of the first pictures alone, of which the head counts one', () => {
    const first = trackWith({
      tkhd: leaf('tkhd', 0, 0, 1, 0, 34, ...new Array<number>(15).fill(0)),
      mdhd: leaf('mdhd', 0, 0, 30_000, 1001, 0),
      stsz: leaf('stsz', 0, 2, 9, 9),
      stts: leaf('stts', 1, 2, 1001),
      ctts: leaf('ctts', 2, 1, 2002, 1, 4004),
    });
    expect(soundLeaves(first, 1000).gone).toEqual([]);
    const far = leaf('ctts', 2, 1, 2002, 1, 0x1000_0000);
    expect(soundLeaves(new Map([...first, ['ctts', far]]), 1000).gone).toEqual(['ctts']);
  });

  it('makes a file repaired that players showed at other times', async () => {
    const at = videos.mp4.indexOf('stts', videos.mp4.indexOf('moov'), 'latin1') + 16;
    const bytes = changed(videos.mp4, (copy) => {
      copy.writeUInt32BE(copy.readUInt32BE(at) ^ 1, at);
      return undefined;
    });
    const { report, output } = await repairBytes(bytes, 'clip.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    const table = (file: Buffer) => file.toString('hex', file.lastIndexOf('stts', -1, 'latin1')).slice(0, 48);
    expect(table(output ?? Buffer.alloc(0))).toBe(table(videos.mp4));
  });
});
