import { describe, expect, it } from 'vitest';
import { lostBehind } from '../../lib/repair/video/behind';
import { repairBytes } from './support/run';
import { changed, fixtureOf, videos } from './support/videos';

/** The last place of a code before a share of a file, where a part of it begins `back` bytes before. */
const border = (bytes: Buffer, code: Buffer, share: number, back = 0) =>
  bytes.subarray(0, bytes.lastIndexOf(code, Math.floor(bytes.length * share)) - back);

/** The end of the last whole tag of Flash video before a share of a file. */
function tagBorder(bytes: Buffer, share: number): Buffer {
  let at = 13;
  while (at < bytes.length * share) at += 15 + bytes.readUIntBE(at + 1, 3);
  return bytes.subarray(0, at);
}

/** The end of the last block of Matroska before a share of a file; blocks of these files are simple and have sizes of two bytes or more. */
function blockBorder(bytes: Buffer, share: number): Buffer {
  let at = bytes.lastIndexOf(0xa3, Math.floor(bytes.length * share));
  // A size of two bytes, and track 1 or 2 behind it.
  const isBlock = (place: number) =>
    ((bytes[place + 1] ?? 0) & 0xc0) === 0x40 && [0x81, 0x82].includes(bytes[place + 3] ?? 0);
  while (at > 0 && !isBlock(at)) at = bytes.lastIndexOf(0xa3, at - 1);
  return bytes.subarray(0, at);
}

const secondsLost = async (bytes: Buffer, name: string) => {
  const { report } = await repairBytes(bytes, name);
  return { verdict: report.verdict, seconds: report.lost.find(({ unit }) => unit === 'seconds')?.count ?? 0 };
};

describe('files that were cut between two packets', () => {
  it.each([
    ['a.mkv', blockBorder(videos.mkv, 0.5)],
    ['a.flv', tagBorder(videos.flv, 0.4)],
    ['a.avi', border(videos.avi, Buffer.from('00dc'), 0.4)],
    ['a.mxf', border(fixtureOf('avc.mxf'), Buffer.from('060e2b34010201010d01030115', 'hex'), 0.35)],
  ])('are told to be shorter than they say: %s', async (name, bytes) => {
    const { verdict, seconds } = await secondsLost(bytes, name);
    expect(verdict).toBe('partly');
    expect(seconds).toBeGreaterThan(0.4);
    expect(seconds).toBeLessThan(1.1);
  });

  it('are not told so where nothing is missing but what stands behind the packets', async () => {
    const cues = videos.mkv.lastIndexOf(Buffer.from('1c53bb6b', 'hex'));
    expect((await secondsLost(videos.mkv.subarray(0, cues), 'a.mkv')).seconds).toBe(0);
    const index = videos.avi.lastIndexOf('idx1');
    expect((await secondsLost(videos.avi.subarray(0, index), 'a.avi')).seconds).toBe(0);
  });

  it('are not told so by one number of the metadata alone', async () => {
    const mark = Buffer.from('\0\x08duration\0', 'latin1');
    const longer = changed(videos.flv, (copy) => void copy.writeDoubleBE(9, copy.indexOf(mark) + mark.length));
    expect(await secondsLost(longer, 'a.flv')).toEqual({ verdict: 'healthy', seconds: 0 });
  });
});

it('a length is believed that is more than a little longer, and no wrong number', () => {
  expect(lostBehind(10, 9.9)).toEqual([]);
  expect(lostBehind(100, 98.5)).toEqual([]);
  expect(lostBehind(10, 5)).toEqual([{ unit: 'seconds', count: 5, how: 'behind' }]);
  expect(lostBehind(1e9, 5)).toEqual([]);
  expect(lostBehind(Number.NaN, 5)).toEqual([]);
});
