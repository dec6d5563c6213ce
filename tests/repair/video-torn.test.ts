import { expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const av1 = fixtureOf('av1.webm');
/** In the middle of the second of 30 pictures, on which others build, and the identifier of the block behind it. */
const [inside, behind] = [2700, 3554];

const framesOf = async (bytes: Buffer) => {
  const { report } = await repairBytes(bytes, 'a.webm');
  expect(report.verdict).toBe('partly');
  return { frames: report.kept.find(({ unit }) => unit === 'frames')?.count, lost: report.lost };
};

it('leaves out pictures of AV1 with bytes between their own, at which decoders stop', async () => {
  const bytes = Buffer.concat([av1.subarray(0, inside), Buffer.alloc(15, 0x6b), av1.subarray(inside)]);
  const { frames, lost } = await framesOf(bytes);
  expect(frames).toBe(29);
  expect(lost[0]).toMatchObject({ unit: 'frames', count: 1, detail: 'damaged inside' });
});

it('keeps the picture before a block whose own head is broken', async () => {
  expect(av1[behind]).toBe(0xa3);
  const { frames } = await framesOf(changed(av1, (copy) => void copy.writeUInt8(0x6b, behind)));
  expect(frames).toBe(29);
});

it('knows Matroska by its blocks alone, where the head and the beginning of the only cluster are gone', async () => {
  const { frames } = await framesOf(changed(av1, (copy) => void copy.fill(0, 0, 5000)));
  expect(frames).toBe(15);
});
