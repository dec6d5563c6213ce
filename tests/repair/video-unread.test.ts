import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Vp9Frames } from '../../lib/repair/codecs/vp9';
import { Buffer } from '../../lib/repair/host/bytes';
import { framesOf } from './support/blocks';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

withChildren();

const vp9 = readFileSync(join(process.cwd(), 'tests/repair/fixtures/video-vp9.webm'));

describe('frames of VP9', () => {
  const frames = framesOf(vp9);

  it('are sound as an encoder wrote them', () => {
    const judge = new Vp9Frames();
    expect(frames.length).toBe(30);
    expect(frames.every(({ from, to }) => judge.isSound(Buffer.from(vp9.subarray(from, to))))).toBe(true);
  });

  it.each([
    ['marker', (frame: Buffer) => void frame.writeUInt8((frame[0] ?? 0) ^ 0x80, 0)],
    ['profile', (frame: Buffer) => void frame.writeUInt8((frame[0] ?? 0) ^ 0x20, 0)],
    ['end', (frame: Buffer) => frame.subarray(0, 24)],
  ])('are not with another %s', (_, change) => {
    const judge = new Vp9Frames();
    const sound = frames.map(({ from, to }, index) => {
      const frame = Buffer.from(vp9.subarray(from, to));
      return judge.isSound(index === 7 ? changed(frame, (copy) => change(copy) ?? copy) : frame);
    });
    expect(sound.flatMap((isSound, index) => (isSound ? [] : [index]))).toEqual([7]);
  });

  it('are not judged by their tiles where they change in size', () => {
    const judge = new Vp9Frames();
    const [first] = frames;
    expect(judge.isSound(Buffer.from(vp9.subarray(first?.from ?? 0, first?.to ?? 0)))).toBe(true);
    // Profile 1, shown, no reference of the same size, 4,096 by 64: nothing of it but the beginning is read.
    const resized = Buffer.from([0xa6, 0, 0, 0, 0x01, 0xff, 0xf8, 0x01, 0xf8, 0, 0, 0]);
    const same = Buffer.from([0xa6, 0, 0, 0, 0x00, 0x4f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(judge.isSound(same)).toBe(false);
    expect(judge.isSound(resized)).toBe(true);
  });

  it('are told in the report, and the file is given back', async () => {
    const [, second] = frames;
    const bytes = changed(vp9, (copy) => void copy.fill(0x11, second?.from ?? 0, (second?.from ?? 0) + 40));
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.found).toContainEqual(
      expect.objectContaining({ detail: 'The data of 1 frame cannot be read to the end.', offset: second?.from }),
    );
    expect(output?.equals(bytes)).toBe(true);
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
