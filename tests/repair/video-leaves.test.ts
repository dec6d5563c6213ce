import { describe, expect, it } from 'vitest';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

/** Boxes of a code with their heads, in the order in which they lie behind `moov`. */
function boxesOf(bytes: Buffer, code: string): Buffer[] {
  const found: Buffer[] = [];
  const from = bytes.indexOf('moov', 0, 'latin1');
  for (let at = bytes.indexOf(code, from, 'latin1'); at >= 0; at = bytes.indexOf(code, at + 4, 'latin1'))
    found.push(bytes.subarray(at - 4, at - 4 + bytes.readUInt32BE(at - 4)));
  return found;
}

/** The content of the first box of a code, which is changed in place. */
const contentOf = (bytes: Buffer, code: string) => boxesOf(bytes, code)[0]?.subarray(8) ?? Buffer.alloc(0);

const noisy = (code: string) =>
  changed(videos.mp4, (copy) => {
    const content = contentOf(copy, code);
    randomBytes(randomFrom(5), content.length).copy(content);
    return undefined;
  });

const zeroed = (code: string) => changed(videos.mp4, (copy) => void contentOf(copy, code).fill(0));

/** A word of a box, counted from its version on, that gets another value. */
const word = (code: string, index: number, change: (value: number) => number) =>
  changed(videos.mp4, (copy) => {
    const content = contentOf(copy, code);
    content.writeUInt32BE(change(content.readUInt32BE(index * 4)) >>> 0, index * 4);
    return undefined;
  });

const tables = ['stts', 'ctts', 'stss', 'stsz'];

/** Tables of the samples of all tracks. */
const told = (bytes: Buffer, without: string) =>
  tables.filter((code) => code !== without).map((code) => boxesOf(bytes, code).map((one) => one.toString('hex')));

describe('a box of the index that cannot be what it is called', () => {
  it.each([
    ['mvhd of noise', noisy('mvhd'), 'repaired', ''],
    ['tkhd of noise', noisy('tkhd'), 'repaired', ''],
    ['tkhd of zeroes', zeroed('tkhd'), 'repaired', ''],
    ['mdhd of noise', noisy('mdhd'), 'repaired', ''],
    ['elst of noise', noisy('elst'), 'repaired', ''],
    ['dref of noise', noisy('dref'), 'repaired', ''],
    ['dref of zeroes', zeroed('dref'), 'repaired', ''],
    ['stsd of noise', noisy('stsd'), 'repaired', ''],
    ['stts of noise', noisy('stts'), 'repaired', ''],
    ['stts of zeroes', zeroed('stts'), 'repaired', ''],
    ['durations that last too long', word('stts', 3, (value) => value ^ 0x100000), 'repaired', ''],
    ['stss of noise', noisy('stss'), 'repaired', ''],
    ['more key frames than it has room for', word('stss', 1, (value) => value ^ 0x40000000), 'repaired', ''],
    ['stsc of noise', noisy('stsc'), 'repaired', ''],
    ['stsc of zeroes', zeroed('stsc'), 'repaired', ''],
    ['a description that there is none of', word('stsc', 4, () => 5), 'repaired', ''],
    ['a chunk elsewhere', word('stco', 2, (value) => value ^ 0x1000), 'repaired', ''],
    // Nothing else says in which order pictures are shown.
    ['ctts of noise', noisy('ctts'), 'partly', 'ctts'],
  ] as const)('is found, and written anew: %s', async (_, bytes, verdict, without) => {
    const { report, output } = await repairBytes(bytes, 'clip.mp4');
    expect(report.verdict, report.summary).toBe(verdict);
    expect(report.found.length).toBeGreaterThan(0);
    expect(told(output ?? Buffer.alloc(0), without)).toEqual(told(videos.mp4, without));
  });
});
