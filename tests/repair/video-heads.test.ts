import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { detectFormat } from '../../lib/repair/detect';
import { decodeFile } from '../../lib/repair/readers/media';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, fixtureOf, moovFirst, slicedRecording, videos } from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((kept) => kept.unit === unit)?.count ?? 0;
const missing = (report: RepairReport, unit: string) => report.lost.find((lost) => lost.unit === unit)?.count ?? 0;

/** Frames that the decoder makes of these bytes. */
async function decodedFrames(bytes: Buffer, format: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), bytes);
    const decoded = await decodeFile(join(folder, 'input'), format, { bytes: 1e9, milliseconds: 30_000 });
    if (!decoded) throw new Error('The decoder could not open the file.');
    return decoded.frames;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

withChildren();

/** Where units of H.264 begin in media data, each behind its length. */
function* unitsIn(bytes: Buffer): Generator<number> {
  const end = bytes.lastIndexOf('moov');
  for (let at = bytes.indexOf('mdat') + 8; at < end; at++)
    if (/^(?:1|5|6|7|8)$/.test(String((bytes[at] ?? 0) & 0x9f)) && bytes.readUInt32BE(at - 4) < 1 << 16) yield at;
}

describe('videos whose beginning is lost', () => {
  it('tells the tracks of Matroska from their frames', async () => {
    const bytes = changed(videos.mkv, (copy) => void copy.fill(0, 0, 512));
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report).toMatchObject({ verdict: 'repaired', format: 'mkv' });
    for (const codec of ['V_MPEG4/ISO/AVC', 'A_AAC']) expect(output?.includes(codec)).toBe(true);
    expect(await decodedFrames(output ?? Buffer.alloc(0), 'mkv')).toBe(await decodedFrames(videos.mkv, 'mkv'));
  });

  it('tells the setup of FLV from the frames, and keeps the first of them', async () => {
    const first = videos.flv.indexOf('options: cabac=');
    const bytes = changed(videos.flv, (copy) => void copy.fill(0, 0, first));
    const { report, output } = await repairBytes(bytes, 'clip.flv');
    expect(report).toMatchObject({ verdict: 'partly', format: 'flv' });
    const whole = await decodedFrames(videos.flv, 'flv');
    expect(await decodedFrames(output ?? Buffer.alloc(0), 'flv')).toBe(whole);
  });

  it('makes the description of a track anew from its configuration', async () => {
    const bytes = changed(moovFirst(videos.mp4), (copy) => void copy.fill(0, 0, copy.indexOf('avcC') - 4));
    const { report, output } = await repairBytes(bytes, 'clip.mp4');
    expect(report).toMatchObject({ verdict: 'repaired', format: 'mp4', lost: [] });
    expect(await decodedFrames(output ?? Buffer.alloc(0), 'mp4')).toBe(await decodedFrames(videos.mp4, 'mp4'));
  });

  it('does not hide that MXF begins inside of a picture whose beginning is gone', async () => {
    const first = videos.mxf.indexOf(Buffer.from('060e2b34010201010d010301', 'hex'));
    const rest = Buffer.alloc(300, 0x5a);
    const { report } = await repairBytes(Buffer.concat([rest, videos.mxf.subarray(first)]), 'clip.mxf');
    expect(report.verdict).toBe('partly');
    expect(missing(report, 'bytes')).toBe(rest.length);
  });

  it('does not hide that a track is lost whose description cannot be made', async () => {
    const bytes = changed(moovFirst(slicedRecording), (copy) => void copy.fill(0, 0, copy.indexOf('stts') - 4));
    const { report } = await repairBytes(bytes, 'clip.mov');
    expect(report.verdict).not.toBe('repaired');
    expect(report.verdict).not.toBe('healthy');
  });

  it('tells the description of a track from its slices where the encoder says nothing', async () => {
    const bytes = changed(moovFirst(videos.mp4), (copy) => {
      copy.fill(0, 0, copy.indexOf('stts') - 4);
      copy.fill(0, copy.indexOf('options: cabac='), copy.indexOf('options: cabac=') + 40);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mp4');
    expect(report.notes.join(' ')).toContain('had to be found anew');
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([30, 27]);
  });

  it.each(['avc1', 'vp09'])('places what is left where the front was cut off, of %s', async (codec) => {
    const named = changed(videos.mp4, (copy) => {
      copy.write(codec, copy.indexOf('avc1', copy.indexOf('stsd')), 'latin1');
      // Nor do they look like pictures of another codec.
      if (codec !== 'avc1') for (const at of unitsIn(copy)) copy[at] = (copy[at] ?? 0) | 0x80;
      return undefined;
    });
    const { report, output } = await repairBytes(named.subarray(named.length >> 2), 'clip.mp4');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'sound packets')).toBe(21);
    expect(missing(report, 'sound packets')).toBe(6);
    const sound = await repairBytes(output ?? Buffer.alloc(0), 'clip.mp4');
    // Sound from the wrong places would not decode.
    expect(sound.report.lost.filter(({ unit }) => unit === 'pieces of sound')).toEqual([]);
  });

  it('follows bytes that were put before pictures which cannot be judged by their data', async () => {
    const named = (bytes: Buffer, from: string, to: string) =>
      changed(bytes, (copy) => void copy.write(to, copy.indexOf(from, copy.indexOf('stsd')), 'latin1'));
    const bytes = Buffer.concat([Buffer.alloc(5000, 0x5a), named(videos.mp4, 'avc1', 'av01')]);
    const { output } = await repairBytes(bytes, 'clip.mp4');
    const { report } = await repairBytes(named(output ?? Buffer.alloc(0), 'av01', 'avc1'), 'clip.mp4');
    expect(report.verdict).toBe('healthy');
  });

  it('keeps the name of a video for frames without a head, which look like photos', () => {
    const picture = Buffer.concat([
      Buffer.from('ffd8ffdb', 'hex'),
      Buffer.alloc(900, 0x51),
      Buffer.from('ffda00', 'hex'),
    ]);
    const scan = Buffer.concat([picture, Buffer.from('08010100003f00', 'hex'), Buffer.alloc(400, 0x33)]);
    const bytes = Buffer.concat([Buffer.alloc(600, 1), scan, Buffer.alloc(20, 2), scan, Buffer.alloc(20, 2), scan]);
    expect(detectFormat(bytes, 'clip.mkv')).toMatchObject({ format: 'mkv' });
    expect(detectFormat(scan, 'clip.mkv')).toMatchObject({ format: 'jpg' });
  });
});

describe('damage inside frames', () => {
  it.each(['mp4', 'mkv', 'flv'] as const)(
    'is told from zeroes that no encoder writes, and the %s given back',
    async (kind) => {
      const bytes = changed(videos[kind], (copy) => {
        const frame = copy.indexOf('options: cabac=') + 1200;
        copy.fill(0, frame, frame + 80);
        return undefined;
      });
      const { report, output } = await repairBytes(bytes, `clip.${kind}`);
      expect(report.verdict).toBe('partly');
      expect(report.found.some(({ detail }) => detail.includes('overwritten with zeroes'))).toBe(true);
      expect(output?.equals(bytes)).toBe(true);
    },
  );

  it('loses no frame that a decoder could show of a video that was cut', async () => {
    const whole = moovFirst(videos.mp4);
    for (const [share, shown] of [
      [0.55, 12],
      [0.7, 20],
      [0.93, 27],
    ] as const) {
      const cut = whole.subarray(0, Math.round(whole.length * share));
      const { output } = await repairBytes(cut, 'clip.mp4');
      const before = await decodedFrames(cut, 'mp4');
      expect(before).toBeLessThanOrEqual(shown);
      expect(await decodedFrames(output ?? Buffer.alloc(0), 'mp4')).toBe(shown);
    }
  });
});

it('tells that the beginning of Flash video is gone by the time of what is left', async () => {
  const flash = fixtureOf('flash.flv');
  let at = 13;
  while (flash.readUIntBE(at + 4, 3) < 300) at += 15 + flash.readUIntBE(at + 1, 3);
  const { report } = await repairBytes(flash.subarray(at), 'a.flv');
  expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'seconds', count: 0.3 }] });
});
