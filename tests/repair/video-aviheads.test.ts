import { describe, expect, it } from 'vitest';
import { adpcmWays } from '../../lib/repair/formats/avi/adpcm';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const avc = fixtureOf('avc.avi');
const jpeg = fixtureOf('mjpeg.avi');
const xvid = fixtureOf('xvid.avi');
const moviOf = (bytes: Buffer) => bytes.indexOf('movi', 0, 'latin1');

/** Places of the heads of chunks of a name, as the index lists them. */
function placesOf(bytes: Buffer, name: string): number[] {
  const places: number[] = [];
  const index = bytes.lastIndexOf('idx1', bytes.length, 'latin1');
  for (let at = index + 8; at + 16 <= bytes.length; at += 16)
    if (bytes.toString('latin1', at, at + 4) === name) places.push(bytes.readUInt32LE(at + 8) + moviOf(bytes));
  return places;
}

/** The file without the description of its streams. */
const headless = (bytes: Buffer) => changed(bytes, (copy) => void copy.fill(0, 12, moviOf(bytes) - 8));

/** A copy with what stands from one start code to another of the first picture made of zeroes. */
function withoutUnits(bytes: Buffer, isLost: (code: number) => boolean): Buffer {
  return changed(bytes, (copy) => {
    for (const place of placesOf(bytes, '00dc')) {
      const end = place + 8 + bytes.readUInt32LE(place + 4);
      for (let at = copy.indexOf('\0\0\x01', place + 8, 'latin1'); at >= 0 && at < end; ) {
        const next = copy.indexOf('\0\0\x01', at + 3, 'latin1');
        const isOwn = isLost(copy[at + 3] ?? 0);
        if (isOwn) copy.fill(0, at, next < 0 ? end : Math.min(end, next));
        at = next;
      }
    }
  });
}

describe('chunks of AVI whose heads are overwritten', () => {
  it('come back by the index', async () => {
    const [first = 0, second = 0] = placesOf(avc, '00dc').slice(2);
    const damaged = changed(avc, (copy) => {
      copy.write('\x13\x57\x9b\xdf\x24\x68\xac\xe0', first, 'latin1');
      copy.writeUInt32LE(0, second + 4);
    });
    const { report, output } = await repairBytes(damaged, 'a.avi');
    expect(report.verdict).toBe('repaired');
    const contents = (bytes: Buffer) =>
      placesOf(bytes, '00dc').map((at) => bytes.toString('hex', at + 8, at + 8 + bytes.readUInt32LE(at + 4)));
    expect(contents(output ?? Buffer.alloc(0))).toEqual(contents(avc));
  });

  it('take the size that leads to the next where the index is gone as well', async () => {
    const [place = 0] = placesOf(jpeg, '00dc').slice(3);
    const cut = jpeg.subarray(0, jpeg.lastIndexOf('idx1', jpeg.length, 'latin1'));
    const damaged = changed(cut, (copy) => void copy.writeUInt32LE(0x7fff_ff00, place + 4));
    const { report, output } = await repairBytes(damaged, 'a.avi');
    expect(report.found).toContainEqual(expect.objectContaining({ kind: 'sizes' }));
    expect(placesOf(output ?? Buffer.alloc(0), '00dc')).toHaveLength(placesOf(jpeg, '00dc').length);
  });
});

describe('AVI without its head', () => {
  it('keeps what is left of the description of each stream', async () => {
    const damaged = changed(jpeg, (copy) => {
      for (
        let at = copy.indexOf('strh', 0, 'latin1');
        at >= 0 && at < moviOf(jpeg);
        at = copy.indexOf('strh', at + 4, 'latin1')
      )
        copy.fill(0, at, at + 64);
    });
    const { report, output } = await repairBytes(damaged, 'a.avi');
    expect(report.verdict).toBe('repaired');
    const formatsOf = (bytes: Buffer) => {
      const formats: string[] = [];
      for (let at = bytes.indexOf('strf', 0, 'latin1'); at >= 0; at = bytes.indexOf('strf', at + 4, 'latin1'))
        formats.push(bytes.toString('hex', at + 8, at + 8 + bytes.readUInt32LE(at + 4)));
      return formats;
    };
    expect(formatsOf(output ?? Buffer.alloc(0))).toEqual(formatsOf(jpeg));
  });

  it('tells H.264 whose parameter sets are gone by its slices', async () => {
    const damaged = withoutUnits(headless(avc), (code) => [6, 7, 8].includes(code & 31) && (code & 0x80) === 0);
    const { report, output } = await repairBytes(damaged, 'a.avi');
    expect(report.steps).toContainEqual(expect.objectContaining({ name: 'search' }));
    expect(report.verdict).not.toBe('unrepairable');
    expect(output?.includes(Buffer.from([0, 0, 0, 1, 0x67]))).toBe(true);
  });

  it('tells MPEG-4 Part 2 whose layer is gone by its pictures', async () => {
    const damaged = withoutUnits(headless(xvid), (code) => code <= 0x2f || (code >= 0xb0 && code <= 0xb5));
    const { report, output } = await repairBytes(damaged, 'a.avi');
    expect(report.steps).toContainEqual(expect.objectContaining({ name: 'search' }));
    expect(output?.includes(Buffer.from([0, 0, 1, 0x20]))).toBe(true);
  });

  it('hands out the sound where no picture is left that stands alone', async () => {
    const places = placesOf(avc, '00dc');
    // The second picture that stands alone is the sixteenth.
    const { report, output } = await repairBytes(avc.subarray(places[1], places[15]), 'a.avi');
    expect(report).toMatchObject({ verdict: 'partly' });
    expect(report.kept.map(({ unit }) => unit)).not.toContain('frames');
    expect(output?.includes('01wb') || output?.includes('00wb')).toBe(true);
  });
});

describe('ADPCM', () => {
  it('is told by how its blocks begin', () => {
    const ima = Buffer.alloc(40 * 1024, 0x5a);
    for (let at = 0; at < ima.length; at += 1024) ima.set([100, 2, 40, 0], at);
    const lengths = Array.from({ length: 40 }, () => 1024);
    expect(adpcmWays(ima, lengths)).toMatchObject([{ tag: 0x11, channels: 1, block: 1024 }]);
    const microsoft = Buffer.alloc(40 * 1024, 0x5a);
    for (let at = 0; at < microsoft.length; at += 1024) microsoft.set([0, 6, 16, 0, 99, 1], at);
    expect(adpcmWays(microsoft, lengths)).toMatchObject([{ tag: 2, channels: 2, block: 1024 }]);
    expect(adpcmWays(Buffer.alloc(40 * 1024, 0x5a), lengths)).toEqual([]);
    // Four of forty that something was written over.
    for (const block of [3, 11, 12, 30]) microsoft.fill(0x5a, block * 1024, block * 1024 + 700);
    expect(adpcmWays(microsoft, lengths)).toMatchObject([{ tag: 2, channels: 2, block: 1024 }]);
  });
});

describe('pictures of AVI that lack bytes', () => {
  const lengthAt = (place: number) => xvid.readUInt32LE(place + 4);
  const places = placesOf(xvid, '00dc');
  const count = places.filter((place) => lengthAt(place) > 0).length;
  const [largest = 0] = [...places].sort((one, other) => lengthAt(other) - lengthAt(one));
  const lacking = (bytes: number) =>
    Buffer.concat([xvid.subarray(0, largest + 60), xvid.subarray(largest + 60 + bytes)]);

  it('are kept up to where the next chunk begins, in the time that was theirs', async () => {
    const { report, output } = await repairBytes(lacking(5), 'a.avi');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.kept).toContainEqual({ unit: 'frames', count });
    expect(report.lost).toContainEqual({ unit: 'frames', count: 1, detail: 'damaged inside' });
    expect(placesOf(output ?? Buffer.alloc(0), '00dc')).toHaveLength(places.length);
  });

  it('are left out where more is gone than may be worth showing', async () => {
    const { report } = await repairBytes(lacking(Math.floor(lengthAt(largest) * 0.6)), 'a.avi');
    expect(report.kept).toContainEqual({ unit: 'frames', count: count - 1 });
  });
});

describe('an AVI whose flags were overwritten', () => {
  it('comes back where it is written anew, whichever of them are set', async () => {
    for (const whole of [avc, jpeg, xvid]) {
      const flags = whole.indexOf('avih', 0, 'latin1') + 8 + 12;
      const index = whole.lastIndexOf('idx1', whole.length, 'latin1');
      const kept: unknown[] = [];
      for (const value of [whole.readUInt32LE(flags), 0xb6528129]) {
        // Without its index it is written anew.
        const damaged = changed(whole.subarray(0, index), (copy) => void copy.writeUInt32LE(value, flags));
        const { report, output } = await repairBytes(damaged, 'a.avi');
        expect(report.verdict).not.toBe('unrepairable');
        expect(output?.readUInt32LE(flags)).toBe((value | 0x10) >>> 0);
        kept.push(report.kept);
      }
      expect(kept[1]).toEqual(kept[0]);
    }
  });
});
