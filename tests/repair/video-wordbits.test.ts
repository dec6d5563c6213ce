import { describe, expect, it } from 'vitest';
import type { UnitReader } from '../../lib/repair/codecs/units';
import { Effort } from '../../lib/repair/report';
import { h263ReaderFor, planeReaderFor } from '../../lib/repair/video/pictures';
import { unitsBehindCodes } from '../../lib/repair/video/startcodes';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

/** Units of fixtures with the reader of their pictures, each time a new one. */
type Stream = { units: readonly Buffer[]; reader: () => UnitReader };

/** Bytes of the smallest picture in which bits are changed. */
const smallest = 40;

const unlimited = () => new Effort(1e9);

/** The chunks of pictures of an AVI file. */
function chunksOf(avi: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  const end = avi.indexOf('idx1', 0, 'latin1');
  for (let at = avi.indexOf('00dc', avi.indexOf('movi', 0, 'latin1'), 'latin1'); at >= 0 && at < end; ) {
    const length = avi.readUInt32LE(at + 4);
    chunks.push(avi.subarray(at + 8, at + 8 + length));
    at = avi.indexOf('00dc', at + 8 + length, 'latin1');
  }
  return chunks;
}

/** Where the pictures of Flash video lie, behind the byte that says what they are. */
function flashPictures(flv: Buffer): { from: number; to: number }[] {
  const pictures: { from: number; to: number }[] = [];
  for (let at = 13; at + 11 < flv.length; at += 15 + flv.readUIntBE(at + 1, 3))
    if (flv[at] === 9) pictures.push({ from: at + 12, to: at + 11 + flv.readUIntBE(at + 1, 3) });
  return pictures;
}

function planesOf(bytes: Buffer): Stream {
  const units = [...unitsBehindCodes(bytes, (at) => at)];
  const reader = planeReaderFor(null, units, unlimited());
  if (!reader) throw new Error('no layer');
  const planes = units.filter((unit) => reader.isSlice(unit.bytes)).map((unit) => Buffer.from(unit.bytes));
  return { units: planes, reader: () => planeReaderFor(null, units, unlimited()) as UnitReader };
}

const flash = fixtureOf('flash.flv');
const streams: Record<string, () => Stream> = {
  'MPEG-4 Part 2 with planes between others': () => planesOf(Buffer.concat(chunksOf(fixtureOf('xvid.avi')))),
  'Flash video': () => ({
    units: flashPictures(flash).map(({ from, to }) => Buffer.from(flash.subarray(from, to))),
    reader: () => h263ReaderFor('flash', unlimited()),
  }),
};

describe.each(Object.entries(streams))('%s', (_, make) => {
  const { units, reader } = make();

  it('reads each picture to its end', () => {
    const all = reader();
    expect(units.length).toBeGreaterThan(25);
    for (const unit of units) expect(all.check(unit)).toEqual({ whole: 1, parts: 1 });
  });

  it('notices most wrong bits, sets some right, and hardly one wrong', () => {
    const next = randomFrom(7);
    const count = { tried: 0, noticed: 0, right: 0, wrong: 0 };
    for (let trial = 0; trial < 150; trial++) {
      const place = Math.floor(next() * units.length);
      const sound = units[place] as Buffer;
      if (sound.length < smallest) continue;
      count.tried++;
      const all = reader();
      for (const unit of units.slice(Math.max(0, place - 12), place)) all.check(unit);
      const at = 12 + Math.floor(next() * (sound.length - 13));
      const bad = changed(sound, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ (1 << Math.floor(next() * 8)), at));
      if (all.check(bad).whole === 1) continue;
      count.noticed++;
      if (all.mend(bad, unlimited())) count[bad.equals(sound) ? 'right' : 'wrong']++;
    }
    expect(count.noticed).toBeGreaterThan(count.tried * 0.45);
    expect(count.right).toBeGreaterThan(count.tried * 0.08);
    expect(count.wrong).toBeLessThanOrEqual(1);
  });
});

describe('what is set right, but leaves what is seldom in its stream around it', () => {
  const { units, reader } = (streams['Flash video'] as () => Stream)();

  /** How many pictures with a changed byte, or with four, are set right, and how many of them are doubted. */
  function countOf(bytes: number, trials: number): { mended: number; doubted: number } {
    const next = randomFrom(11);
    const count = { mended: 0, doubted: 0 };
    for (let trial = 0; trial < trials; trial++) {
      const sound = units[Math.floor(next() * units.length)] as Buffer;
      if (sound.length < smallest) continue;
      const all = reader();
      for (const unit of units) if (unit !== sound) all.check(unit);
      const at = 12 + Math.floor(next() * (sound.length - 20));
      const bad = changed(sound, (copy) => {
        if (bytes === 1) copy.writeUInt8((copy[at] ?? 0) ^ (1 << Math.floor(next() * 8)), at);
        else for (let byte = 0; byte < bytes; byte++) copy.writeUInt8(Math.floor(next() * 256), at + byte);
        return undefined;
      });
      if (all.check(bad).whole === 1 || !all.mend(bad, unlimited())) continue;
      count.mended++;
      if (all.doubted) count.doubted++;
    }
    return count;
  }

  it('is doubted where four bytes were overwritten, seldom where one bit was wrong', () => {
    const [one, four] = [countOf(1, 60), countOf(4, 120)];
    expect(one.doubted * 4).toBeLessThanOrEqual(one.mended);
    expect(four.mended).toBeGreaterThan(0);
    expect(four.doubted * 4).toBeGreaterThanOrEqual(four.mended);
  });
});

describe('a wrong bit in a whole file', () => {
  it.each([
    ['H.263 in 3GP', 'h263.3gp', 19_208],
    ['MPEG-4 in MP4', 'mpeg4.mp4', 18_169],
    ['MPEG-4 in AVI, with planes between others', 'xvid.avi', 16_052],
    ['Flash video', 'flash.flv', 8026],
  ])('is set right: %s', async (_, name, at) => {
    const sound = fixtureOf(name);
    expect((await repairBytes(sound, name)).report.verdict).toBe('healthy');
    const bad = changed(sound, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 16, at));
    const { report, output } = await repairBytes(bad, name);
    expect(report).toMatchObject({ verdict: 'repaired', found: [{ kind: 'bits' }] });
    expect(output?.equals(sound)).toBe(true);
  });

  it('is told where another one would do the same', async () => {
    const bad = changed(flash, (copy) => void copy.writeUInt8((copy[11_065] ?? 0) ^ 16, 11_065));
    const { report } = await repairBytes(bad, 'a.flv');
    expect(report.verdict).toBe('partly');
    expect(report.found[0]?.kind).toBe('frames');
  });
});
