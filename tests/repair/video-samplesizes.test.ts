import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, fixtureOf, videos } from './support/videos';

/** Where the content of each box of a code begins behind its version and flags, in bytes. */
function placesOf(bytes: Buffer, code: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(code, 0, 'latin1'); at >= 0; at = bytes.indexOf(code, at + 4, 'latin1'))
    places.push(at + 8);
  return places;
}

/** The tables of sizes of all tracks, without their heads. */
const sizesOf = (bytes: Buffer) =>
  placesOf(bytes, 'stsz').map((at) => bytes.toString('hex', at, at - 12 + bytes.readUInt32BE(at - 12)));

/** A video in which one entry of the table of sizes of a track has a wrong bit. */
const withSize = (bytes: Buffer, track: number, entry: number, bit: number) =>
  changed(bytes, (copy) => {
    const at = (placesOf(copy, 'stsz')[track] ?? 0) + 8 + entry * 4;
    copy.writeUInt32BE((copy.readUInt32BE(at) ^ bit) >>> 0, at);
    return undefined;
  });

describe('a wrong size of one sample', () => {
  it.each([
    ['of a picture that is longer', 0, 5, 0x80],
    ['of a picture that is shorter', 0, 0, 0x1],
    ['of a picture longer than the file', 0, 9, 0x40000000],
    ['of a packet of sound', 1, 3, 0x10],
    ['of a packet of sound, by one byte', 1, 20, 0x1],
  ] as const)('%s is told by what its chunk has room for', async (_, track, entry, bit) => {
    const { report, output } = await repairBytes(withSize(videos.mp4, track, entry, bit), 'clip.mp4');
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['sizes']);
    expect(sizesOf(output ?? Buffer.alloc(0))).toEqual(sizesOf(videos.mp4));
  });

  it.each([
    ['h263.3gp', 0, 4, 0x40],
    ['prores.mov', 0, 1, 0x100],
  ] as const)('is told where pictures tell only how they begin: %s', async (name, track, entry, bit) => {
    const whole = fixtureOf(name);
    const { report, output } = await repairBytes(withSize(whole, track, entry, bit), name);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.found.map(({ kind }) => kind)).toEqual(['sizes']);
    expect(sizesOf(output ?? Buffer.alloc(0))).toEqual(sizesOf(whole));
  });

  it('is told in a run of a fragment', async () => {
    const whole = fixtureOf('fragmented-44100.mp4');
    const { report: before } = await repairBytes(whole, 'a.mp4');
    expect(before.verdict).toBe('healthy');
    for (const run of [0, 1]) {
      const bytes = changed(whole, (copy) => {
        const at = placesOf(copy, 'trun')[run] ?? 0;
        // Behind the number of samples, where the data begins and maybe the flags of the first: entries of as many words as the flags say.
        const flags = copy.readUInt32BE(at - 4);
        const entries = at + 4 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
        const width = [0x100, 0x200, 0x400, 0x800].filter((bit) => flags & bit).length * 4;
        const size = entries + 4 * width + (flags & 0x100 ? 4 : 0);
        copy.writeUInt32BE(copy.readUInt32BE(size) ^ 0x40, size);
        return undefined;
      });
      const { report } = await repairBytes(bytes, 'a.mp4');
      expect(report.verdict, report.summary).toBe('repaired');
      expect(report.found.map(({ kind }) => kind)).toEqual(['sizes']);
    }
  });

  it('is left where the chunk behind is the one that has a wrong place', async () => {
    const bytes = changed(videos.mp4, (copy) => {
      const at = (placesOf(copy, 'stco')[0] ?? 0) + 4 + 4;
      copy.writeUInt32BE(copy.readUInt32BE(at) ^ 0x20, at);
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'clip.mp4');
    expect(report.found.map(({ kind }) => kind)).not.toContain('sizes');
    expect(report.verdict, report.summary).toBe('repaired');
  });
});
