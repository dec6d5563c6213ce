import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EndJudge } from '../../lib/repair/codecs/judge';
import { Vp9Frames } from '../../lib/repair/codecs/vp9/frames';
import { Buffer } from '../../lib/repair/host/bytes';
import { Effort } from '../../lib/repair/report';
import { framesOf } from './support/blocks';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

withChildren();

const fixture = (name: string) => readFileSync(join(process.cwd(), 'tests/repair/fixtures', name));
const vp9 = fixture('video-vp9.webm');
const blocksOf = (file: Buffer) => framesOf(file).map(({ from, to }) => Buffer.from(file.subarray(from, to)));

/** Frames of a file in which each has a head of twelve bytes, behind one of 32 (IVF). */
function framesOfIvf(file: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 32; at < file.length; at += 12 + file.readUInt32LE(at))
    frames.push(Buffer.from(file.subarray(at + 12, at + 12 + file.readUInt32LE(at))));
  return frames;
}

describe('frames of VP9', () => {
  const frames = blocksOf(vp9);
  const resized = framesOfIvf(fixture('video-vp9-resized.ivf'));
  const hidden = blocksOf(fixture('video-vp9-hidden.webm'));

  /** What is said of each frame, of which one is changed. */
  function judged(all: readonly Buffer[], place = -1, change: (frame: Buffer) => Buffer | undefined = () => undefined) {
    const judge = new EndJudge(new Vp9Frames(), new Effort(1e6), false);
    return all.map((frame, index) => judge.isSound(index === place ? changed(frame, change) : frame));
  }

  it('are told damaged from the first one on, as they end with zeroes alone', () => {
    const seen = judged(frames, 0, (frame) => {
      frame[200] = (frame[200] ?? 0) ^ 0x10;
      return undefined;
    });
    expect(seen[0]).toBe(false);
  });

  it.each([
    ['of one size', frames, 30],
    ['that build on those of another size', resized, 14],
    ['of ten bits and full colours, some hidden in superframes, with segments', hidden, 32],
  ])('%s end with their data as an encoder wrote them', (_, all, count) => {
    expect(all.length).toBe(count);
    expect(judged(all).every((isSound) => isSound === true)).toBe(true);
  });

  it('do not with a single wrong bit, and what builds on them is not judged unless it ends with its data', () => {
    for (let place = 9; place < 27; place++) {
      const said = judged(frames, place, (frame) => {
        const at = (frame.length * (place + 1)) >> 5;
        frame[at] = (frame[at] ?? 0) ^ (1 << (place & 7));
        return undefined;
      });
      expect(said.indexOf(false)).toBe(place);
      expect(said.filter((one) => one === false)).toHaveLength(1);
    }
  });

  it.each([
    ['marker', (frame: Buffer) => void frame.writeUInt8((frame[0] ?? 0) ^ 0x80, 0)],
    ['profile', (frame: Buffer) => void frame.writeUInt8((frame[0] ?? 0) ^ 0x20, 0)],
    ['end', (frame: Buffer) => frame.subarray(0, 24)],
  ])('are not sound with another %s', (_, change) => {
    const said = judged(frames, 7, (copy) => change(copy) ?? copy);
    expect(said.flatMap((isSound, index) => (isSound === false ? [index] : []))).toEqual([7]);
  });

  it('are not judged where they build on frames that are gone', () => {
    expect(judged(frames.slice(1, 15)).every((isSound) => isSound === null)).toBe(true);
  });

  it('of sizes that no video has are not called sound', () => {
    const huge = changed(frames[0] ?? Buffer.alloc(0), (copy) => void copy.fill(0xff, 5, 9));
    expect(judged([huge, ...frames.slice(1, 15)]).includes(true)).toBe(false);
  });

  it('are told in the report, and the file is given back', async () => {
    const [, second] = framesOf(vp9);
    const bytes = changed(vp9, (copy) => void copy.fill(0x11, second?.from ?? 0, (second?.from ?? 0) + 40));
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.found).toContainEqual(
      expect.objectContaining({ detail: 'The data of 1 frame cannot be read to the end.', offset: second?.from }),
    );
    expect(output?.equals(bytes)).toBe(true);
  });

  it('are not judged where the file holds them compressed once more', async () => {
    const { report } = await repairBytes(fixture('video-vp9-encoded.mkv'), 'clip.mkv');
    expect(report.verdict).toBe('healthy');
  });

  it.each(['video-vp9.webm', 'video-vp9.mp4'])('with a single wrong bit make %s no healthy file', async (name) => {
    const file = fixture(name);
    const at = file.indexOf(Buffer.from([0x49, 0x83, 0x42])) + 500;
    const bytes = changed(file, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 8, at));
    expect((await repairBytes(bytes, name)).report.verdict).toBe('partly');
  });
});

describe('frames of Motion JPEG', () => {
  it('are read to their end, since decoders pass over wrong bytes', async () => {
    const first = videos.avi.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    const data = videos.avi.indexOf(Buffer.from([0xff, 0xda]), first) + 40;
    const bytes = changed(videos.avi, (copy) => void copy.fill(0x55, data, data + 20));
    const { report } = await repairBytes(bytes, 'clip.avi');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ detail }) => detail)).toContain('The data of 1 frame cannot be read to the end.');
    expect((await repairBytes(videos.avi, 'clip.avi')).report.verdict).toBe('healthy');
  });
});

describe('frames of ProRes', () => {
  const prores = readFileSync(join(process.cwd(), 'tests/repair/fixtures/video-prores.mov'));
  const [first = 0, second = 0] = [0, 1].reduce<number[]>(
    (found) => [...found, prores.indexOf('icpf', (found.at(-1) ?? -1) + 1, 'latin1')],
    [],
  );
  const wrong = (place: number, value: number) =>
    changed(prores, (copy) => void copy.writeUInt8((copy[place] ?? 0) ^ value, place));
  // Behind the head of the frame come that of the picture, a table of sizes of slices, and the slices (SMPTE RDD 36, 5.2).
  const picture = second + 4 + prores.readUInt16BE(second + 4);
  const slice = picture + 8 + prores.readUInt16BE(picture + 5) * 2;

  it.each([
    ['the size of a slice', wrong(picture + 9, 8)],
    ['the size of a plane', wrong(slice + 3, 0x20)],
    ['bytes of a plane', changed(prores, (copy) => void copy.fill(0x5a, slice + 40, slice + 200))],
  ])('are read to their end by their own sizes: %s', async (_, bytes) => {
    const { report, output } = await repairBytes(bytes, 'clip.mov');
    expect(report.verdict).toBe('partly');
    expect(report.found).toContainEqual(
      expect.objectContaining({ detail: 'The data of 1 frame cannot be read to the end.', offset: second - 4 }),
    );
    expect(output?.equals(bytes)).toBe(true);
  });

  it('are sound as an encoder wrote them', async () => {
    expect(first).toBeGreaterThan(0);
    expect((await repairBytes(prores, 'clip.mov')).report.verdict).toBe('healthy');
  });
});
