import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import {
  cameraRecording,
  changed,
  eachOffset,
  moovFirst,
  resize,
  slicedRecording,
  timed,
  videos,
  withoutIndex,
} from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'video-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sampleFile(bytes: Buffer): Promise<string> {
  const path = join(folder, `sample-${bytes.length}`);
  await writeFile(path, bytes);
  return path;
}

describe('healthy videos', () => {
  const cases: [string, Buffer][] = [
    ['a.mp4', videos.mp4],
    ['a.m4v', videos.mp4],
    ['a.3gp', videos.mp4],
    ['a.insv', videos.mp4],
    ['first.mp4', moovFirst(videos.mp4)],
    ['fragmented.mp4', videos.fragmented],
    ['a.mov', videos.mov],
    ['a.mkv', videos.mkv],
    ['a.avi', videos.avi],
    ['a.flv', videos.flv],
    ['a.ts', videos.ts],
    ['a.mts', timed(videos.ts)],
    ['a.m2ts', timed(videos.ts)],
    ['a.mxf', videos.mxf],
  ];
  for (const [name, bytes] of cases) {
    it(`comes back byte for byte: ${name}`, async () => {
      const { report, output } = await repairBytes(bytes, name);
      expect(report.found).toEqual([]);
      expect(report.verdict).toBe('healthy');
      expect(output?.equals(bytes)).toBe(true);
    });
  }

  it('accepts unknown boxes and a camera’s own trailer', async () => {
    const unknown = Buffer.concat([videos.mp4, Buffer.from([0, 0, 0, 16]), Buffer.from('zzzz12345678')]);
    expect((await repairBytes(unknown, 'a.mp4')).report.verdict).toBe('healthy');
    expect((await repairBytes(Buffer.concat([videos.mp4, Buffer.alloc(100)]), 'a.mp4')).report.verdict).toBe('healthy');
    const samsung = Buffer.concat([
      videos.mp4,
      Buffer.from('\0\0\x01\x0a\x0e\0\0\0Image_UTC_DataSEFH\x6b\0\0\0\0\0\0\0SEFT', 'latin1'),
    ]);
    expect((await repairBytes(samsung, 'a.mp4')).report.verdict).toBe('healthy');
  });

  it('cuts off what lies behind the last box and is nobody’s trailer', async () => {
    const random = randomFrom(7);
    const { report, output } = await repairBytes(Buffer.concat([videos.mp4, randomBytes(random, 700)]), 'a.mp4');
    expect(report.verdict).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['structure']);
    expect(output?.equals(videos.mp4)).toBe(true);
  });
});

const whole = videos.mp4;
const front = moovFirst(whole);
const mdat = whole.indexOf('mdat', 0, 'latin1') + 4;

describe('MP4 and MOV with their index', () => {
  const repaired: [string, Buffer][] = [
    ['a lost brand box', whole.subarray(whole.readUInt32BE(0))],
    ['a zeroed brand box', changed(whole, (copy) => void copy.fill(0, 0, 24))],
    ['a zero mdat size', changed(whole, (copy) => resize(copy, 'mdat', 0))],
    ['a wrong mdat size', changed(whole, (copy) => resize(copy, 'mdat', 0x12345678))],
    ['a mdat size that asks for 64 bits', changed(whole, (copy) => resize(copy, 'mdat', 1))],
    [
      'wrong sizes inside moov',
      changed(whole, (copy) => ['trak', 'mdia', 'stbl'].map((code) => resize(copy, code, 99))[0]),
    ],
    [
      'a zeroed moov header',
      changed(whole, (copy) => void copy.fill(0, copy.indexOf('moov') - 4, copy.indexOf('moov') + 4)),
    ],
    ['junk before everything', Buffer.concat([Buffer.alloc(777, 7), whole])],
    ['chunk offsets moved', changed(whole, (copy) => eachOffset(copy, (offset) => offset + 1000))],
  ];
  for (const [damage, bytes] of repaired) {
    it(`keeps everything after ${damage}`, async () => {
      const { report, output } = await repairBytes(bytes, 'a.mp4');
      expect(report.verdict).toBe('repaired');
      expect(amount(report, 'frames')).toBe(30);
      const again = await repairBytes(output ?? Buffer.alloc(0), 'a.mp4');
      expect(again.report.verdict).toBe('healthy');
    });
  }

  it('cuts a truncated file back to what is there', async () => {
    const { report, output } = await repairBytes(front.subarray(0, front.length * 0.7), 'a.mp4');
    expect(report.verdict).toBe('partly');
    const lost = report.lost.find((one) => one.unit === 'frames')?.count ?? 0;
    expect(amount(report, 'frames') + lost).toBe(30);
    expect(lost).toBe(10);
    expect((await repairBytes(output ?? Buffer.alloc(0), 'a.mp4')).report.verdict).toBe('healthy');
  });

  it('finds frames behind lost bytes, and names the lost ones', async () => {
    const cut = Buffer.concat([whole.subarray(0, mdat + 2000), whole.subarray(mdat + 2500)]);
    const { report } = await repairBytes(cut, 'a.mp4');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'frames')).toBe(28);
  });

  it('finds pictures when every chunk offset is zero', async () => {
    const { report } = await repairBytes(
      changed(whole, (copy) => eachOffset(copy, () => 0)),
      'a.mp4',
    );
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'frames')).toBe(30);
  });

  it('leaves out overwritten frames and keeps the others', async () => {
    const { report } = await repairBytes(
      changed(videos.mov, (copy) => void copy.fill(0, 3000, 4500)),
      'a.mov',
    );
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'frames')).toBe(23);
  });

  it('keeps whole fragments', async () => {
    const { report } = await repairBytes(videos.fragmented.subarray(0, 9000), 'a.mp4');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'frames')).toBe(20);
  });
});

describe('MP4 without its index', () => {
  it('is told by its slices where the encoder says nothing of itself', async () => {
    const mute = changed(whole, (copy) => void copy.fill(0x20, copy.indexOf('options: '), copy.indexOf('crf=38')));
    const { report } = await repairBytes(withoutIndex(mute), 'a.mp4');
    expect(report.steps.map(({ name }) => name)).toContain('search');
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([30, 27]);
  });

  it('says what is missing, and names a working video as help', async () => {
    const { report, output } = await repairBytes(withoutIndex(slicedRecording), 'a.mov');
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('working video from the same camera');
    expect(output).toBeNull();
  });

  it('says of slices without arithmetic coding that their contrast is a guess, and that a working video would help', async () => {
    const { report } = await repairBytes(withoutIndex(cameraRecording), 'a.mov');
    expect(report).toMatchObject({ verdict: 'partly', wantsSample: true });
    expect(report.lost).toContainEqual({ unit: 'video tracks', count: 1, detail: expect.stringContaining('contrast') });
    expect(amount(report, 'frames')).toBe(30);
    const sampled = { samplePath: await sampleFile(cameraRecording) };
    const told = (await repairBytes(withoutIndex(cameraRecording), 'a.mov', sampled)).report;
    expect(told.lost.filter(({ detail }) => detail?.includes('contrast'))).toEqual([]);
  });

  it.each([
    ['mp4', videos.mp4],
    ['mov', videos.mov],
  ] as const)('finds all frames and the sound of an %s with a sample', async (format, bytes) => {
    const { report } = await repairBytes(withoutIndex(bytes), `a.${format}`, { samplePath: await sampleFile(bytes) });
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
  });
});

describe('transport streams', () => {
  for (const [name, bytes, step] of [
    ['a.ts', videos.ts, 188],
    ['a.m2ts', timed(videos.ts), 192],
  ] as const) {
    it(`${name}: sets lost packet marks again`, async () => {
      const { report, output } = await repairBytes(
        changed(bytes, (copy) => {
          for (let at = step * 3 + step - 188; at < copy.length; at += step * 3) copy[at] = 0;
          return undefined;
        }),
        name,
      );
      expect(report.verdict).toBe('repaired');
      expect(output?.equals(bytes)).toBe(true);
    });
    it(`${name}: drops what does not belong`, async () => {
      const place = step * 20;
      const { report, output } = await repairBytes(
        Buffer.concat([bytes.subarray(0, place), Buffer.alloc(77, 3), bytes.subarray(place)]),
        name,
      );
      expect(report.verdict).toBe('partly');
      expect(output?.equals(bytes)).toBe(true);
    });
    it(`${name}: tells the streams when their list is gone`, async () => {
      const kept: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += step) {
        const pid = bytes.readUInt16BE(at + step - 187) & 0x1fff;
        if (pid !== 0 && pid !== 0x1000 && pid !== 0x11) kept.push(bytes.subarray(at, at + step));
      }
      const { report } = await repairBytes(Buffer.concat(kept), name);
      expect(report.verdict).toBe('repaired');
      expect(amount(report, 'frames')).toBe(30);
    });
  }
});

describe('FLV, AVI, MKV and MXF', () => {
  const { flv, avi, mkv, mxf } = videos;
  const cases: [string, string, Buffer, RepairReport['verdict'], number][] = [
    ['a lost head', 'a.flv', flv.subarray(13), 'repaired', 30],
    [
      'times of zero',
      'a.flv',
      changed(flv, (copy) => {
        for (let at = 13; at < copy.length; at += 15 + copy.readUIntBE(at + 1, 3)) copy.fill(0, at + 4, at + 8);
        return undefined;
      }),
      'repaired',
      30,
    ],
    ['a cut tail', 'a.flv', flv.subarray(0, 9001), 'partly', 19],
    ['a hole', 'a.flv', changed(flv, (copy) => void copy.fill(0, 6000, 6300)), 'partly', 28],
    [
      'zero sizes',
      'a.avi',
      changed(avi, (copy) => {
        copy.writeUInt32LE(0, 4);
        copy.writeUInt32LE(0, copy.indexOf('movi') - 4);
        return undefined;
      }),
      'repaired',
      30,
    ],
    ['a lost index', 'a.avi', avi.subarray(0, avi.lastIndexOf('idx1')), 'repaired', 30],
    // The rate of its PCM is a guess then.
    ['a lost header list', 'a.avi', avi.subarray(avi.indexOf('movi') - 8), 'partly', 30],
    ['a cut tail', 'a.avi', avi.subarray(0, 25_000), 'partly', 17],
    ['a lost head', 'a.mkv', changed(mkv, (copy) => void copy.fill(0, 0, 40)), 'repaired', 30],
    ['a cut tail', 'a.mkv', mkv.subarray(0, 9000), 'partly', 20],
    [
      'a wrong segment size',
      'a.mkv',
      changed(mkv, (copy) => void copy.writeUInt32BE(77, copy.indexOf(Buffer.from('18538067', 'hex')) + 8)),
      'repaired',
      30,
    ],
    ['a hole', 'a.mkv', changed(mkv, (copy) => void copy.fill(0, 6000, 6400)), 'partly', 30],
    ['a cut tail', 'a.mxf', mxf.subarray(0, mxf.length * 0.7), 'partly', 6],
  ];
  for (const [damage, name, bytes, verdict, frames] of cases) {
    it(`${name.slice(2).toUpperCase()} with ${damage}`, async () => {
      const { report, output } = await repairBytes(bytes, name);
      expect(report.verdict).toBe(verdict);
      expect(amount(report, 'frames')).toBe(frames);
      const again = await repairBytes(output ?? Buffer.alloc(0), name);
      expect(again.report.verdict).toBe('healthy');
    });
  }

  /** The file without the packets that set its decoders up. */
  const withoutSetup = (keep: number) => {
    const kept: Buffer[] = [flv.subarray(0, 13)];
    for (let at = 13; at + 15 <= flv.length; ) {
      const end = at + 15 + flv.readUIntBE(at + 1, 3);
      const isSetup = flv[at] !== keep && (flv[at] === 9 || flv[at] === 8) && flv[at + 12] === 0 && flv[at + 4] === 0;
      if (!isSetup || flv.readUIntBE(at + 4, 3) > 0) kept.push(flv.subarray(at, end));
      at = end;
    }
    return Buffer.concat(kept);
  };

  it('FLV gets the setup of AAC from the sound itself', async () => {
    const broken = withoutSetup(9);
    expect(broken.length).toBeLessThan(flv.length);
    const { report, output } = await repairBytes(broken, 'a.flv');
    expect(report.verdict).toBe('repaired');
    // A tag of four bytes: the configuration without the extension that ffmpeg adds to it.
    expect(output?.length).toBe(broken.length + 15 + 4);
  });

  it('FLV without the setup of its pictures keeps the sound, asks for a working video, and takes it from there', async () => {
    // Slices without their numbers of frames tell nothing of the setup.
    const broken = changed(withoutSetup(0), (copy) => {
      for (let at = 13; at + 15 <= copy.length; at += 15 + copy.readUIntBE(at + 1, 3))
        if (copy[at] === 9 && at + 24 < copy.length) copy.fill(0x5a, at + 21, at + 24);
      return undefined;
    });
    const alone = await repairBytes(broken, 'a.flv');
    expect(alone.report).toMatchObject({ verdict: 'partly', wantsSample: true });
    expect(amount(alone.report, 'sound packets')).toBe(27);
    expect(amount(alone.report, 'frames')).toBe(0);
    expect(alone.report.summary).toContain('Only the sound');
    const { report } = await repairBytes(broken, 'a.flv', { samplePath: await sampleFile(flv) });
    expect(report.verdict).toBe('repaired');
    expect(report.notes.join(' ')).toContain('working video');
  });

  it('MTS keeps every packet when a third of the sync bytes is overwritten', async () => {
    const broken = changed(videos.ts, (copy) => {
      for (let at = 188; at < copy.length; at += 188 * 3) copy[at] = 0;
      return undefined;
    });
    const { report, output } = await repairBytes(broken, 'a.mts');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(videos.ts)).toBe(true);
  });

  it.each([
    // What the tracks of Matroska hold is told from their frames.
    ['mkv', mkv, Buffer.from('1654ae6b', 'hex'), 150, 100, 'partly', 'partly'],
    ['mxf', mxf, Buffer.from('060e2b34', 'hex'), 0, 2000, 'unrepairable', 'repaired'],
  ] as const)(
    '%s takes the description of its tracks from a sample',
    async (format, bytes, mark, from, length, alone, helped) => {
      const damaged = changed(
        bytes,
        (copy) => void copy.fill(0, copy.indexOf(mark, from), copy.indexOf(mark, from) + length),
      );
      const first = (await repairBytes(damaged, `a.${format}`)).report;
      expect(first.verdict).toBe(alone);
      if (alone === 'partly')
        expect(first).toMatchObject({ wantsSample: true, lost: [expect.objectContaining({ unit: 'bytes' })] });
      const { report } = await repairBytes(damaged, `a.${format}`, { samplePath: await sampleFile(bytes) });
      expect(report.verdict).toBe(helped);
    },
  );
});
