import { describe, expect, it } from 'vitest';
import { readAvcFields } from '../../lib/repair/codecs/avc/fields';
import type { AvcSlice } from '../../lib/repair/codecs/avc/header';
import { AvcPictures } from '../../lib/repair/codecs/avc/pictures';
import { parameterSets } from '../../lib/repair/codecs/configuration';
import { repairBytes } from './support/run';
import { cameraRecording, changed, videos } from './support/videos';

const [sps, pps] = parameterSets(videos.mp4.subarray(videos.mp4.indexOf('avc1', videos.mp4.indexOf('stsd'))));
const read = readAvcFields(sps ?? Buffer.alloc(0), pps ?? Buffer.alloc(0));
if (!read) throw new Error('The sets could not be read.');
const main = { ...read, profile_idc: 77 };
const baseline = { ...read, profile_idc: 66 };
const blocks = 100;

/** A slice of a picture, where it begins, and where it ends; `null` for a header that cannot be read. */
type Told = { picture: number; first: number; end: number; redundant?: number } | null;

/** The places in the list of slices that end where they cannot. */
function misplaced(slices: readonly Told[], fields = main): number[] {
  const pictures = new AvcPictures(fields, blocks);
  const units = slices.map((told) => {
    const unit = Buffer.alloc(1);
    const slice = told && {
      first_mb_in_slice: told.first,
      redundant_pic_cnt: told.redundant ?? 0,
      picture: [0, told.picture],
    };
    pictures.add(unit, slice as AvcSlice | null, told?.end ?? -1);
    return unit;
  });
  const wrong = pictures.misplaced();
  return units.flatMap((unit, index) => (wrong.has(unit) ? [index] : []));
}

/** Pictures of slices that begin with these macroblocks, each up to the next one. */
const picturesOf = (count: number, ...firsts: number[]): Told[] =>
  Array.from({ length: count }, (_, picture) =>
    firsts.map((first, index) => ({ picture, first, end: firsts[index + 1] ?? blocks })),
  ).flat();
const without = <T>(list: readonly T[], at: number) => list.toSpliced(at, 1);

describe('slices of H.264 and those beside them', () => {
  it('must end with the picture where it is one slice', () => {
    const slices = picturesOf(6, 0);
    expect(misplaced(slices)).toEqual([]);
    expect(misplaced(slices.with(2, { picture: 2, first: 0, end: 97 }))).toEqual([2]);
    expect(misplaced(slices.with(5, { picture: 5, first: 0, end: 40 }))).toEqual([5]);
  });

  it('must end where the next one begins', () => {
    const slices = picturesOf(6, 0, 30, 60);
    expect(misplaced(slices)).toEqual([]);
    expect(misplaced(slices.with(4, { picture: 1, first: 30, end: 59 }))).toEqual([4]);
    expect(misplaced(slices.with(4, { picture: 1, first: 30, end: 62 }))).toEqual([4]);
    // It goes on over a slice that is right.
    expect(misplaced(slices.with(3, { picture: 1, first: 0, end: 60 }))).toEqual([3]);
  });

  it('are sound where another is lost, or its header is wrong', () => {
    const slices = picturesOf(6, 0, 30, 60);
    for (const at of slices.keys()) expect(misplaced(without(slices, at))).toEqual([]);
    for (const at of slices.keys()) expect(misplaced(slices.with(at, null))).toEqual([]);
    for (const at of [1, 4, 5, 10]) {
      const { picture, first, end } = slices[at] as NonNullable<Told>;
      // The one whose header is wrong ends elsewhere as well.
      for (const by of [-3, 3, 20])
        expect(
          misplaced(slices.with(at, { picture, first: first + by, end: end + by })).filter((one) => one !== at),
        ).toEqual([]);
      expect(misplaced(slices.with(at, { picture: 50, first, end }))).toEqual([]);
    }
  });

  it('of any size may be lost, too, but not less than any of them', () => {
    const slices = Array.from({ length: 12 }, (_, picture) => {
      const firsts = [0, 20 + picture, 50 + ((picture * 5) % 17), 80 + ((picture * 3) % 7)];
      return firsts.map((first, index) => ({ picture, first, end: firsts[index + 1] ?? blocks }));
    }).flat();
    expect(misplaced(slices)).toEqual([]);
    for (const at of slices.keys()) expect(misplaced(without(slices, at))).toEqual([]);
    expect(misplaced(slices.with(43, { picture: 10, first: 82, end: 98 }))).toEqual([43]);
  });

  it('that are balanced now and then begin elsewhere may be lost, too', () => {
    // As OpenH264 has them: mostly in the middle, but not in some pictures.
    const slices = picturesOf(20, 0, 50).map((slice, at) => {
      if (slice === null || (at !== 10 && at !== 11 && at !== 30 && at !== 31)) return slice;
      const middle = at < 20 ? 17 : 67;
      return at % 2 === 0 ? { ...slice, end: middle } : { ...slice, first: middle };
    });
    expect(misplaced(slices)).toEqual([]);
    for (const at of slices.keys()) expect(misplaced(without(slices, at))).toEqual([]);
  });

  it('may come in any order in the Baseline profile only', () => {
    const slices = picturesOf(4, 0, 30, 60);
    const turned = slices.map((_, at) => slices[Math.floor(at / 3) * 3 + ((at + 1) % 3)] as NonNullable<Told>);
    expect(misplaced(turned, baseline)).toEqual([]);
    expect(misplaced(turned.with(1, { picture: 0, first: 60, end: 99 }), baseline)).toEqual([1]);
  });

  it('of redundant pictures need not hold all of it', () => {
    const slices = picturesOf(4, 0).flatMap((slice, picture) => [slice, { picture, first: 20, end: 40, redundant: 1 }]);
    expect(misplaced(slices)).toEqual([]);
  });
});

describe('single bits that changed inside frames', () => {
  it('are told where the frame can be read to its end, but holds fewer macroblocks', async () => {
    for (const [at, bit] of [
      [3203, 0x10],
      [10_468, 0x10],
      [4063, 0x40],
    ] as const) {
      const bytes = changed(cameraRecording, (copy) => void copy.fill((copy[at] ?? 0) ^ bit, at, at + 1));
      const { report, output } = await repairBytes(bytes, 'a.mov');
      expect(report.verdict).not.toBe('healthy');
      if (report.verdict === 'repaired') expect(output?.equals(cameraRecording)).toBe(true);
    }
  });
});
