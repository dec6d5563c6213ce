import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVp9Key } from '../../lib/repair/codecs/vp9/key';
import { dropAdrift } from '../../lib/repair/formats/iso/adrift';
import { pictureOfItself } from '../../lib/repair/formats/iso/demux/streams';
import { type Located, sampleState } from '../../lib/repair/formats/iso/locate';
import { looksRight } from '../../lib/repair/formats/iso/probes';
import type { Track } from '../../lib/repair/formats/iso/track';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, slicedRecording, videos } from './support/videos';

withChildren();

const fixture = (name: string) => readFileSync(join(process.cwd(), 'tests/repair/fixtures', name));

/** Runs `use` on a source of these bytes. */
async function withSource<Result>(bytes: Buffer, use: (source: Source) => Result): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), bytes);
    const file = await OpenFile.open(join(folder, 'input'), 'read');
    const result = use(new Source(file));
    await file.close();
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('VP9 without its beginning', () => {
  const original = fixture('video-vp9.webm');
  const bytes = changed(original, (copy) => void copy.fill(0, 0, 2500));

  it('is told from a key frame of any profile', () => {
    const at = original.indexOf(Buffer.from([0x49, 0x83, 0x42])) - 1;
    const head = original.subarray(at, at + 12);
    expect(readVp9Key(head)).toEqual({ profile: 1, depth: 8, width: 160, height: 120 });
    expect(readVp9Key(changed(head, (copy) => void copy.writeUInt8(0xa6, 0)))).toBeNull();
    expect(readVp9Key(head.subarray(0, 7))).toBeNull();
  });

  it('begins with its next key frame, and names the frames before it', async () => {
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.steps.map(({ detail }) => detail)).toContain(
      'Decoded from beginning to end: 15 frames and 60 pieces of sound, 0:01 long.',
    );
    expect(report.lost.find(({ detail }) => detail?.includes('build on a frame that is gone'))?.count).toBe(14);
  });
});

describe('VP9 in MP4 whose first key frame is gone', () => {
  it('begins with the next one, and leaves out what builds on it', () => {
    const located = (codec: string, states: number[]) =>
      ({
        track: { codec, keys: Uint8Array.from([1, 0, 0, 1, 0]) },
        states: Uint8Array.from(states),
      }) as unknown as Located;
    const { gone, whole } = sampleState;
    const cut = located('vp09', [gone, whole, gone, whole, whole]);
    expect(dropAdrift(cut)).toBe(1);
    expect([...cut.states]).toEqual([gone, gone, gone, whole, whole]);
    expect(dropAdrift(located('vp09', [whole, whole, whole, whole, whole]))).toBe(0);
    // What decoders of AV1 do with frames before a key frame is no better.
    expect(dropAdrift(located('av01', [gone, whole, gone, whole, whole]))).toBe(1);
    expect(dropAdrift(located('vp09', [gone, whole, whole, gone, whole]))).toBe(0);
    expect(dropAdrift(located('avc1', [gone, whole, whole, whole, whole]))).toBe(0);
  });
});

describe('VP9 and Opus behind bytes that are lost', () => {
  const original = fixture('video-vp9.mp4');

  it.each([0.3, 0.5, 0.7])('are found by how they begin, and what was lost is named: at %d', async (share) => {
    const at = Math.floor(original.length * share);
    const bytes = Buffer.concat([original.subarray(0, at), original.subarray(at + 300)]);
    const { report, output } = await repairBytes(bytes, 'clip.mp4');
    expect(report.verdict).toBe('partly');
    const [decoded] = report.steps.map(({ detail }) => /: (\d+) frames/.exec(detail)?.[1]).slice(-1);
    expect(Number(decoded)).toBeGreaterThan(20);
    // But for the frame at the place, of some 5,000 bytes at most, all comes back byte for byte.
    const body = original.indexOf('mdat', 0, 'latin1') + 4;
    expect(output?.includes(original.subarray(body, at - 6000))).toBe(true);
    expect(output?.includes(original.subarray(at + 6000, at + 6300))).toBe(true);
  });
});

describe('HEVC without its description', () => {
  it('is read with the fields with which the fewest of its slices break', async () => {
    const bytes = changed(fixture('video-hevc.mkv'), (copy) => void copy.fill(0, 0, 600));
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('repaired');
    expect(report.steps.map(({ detail }) => detail)).toContain(
      'Decoded from beginning to end: 40 frames and 50 pieces of sound, 0:01 long.',
    );
  });
});

describe('a sample of AV1', () => {
  const track = { codec: 'av01', lengthBytes: 0 } as Track;
  const whole = Buffer.from([0x12, 0x00, 0x0a, 0x01, 0x00, 0x32, 0x03, 0x10, 0xaa, 0xbb]);
  const looks = (bytes: Buffer) => withSource(bytes, (source) => looksRight(source, track, 0, bytes.length));

  it('is a chain of units that holds a frame', async () => {
    expect(await looks(whole)).toBe(true);
    expect(await looks(whole.subarray(2))).toBe(true);
    // The last unit may carry no size.
    expect(await looks(Buffer.from([0x12, 0x00, 0x30, 0x10, 0xaa, 0xbb]))).toBe(true);
  });

  it('is none where units lead to the end by chance', async () => {
    // A delimiter in the middle, a description alone, tiles without their head, reserved bits, an open unit that is no frame.
    expect(await looks(Buffer.from([0x0a, 0x01, 0x00, 0x12, 0x00, 0x32, 0x01, 0x10]))).toBe(false);
    expect(await looks(Buffer.from([0x0a, 0x04, 1, 2, 3, 4]))).toBe(false);
    expect(await looks(Buffer.from([0x22, 0x02, 0x10, 0xaa]))).toBe(false);
    expect(await looks(Buffer.from([0x36, 0x07, 0x03, 0x10, 0xaa, 0xbb]))).toBe(false);
    expect(await looks(Buffer.from([0x12, 0x00, 0x28, 0x10, 0xaa]))).toBe(false);
  });
});

describe('H.263 among sound that the index still lists', () => {
  it('is told by pictures that lie apart', async () => {
    // Temporal reference and type of a picture of 352 by 288, the first one alone (ITU-T H.263, 5.1).
    const picture = (index: number) => Buffer.from([0, 0, 0x80, (index << 2) | 2, 0x0c | (index > 0 ? 2 : 0), 1, 2, 3]);
    const bytes = Buffer.concat([picture(0), picture(1), picture(2)]);
    const spans = [0, 8, 16].map((from) => ({ from, to: from + 8 }));
    const told = await withSource(bytes, (source) => pictureOfItself(source, spans));
    expect([told?.codec, told?.stsd.readUInt16BE(48), told?.stsd.readUInt16BE(50)]).toEqual(['s263', 352, 288]);
    expect(await withSource(bytes, (source) => pictureOfItself(source, spans.slice(0, 2)))).toBeNull();
  });
});

describe('an index whose track of pictures is overwritten', () => {
  /** Makes noise of everything in the first track of the index. */
  const without = (bytes: Buffer) =>
    changed(bytes, (copy) => {
      const at = copy.indexOf('trak', copy.indexOf('moov'));
      copy.fill(0xa5, at, at - 4 + copy.readUInt32BE(at - 4));
    });

  it('does not hide pictures that can be found', async () => {
    const { report } = await repairBytes(without(videos.mp4), 'clip.mp4');
    expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBe(30);
    expect(report.notes.join(' ')).toContain('may be shown on its side');
  });

  it('is never called repaired where they cannot be found', async () => {
    const { report } = await repairBytes(without(slicedRecording), 'clip.mov');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toBe('Only the sound of this video could be brought back.');
    expect(report.lost.find(({ unit }) => unit === 'tracks')?.count).toBe(1);
  });
});

/** Where the key frames of the fixture lie, and their sizes in bytes. */
const keyFrames = [
  [48, 1514],
  [3967, 1154],
  [7589, 1236],
] as const;

describe('an MP4 whose key frames are gone', () => {
  it('is said to have its sound alone, and not to play', async () => {
    const bytes = changed(videos.mp4, (copy) => {
      for (const [at, size] of keyFrames) copy.fill(0, at, at + size);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mp4');
    expect(report.verdict).toBe('partly');
    expect(report.summary).toContain('none of the pictures could be decoded');
    expect(report.kept.map(({ unit }) => unit)).not.toContain('frames');
  });
});

describe('a fragmented MP4 without its first fragments', () => {
  it('says that what came before is gone, however short it was', async () => {
    const { fragmented } = videos;
    const second = fragmented.indexOf('moof', fragmented.indexOf('moof') + 4) - 4;
    const { report } = await repairBytes(fragmented.subarray(second), 'clip.mp4');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ detail }) => detail)).toContain('before the first picture or sound that is left');
  });
});
