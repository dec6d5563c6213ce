import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, unsummed, videos } from './support/videos';

/** The file with the bytes behind the last place of a code, before the pictures, changed. */
const behind = (bytes: Buffer, code: string, change: (content: Buffer) => void) =>
  changed(bytes, (copy) => void change(copy.subarray(copy.lastIndexOf(code, copy.indexOf('movi'), 'latin1'))));

describe('a list of streams of AVI that leaves out one which the file holds', () => {
  it.each([
    ['the name of its list', behind(videos.avi, 'strl', (bytes) => void bytes.write('x#y!'))],
    ['the name of its header', behind(videos.avi, 'strh', (bytes) => void bytes.write('x#y!'))],
    ['the name of its format', behind(videos.avi, 'strf', (bytes) => void bytes.write('x#y!'))],
    ['its kind', behind(videos.avi, 'strh', (bytes) => void bytes.fill(0, 8, 12))],
    ['the size of its header', behind(videos.avi, 'strh', (bytes) => void bytes.writeUInt32LE(0x00ffffff, 4))],
  ])('is found, and the stream told: without %s', async (_, bytes) => {
    const { report, output } = await repairBytes(bytes, 'clip.avi');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'headers' }));
    const again = await repairBytes(output ?? Buffer.alloc(0), 'clip.avi');
    expect(again.report.verdict).toBe('healthy');
    expect(output?.toString('latin1').match(/strh(?:.{4})(?:vids|auds)/gs)).toHaveLength(2);
  });
});

describe('a track of Matroska that cannot be what it is called', () => {
  it.each([
    ['no kind', 'type'],
    ['no codec', 'A_AAC'],
  ])('is told from its frames: of %s', async (_, what) => {
    const bytes = changed(unsummed(videos.mkv), (copy) => {
      const at = copy.indexOf('A_AAC', 0, 'latin1');
      if (what === 'A_AAC') copy.fill(0, at, at + what.length);
      // TrackType, an element of one byte, of the entry that has this codec.
      else copy[copy.indexOf(Buffer.from([0x83, 0x81, 2])) + 2] = 0x77;
      return undefined;
    });
    const { report, output } = await repairBytes(bytes, 'clip.mkv');
    expect(report.verdict).toBe('repaired');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'tracks' }));
    for (const codec of ['V_MPEG4/ISO/AVC', 'A_AAC']) expect(output?.includes(codec)).toBe(true);
  });
});
