import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoolReader } from '../../lib/repair/codecs/bool';
import { EndJudge } from '../../lib/repair/codecs/judge';
import { Vp8Frames } from '../../lib/repair/codecs/vp8/frames';
import { Effort } from '../../lib/repair/report';
import { framesOf } from './support/blocks';
import { withChildren } from './support/children';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed } from './support/videos';

withChildren();

const vp8 = readFileSync(join(process.cwd(), 'tests/repair/fixtures/video-vp8.webm'));
const frames = framesOf(vp8);

/** What is said of each frame, of which one is changed. */
function judged(place: number, change: (frame: Buffer) => Buffer | undefined): (boolean | null)[] {
  const judge = new EndJudge(new Vp8Frames(), new Effort(1e6), true);
  return frames.map(({ from, to }, index) => {
    const frame = Buffer.from(vp8.subarray(from, to));
    return judge.isSound(index === place ? changed(frame, change) : frame);
  });
}

describe('frames of VP8', () => {
  it('end with their data as an encoder wrote them, in several partitions too', () => {
    expect(frames.length).toBe(24);
    expect(judged(-1, () => undefined)).toEqual(frames.map(() => true));
  });

  it('have one byte in a part without a bit, which the first of the zeroes that close it does not move on', () => {
    expect(new BoolReader(Uint8Array.of(0), 0, 1).left).toBe(0);
  });

  it('do not with a single wrong bit, and what builds on them is not judged unless it ends with its data', () => {
    for (let place = 1; place < 11; place++) {
      const said = judged(place, (frame) => {
        const at = (frame.length * (place + 1)) >> 4;
        frame[at] = (frame[at] ?? 0) ^ (1 << (place & 7));
        return undefined;
      });
      expect(said.indexOf(false)).toBe(place);
      expect(said.filter((one) => one === false)).toHaveLength(1);
      expect(said.at(-1)).toBe(true);
    }
  });

  it('are not sound where they are cut, or name a size that none has', () => {
    expect(judged(3, (frame) => frame.subarray(0, 40))[3]).toBe(false);
    expect(judged(12, (frame) => void frame.fill(0, 6, 10))[12]).toBe(false);
    expect(judged(0, (frame) => void frame.fill(0, 6, 10))[0]).toBe(false);
  });

  it.each([10, 100])('are told where %d wrong bits hit the first and most others', async (count) => {
    const random = randomFrom(count);
    const bytes = changed(vp8, (copy) => {
      const ends = [
        frames[0],
        ...Array.from({ length: count - 1 }, () => frames[Math.floor(random() * frames.length)]),
      ];
      for (const { from = 0, to = 0 } of ends.map((one) => one ?? { from: 0, to: 0 })) {
        const at = from + 20 + Math.floor(random() * (to - from - 20));
        copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
  });

  it('are told in the report, and the file is given back', async () => {
    const { from = 0, to = 0 } = frames[5] ?? {};
    const bytes = changed(vp8, (copy) => void copy.writeUInt8((copy[(from + to) >> 1] ?? 0) ^ 4, (from + to) >> 1));
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.found).toContainEqual(
      expect.objectContaining({ detail: 'The data of 1 frame cannot be read to the end.', offset: from }),
    );
    expect(output?.equals(bytes)).toBe(true);
  });

  it('are told as well where the description of their track is gone and told by them', async () => {
    const { from = 0, to = 0 } = frames[5] ?? {};
    const bytes = changed(vp8, (copy) => {
      // The size of the track's entry, behind the head of Tracks: it leads out of it then.
      const entry = copy.indexOf(Buffer.from([0xae]), copy.lastIndexOf(Buffer.from([0x16, 0x54, 0xae, 0x6b])) + 5);
      copy[entry + 1] = 0xff;
      copy.writeUInt8((copy[(from + to) >> 1] ?? 0) ^ 4, (from + to) >> 1);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mkv');
    expect(report.found.map(({ kind }) => kind).sort()).toEqual(['frames', 'tracks']);
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual({ unit: 'frames', count: 1, detail: 'damaged inside' });
  });
});
