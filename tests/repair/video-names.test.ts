import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { cameraRecording, changed, fixtureOf, videos } from './support/videos';

const fragmented = fixtureOf('fragmented-44100.mp4');

/** Places of the content of all boxes of a code behind `moov`, in the order in which they lie. */
function placesOf(bytes: Buffer, code: string): number[] {
  const places: number[] = [];
  const from = bytes.indexOf('moov', 0, 'latin1');
  for (let at = bytes.indexOf(code, from, 'latin1'); at >= 0; at = bytes.indexOf(code, at + 4, 'latin1'))
    places.push(at + 4);
  return places;
}

/** A file of which a word of a box has another value, counted from its name on; of the box by its number. */
const word = (bytes: Buffer, code: string, index: number, value: (word: number) => number, number = 0) =>
  changed(bytes, (copy) => {
    const at = (placesOf(copy, code)[number] ?? 0) - 4 + index * 4;
    copy.writeUInt32BE(value(copy.readUInt32BE(at)) >>> 0, at);
    return undefined;
  });

const flipped = (bit: number) => (value: number) => value ^ bit;
const set = (to: number) => () => to;

/** Tables of all tracks of a file that lists its samples, which must come back as they were. */
const tablesOf = (bytes: Buffer) =>
  ['stsd', 'stts', 'ctts', 'stss', 'stsz'].map((code) =>
    placesOf(bytes, code).map((at) => bytes.toString('hex', at, at - 8 + bytes.readUInt32BE(at - 8))),
  );

describe('boxes of an index that readers pass over or stumble upon', () => {
  it.each([
    ['a movie head of another name', word(videos.mp4, 'mvhd', 0, flipped(1))],
    ['a track of another name', word(videos.mp4, 'trak', 0, flipped(1))],
    ['a media header of no name', word(videos.mp4, 'mdhd', 0, set(0))],
    ['orders of display of another name', word(videos.mp4, 'ctts', 0, flipped(4))],
    ['edits of another name', word(videos.mp4, 'edts', 0, flipped(0x100))],
    ['the size of the only sample entry', word(videos.mp4, 'stsd', 3, set(0x71b2_0c33))],
    ['the size of its descriptions, by one more', word(videos.mp4, 'stsd', -1, (size) => size + 1)],
    ['the size of its descriptions, by one less', word(videos.mp4, 'stsd', -1, (size) => size - 1)],
    ['more places than there is room for', word(videos.mp4, 'stco', 2, flipped(0x4000_0000))],
    ['more orders of display', word(videos.mp4, 'ctts', 2, flipped(1))],
    ['a version that there is none of', word(videos.mp4, 'ctts', 1, set(0x2c00_91f3))],
  ])('get back what proves itself: %s', async (_, bytes) => {
    const { report, output } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'index' }));
    expect(tablesOf(output ?? Buffer.alloc(0))).toEqual(tablesOf(videos.mp4));
  });

  it('leave boxes alone that are named like others, or like none', async () => {
    const moov = videos.mp4.indexOf('moov', 0, 'latin1');
    const own = Buffer.from('\0\0\0\x10vndr\0\0\0\x01\0\0\0\x02', 'latin1');
    const bytes = changed(videos.mp4, (copy) => {
      copy.writeUInt32BE(copy.readUInt32BE(moov - 4) + own.length, moov - 4);
      const end = moov - 4 + videos.mp4.readUInt32BE(moov - 4);
      return end === copy.length ? Buffer.concat([copy, own]) : undefined;
    });
    expect(bytes.length).toBe(videos.mp4.length + own.length);
    expect((await repairBytes(bytes, 'a.mp4')).report.verdict).toBe('healthy');
  });
});

describe('fragments that say otherwise of their tracks than the movie', () => {
  it.each([
    ['samples of the movie that there is no room for', word(fragmented, 'stsz', 3, flipped(1))],
    ['places of the movie that there is no room for', word(fragmented, 'stco', 2, flipped(0x1000))],
    ['a number of the track that no fragment has', word(fragmented, 'tkhd', 4, flipped(0x40))],
    ['a description that there is none of', word(fragmented, 'trex', 3, flipped(0x40))],
    ['defaults of no track', word(fragmented, 'trex', 2, flipped(0x40))],
    ['a time far from those beside it', word(fragmented, 'tfdt', 2, flipped(0x4000_0000), 2)],
    ['a fragment of a track under another name', word(fragmented, 'traf', 0, flipped(1))],
  ])('are damaged, and come back: %s', async (_, bytes) => {
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });
});

describe('a chunk that lies a byte beside its place', () => {
  it.each([1, -1])('goes back between those that it lay over and left: %i', async (by) => {
    const bytes = word(videos.mp4, 'stco', 3, (place) => place + by, 1);
    const { report, output } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'places' }));
    expect(tablesOf(output ?? Buffer.alloc(0))).toEqual(tablesOf(videos.mp4));
    expect((await repairBytes(output ?? Buffer.alloc(0), 'a.mp4')).report.verdict).toBe('healthy');
  });
});

describe('an index that the end of the file cuts', () => {
  it('proves nothing by the size of the table that is cut', async () => {
    const places = placesOf(cameraRecording, 'stco')[0] ?? 0;
    const { report } = await repairBytes(cameraRecording.subarray(0, places + 8 + 4 * 5), 'a.mov');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 30 });
  });
});

describe('bytes that are gone from sound which nothing judges', () => {
  it('are told, though every packet is listed', async () => {
    const opus = fixtureOf('opus.mp4');
    const stco = placesOf(opus, 'stco')[1] ?? 0;
    const at = opus.readUInt32BE(stco + 4 + 4 * opus.readUInt32BE(stco + 4));
    const { report } = await repairBytes(Buffer.concat([opus.subarray(0, at + 4), opus.subarray(at + 24)]), 'a.mp4');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'bytes', count: 20 }));
  });
});
