import { describe, expect, it } from 'vitest';
import { readAvcFields, writeAvcSets } from '../../lib/repair/codecs/avc/fields';
import { parameterSets } from '../../lib/repair/codecs/configuration';
import { readHevcFields } from '../../lib/repair/codecs/hevc/fields';
import { writeHevcSets } from '../../lib/repair/codecs/hevc/write';
import type { UnitReader } from '../../lib/repair/codecs/units';
import { Effort } from '../../lib/repair/report';
import { mendUnits } from '../../lib/repair/video/mend';
import type { Reading } from '../../lib/repair/video/session';
import { repairBytes } from './support/run';
import { cameraRecording, changed, timed, videos } from './support/videos';

const flipped = (bytes: Buffer, ...places: number[]) =>
  changed(bytes, (copy) => {
    for (const at of places) copy[at] = (copy[at] ?? 0) ^ 0x10;
    return undefined;
  });
const amount = (list: readonly { unit: string; count: number }[], unit: string) =>
  list.find((one) => one.unit === unit)?.count ?? 0;
const files = {
  'a.mp4': videos.mp4,
  'a.mov': videos.mov,
  'a.mkv': videos.mkv,
  'a.flv': videos.flv,
  'a.mts': videos.ts,
  'a.m2ts': timed(videos.ts),
};
const names = Object.keys(files) as (keyof typeof files)[];
/** Of ten places, how many lie in frames and are set right. */
const mended = { 'a.mp4': 8, 'a.mov': 3, 'a.mkv': 9, 'a.flv': 7, 'a.mts': 2, 'a.m2ts': 2 };

describe('single bits that changed inside frames', () => {
  it.each(names)('are set right, so that %s is as it was', async (name) => {
    const whole = files[name];
    let count = 0;
    for (const share of [0.25, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]) {
      const bytes = flipped(whole, Math.floor(whole.length * share));
      const { report, output } = await repairBytes(bytes, name);
      // Some of the places lie in sound, which nothing checks, or in what holds the packets.
      const isMended = report.verdict === 'repaired' && amount(report.rebuilt, 'frames') > 0;
      expect(!isMended || output?.equals(whole)).toBe(true);
      count += isMended ? 1 : 0;
    }
    expect(count).toBe(mended[name]);
  });

  it('are told in frames that no decoder complains about, where nothing can be set right', async () => {
    const at = videos.mov.indexOf('mdat', 0, 'latin1') + 600;
    const bytes = changed(videos.mov, (copy) => void Buffer.from('a5c3966937', 'hex').copy(copy, at));
    const { report } = await repairBytes(bytes, 'a.mov');
    expect(report.verdict).toBe('partly');
    expect(amount(report.lost, 'frames')).toBe(1);
  });

  it('are told without arithmetic coding, too, and set right where one bit alone explains them', async () => {
    const verdicts: string[] = [];
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
      const bytes = flipped(cameraRecording, Math.floor(cameraRecording.length * share));
      const { report, output } = await repairBytes(bytes, 'a.mov');
      verdicts.push(report.verdict);
      if (report.verdict === 'repaired') expect(output?.equals(cameraRecording)).toBe(true);
      if (report.verdict === 'partly') expect(amount(report.lost, 'frames')).toBeGreaterThan(0);
    }
    // Signs and the ends of long levels can be anything.
    expect(verdicts.filter((verdict) => verdict !== 'healthy').length).toBe(5);
    expect((await repairBytes(cameraRecording, 'a.mov')).report.verdict).toBe('healthy');
  });

  it('are set right in the head of a Matroska block that made it one of no track', async () => {
    const block = videos.mkv.lastIndexOf(Buffer.from([0x81, 0]), videos.mkv.length - 2000);
    expect(videos.mkv[block - 3] === 0xa3 || videos.mkv[block - 2] === 0xa3).toBe(true);
    const bytes = changed(videos.mkv, (copy) => void copy.fill(0xc1, block, block + 1));
    const { report, output } = await repairBytes(bytes, 'a.mkv');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(videos.mkv)).toBe(true);
  });
});

describe('parameter sets', () => {
  it('are written as they are read', () => {
    const ofPhone = parameterSets(videos.mov.subarray(videos.mov.indexOf('hvc1', 0, 'latin1')));
    const hevc = readHevcFields(ofPhone[1] ?? Buffer.alloc(0), ofPhone[2] ?? Buffer.alloc(0));
    if (!hevc) throw new Error('The sets could not be read.');
    const sets = writeHevcSets(hevc, {
      width: hevc.pic_width_in_luma_samples,
      height: hevc.pic_height_in_luma_samples,
    });
    expect(readHevcFields(sets.sps, sets.pps)).toEqual(hevc);
    const [sps, pps] = parameterSets(videos.mp4.subarray(videos.mp4.indexOf('avc1', videos.mp4.indexOf('stsd'))));
    const avc = readAvcFields(sps ?? Buffer.alloc(0), pps ?? Buffer.alloc(0));
    if (!avc) throw new Error('The sets could not be read.');
    const made = writeAvcSets(avc, avc.PicWidthInMbs * 16, avc.FrameHeightInMbs * 16, 4);
    expect(readAvcFields(made.sps, made.pps)).toEqual(avc);
  });

  it('of HEVC are told from the frames where the index of a video is gone', async () => {
    const at = videos.mov.indexOf('moov', 0, 'latin1') - 4;
    const bytes = changed(videos.mov, (copy) => void copy.fill(0, at, at + copy.readUInt32BE(at)));
    const { report, output } = await repairBytes(bytes, 'a.mov');
    expect(report.verdict).toBe('repaired');
    expect(amount(report.kept, 'frames')).toBe(30);
    expect(output?.includes('hvcC')).toBe(true);
  });

  it('of H.264 are told from the frames of Matroska and FLV, without what the encoder says of itself', async () => {
    const tracks = videos.mkv.indexOf(Buffer.from('1654ae6b', 'hex'), 150);
    const setup = videos.flv.indexOf(Buffer.from([0x17, 0, 0, 0, 0])) - 11;
    const past = setup + 15 + videos.flv.readUIntBE(setup + 1, 3);
    const broken = {
      'a.mkv': changed(videos.mkv, (copy) => void copy.fill(0, tracks, tracks + 160)),
      'a.flv': Buffer.concat([videos.flv.subarray(0, setup), videos.flv.subarray(past)]),
    };
    for (const [name, bytes] of Object.entries(broken)) {
      const said = bytes.indexOf('options: cabac=', 0, 'latin1');
      const { report } = await repairBytes(
        changed(bytes, (copy) => void copy.fill(0x55, said, said + 300)),
        name,
      );
      expect(report.steps.some((step) => step.name === 'search')).toBe(true);
      expect(amount(report.kept, 'frames')).toBe(30);
    }
  });
});

/** A reading that keeps nothing of what is set right. */
const readingOf = () => {
  const job = { deadline: { effort: new Effort(1e6), check: () => undefined } };
  const source = { pause: async () => undefined, mend: () => undefined };
  return { source, job } as unknown as Reading;
};

/** A reader of units that are a number, a rank, and whether they are broken. */
const fakeReader: UnitReader = {
  effort: { one: 800, more: 3000, all: 11_000 },
  isBlind: false,
  isSlice: () => true,
  rank: (unit) => unit[1] ?? 0,
  check: (unit) => ({ whole: unit[2] === 1 ? 0 : 1, parts: 1 }),
  brokenAt: () => -1,
  mend: () => null,
};

describe('slices of which most cannot be read', () => {
  const unitsOf = (isBroken: (index: number, rank: number) => boolean) =>
    Array.from({ length: 40 }, (_, index) => {
      const rank = index % 10 === 0 ? 0 : index % 2 === 0 ? 1 : 2;
      return { bytes: Buffer.from([index, rank, isBroken(index, rank) ? 1 : 0]), place: (at: number) => at };
    });

  it('are told to be damaged where others of their kind can be read', async () => {
    const units = unitsOf((index) => index % 3 !== 1);
    expect((await mendUnits(readingOf(), fakeReader, units)).broken).toBe(27);
  });

  it('say nothing where none of their kind can be read, or by chance', async () => {
    const ofOneKind = unitsOf((_, rank) => rank === 2);
    expect((await mendUnits(readingOf(), fakeReader, ofOneKind)).broken).toBe(0);
    const half = unitsOf((index) => index % 4 === 1);
    expect((await mendUnits(readingOf(), { ...fakeReader, isBlind: true }, half)).broken).toBe(10);
    const most = unitsOf((index) => index % 3 !== 1);
    expect((await mendUnits(readingOf(), { ...fakeReader, isBlind: true }, most)).broken).toBe(0);
  });
});

describe('the effort for wrong bits', () => {
  it('goes to slices behind one that stays broken last', async () => {
    // Each slice is a number, its rank, and whether it is broken; slices of rank 0 begin a group.
    const ranks = [0, 1, 1, 2, 1, 0, 1, 1, 2, 1, 1, 1, 0, 1, 1, 2, 1, 1];
    const broken = new Set([1, 4, 6, 8, 14]);
    const units = ranks.map((rank, index) => ({
      bytes: Buffer.from([index, rank, broken.has(index) ? 1 : 0]),
      place: (at: number) => at,
    }));
    const tried: number[] = [];
    const reader: UnitReader = {
      ...fakeReader,
      mend: (unit) => {
        tried.push(unit[0] ?? -1);
        return unit[0] === 14 ? [] : null;
      },
    };
    await mendUnits(readingOf(), reader, units);
    expect(tried).toEqual([14, 1, 6, 8, 4]);
  });

  it('goes to no slice that was written over', async () => {
    const written = (index: number, ...more: number[]) => ({
      bytes: Buffer.concat([Buffer.from([index, 0, 1]), Buffer.alloc(16), Buffer.from(more)]),
      place: (at: number) => at,
    });
    const sound = Array.from({ length: 12 }, (_, index) => ({
      bytes: Buffer.from([index + 10, 0, 0]),
      place: (at: number) => at,
    }));
    const tried: number[] = [];
    const mend = (unit: Buffer) => {
      tried.push(unit[0] ?? -1);
      return null;
    };
    // Zeroes at the end may be filling.
    const { broken } = await mendUnits(readingOf(), { ...fakeReader, mend }, [written(1, 7), written(2), ...sound]);
    expect(broken).toBe(2);
    expect(new Set(tried)).toEqual(new Set([2]));
  });
});
