import { describe, expect, it } from 'vitest';
import { SliceReader } from '../../lib/repair/codecs/mpeg2/slices';
import { PictureUnits } from '../../lib/repair/codecs/pictures';
import { Effort } from '../../lib/repair/report';
import { unitsBehindCodes } from '../../lib/repair/video/startcodes';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, fixtureOf, videos } from './support/videos';

/** A transport stream of MPEG-2 pictures, whose packets of 188 bytes carry them by this identifier. */
const stream = fixtureOf('mpeg2.bin');
const picturePid = 0x100;
const packetBytes = 188;

const packetsOf = (bytes: Buffer) =>
  Array.from({ length: bytes.length / packetBytes }, (_, index) =>
    bytes.subarray(index * packetBytes, (index + 1) * packetBytes),
  );
const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;

/** The pictures of the stream, without what packets put around them (ISO/IEC 13818-1, 2.4.3). */
function elementary(bytes: Buffer): Buffer {
  const parts = packetsOf(bytes).flatMap((packet) => {
    if (pidOf(packet) !== picturePid) return [];
    const skip = (packet[3] ?? 0) & 0x20 ? 5 + (packet[4] ?? 0) : 4;
    return [packet.subarray((packet[1] ?? 0) & 0x40 ? skip + 9 + (packet[skip + 8] ?? 0) : skip)];
  });
  return Buffer.concat(parts);
}

/** One packet of the stream; what it does not fill is stuffed in its adaptation field. */
function packet(payload: Buffer, isStart: boolean, counter: number): Buffer {
  const rest = packetBytes - 4 - payload.length;
  const head = Buffer.from([0x47, (isStart ? 0x40 : 0) | (picturePid >> 8), picturePid & 255, counter & 15]);
  head[3] = (head[3] ?? 0) | (rest > 0 ? 0x30 : 0x10);
  const field = Buffer.alloc(rest, 0xff);
  if (rest > 0) field[0] = rest - 1;
  if (rest > 1) field[1] = 0;
  return Buffer.concat([head, field, payload]);
}

/** The same pictures in PES packets of 1,500 bytes, which begin anywhere. */
function unaligned(bytes: Buffer, pictures = elementary(bytes)): Buffer {
  const out = packetsOf(bytes).filter((one) => pidOf(one) < 0x20 || pidOf(one) === 0x1000);
  let counter = 0;
  for (let at = 0; at < pictures.length; at += 1500) {
    const payload = Buffer.concat([Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0]), pictures.subarray(at, at + 1500)]);
    for (let from = 0; from < payload.length; from += 184)
      out.push(packet(payload.subarray(from, from + 184), from === 0, counter++));
  }
  return Buffer.concat(out);
}

const unitsOf = (bytes: Buffer) => [...unitsBehindCodes(bytes, (at) => at)].map((unit) => Buffer.from(unit.bytes));

describe('slices of MPEG-2', () => {
  const units = unitsOf(elementary(stream));

  it('are read to their end', () => {
    const slices = new SliceReader();
    const reader = new PictureUnits(slices, new Effort(1e9));
    let count = 0;
    for (const unit of units) {
      slices.take(unit);
      if (!reader.isSlice(unit)) continue;
      expect(reader.check(unit)).toEqual({ whole: 1, parts: 1 });
      count++;
    }
    expect(count).toBe(30 * 8);
  });

  it('tell most wrong bits, some of which are set right, and none wrong', () => {
    const next = randomFrom(3);
    const count = { tried: 0, noticed: 0, right: 0, wrong: 0 };
    for (let trial = 0; trial < 400; trial++) {
      const place = Math.floor(next() * units.length);
      const sound = units[place] as Buffer;
      const slices = new SliceReader();
      if (!slices.isPicture(sound) || sound.length < 40) continue;
      for (const unit of units.slice(0, place)) slices.take(unit);
      const at = 3 + Math.floor(next() * (sound.length - 4));
      const bad = changed(sound, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ (1 << Math.floor(next() * 8)), at));
      slices.take(bad);
      const reader = new PictureUnits(slices, new Effort(1e9));
      count.tried++;
      if (reader.check(bad).whole === 1) continue;
      count.noticed++;
      if (reader.mend(bad, new Effort(1e9))) count[bad.equals(sound) ? 'right' : 'wrong']++;
    }
    expect(count.tried).toBeGreaterThan(150);
    expect(count.noticed).toBeGreaterThan(count.tried * 0.5);
    expect(count.right).toBeGreaterThan(count.tried * 0.07);
    expect(count.wrong).toBe(0);
  });
});

describe('a recording that begins in the middle of a picture', () => {
  const pictures = elementary(stream);
  const first = pictures.indexOf(Buffer.from([0, 0, 1, 3]));
  const begun = Buffer.concat([pictures.subarray(first, first + 4000), pictures]);

  it('tells nothing of the slices before its first headers', () => {
    const units = unitsOf(begun);
    const slices = new SliceReader();
    const known = units.map((unit) => slices.take(unit));
    expect(slices.isPicture(units[0] as Buffer)).toBe(true);
    expect(known.filter((one) => one)).toHaveLength(30 * 8);
    expect(known.indexOf(true)).toBeGreaterThan(4);
  });

  it('is sound', async () => {
    expect((await repairBytes(unaligned(stream, begun), 'a.ts')).report.verdict).toBe('healthy');
  });
});

describe('a transport stream of MPEG-2', () => {
  it.each([
    ['whose packets begin with a picture each', stream],
    ['whose packets begin anywhere', unaligned(stream)],
  ])('%s is sound, and tells a wrong bit', async (_, sound) => {
    expect((await repairBytes(sound, 'a.ts')).report.verdict).toBe('healthy');
    // Bytes of a slice that no head of a packet parts.
    const pictures = elementary(stream);
    const places = Array.from({ length: 20 }, (_, index) =>
      sound.indexOf(pictures.subarray(20_000 + index * 40, 20_040 + index * 40)),
    );
    const at = places.find((place) => place > 0) ?? 0;
    const bad = changed(sound, (copy) => void copy.fill(0xa5, at + 10, at + 20));
    const { report } = await repairBytes(bad, 'a.ts');
    expect(report.found[0]?.kind).toBe('frames');
    expect(report.verdict).toBe('partly');
  });

  it('comes back byte for byte with a wrong bit', async () => {
    const bad = changed(stream, (copy) => void copy.writeUInt8((copy[12_039] ?? 0) ^ 16, 12_039));
    const { report, output } = await repairBytes(bad, 'a.ts');
    expect(report).toMatchObject({ verdict: 'repaired', found: [{ kind: 'bits' }] });
    expect(output?.equals(stream)).toBe(true);
  });
});

it('finds MXF with MPEG-2 sound, and tells bytes of chance in its pictures', async () => {
  expect((await repairBytes(videos.mxf, 'a.mxf')).report.verdict).toBe('healthy');
  const slice = videos.mxf.indexOf(Buffer.from([0, 0, 1, 3]));
  const bad = changed(videos.mxf, (copy) => void copy.fill(0xa5, slice + 8, slice + 12));
  expect((await repairBytes(bad, 'a.mxf')).report.verdict).toBe('partly');
});
