import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { chunkingOf, layChunks } from '../../lib/repair/formats/iso/demux/chunks';
import { Demuxer, nothingFound, type Wanted } from '../../lib/repair/formats/iso/demux/demux';
import { av1Frames } from '../../lib/repair/formats/iso/demux/packed';
import { fillerSound } from '../../lib/repair/formats/iso/demux/sounds';
import { splitStretches } from '../../lib/repair/formats/iso/demux/split';
import { mpeg4Frames, plain, type UnitReader } from '../../lib/repair/formats/iso/demux/units';
import type { Wish } from '../../lib/repair/formats/iso/demux/wishes';
import { cutZeroed, withoutZeroed } from '../../lib/repair/formats/iso/demux/zeroed';
import { findMovie, topLevel } from '../../lib/repair/formats/iso/layout';
import type { Movie } from '../../lib/repair/formats/iso/movie';
import type { Track } from '../../lib/repair/formats/iso/track';
import { OpenFile } from '../../lib/repair/host/files';
import type { Reading } from '../../lib/repair/video/session';
import { Source } from '../../lib/repair/video/source';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { emptied, fixtureOf, videos, withoutIndex } from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laid-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What `read` makes of a file of these bytes. */
async function fromFile<Told>(bytes: Buffer, read: (source: Source) => Told): Promise<Told> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const file = await OpenFile.open(path, 'read');
  const told = read(new Source(file));
  await file.close();
  return told;
}

const tracksOf = (bytes: Buffer) =>
  fromFile(bytes, (source) => findMovie(source, topLevel(source))?.movie.tracks ?? []);

/** The samples of each track of a file. */
async function samplesOf(bytes: Buffer): Promise<Buffer[][]> {
  const tracks = await tracksOf(bytes);
  return tracks.map(({ offsets, sizes }) =>
    Array.from(sizes, (size, index) => bytes.subarray(offsets[index] ?? 0, (offsets[index] ?? 0) + size)),
  );
}

/** A recording that stopped before its index was written. */
function stopped(...content: readonly Buffer[]): Buffer {
  const head = Buffer.from('00000014667479706d703432000000006d70343200000000', 'hex').subarray(0, 20);
  return Buffer.concat([head, Buffer.from([0, 0, 0, 0]), Buffer.from('mdat'), ...content]);
}

describe('pictures of VP9 without an index', () => {
  const vp9 = fixtureOf('vp9.mp4');

  it('are read to their ends, which nothing else tells', async () => {
    const [before] = await samplesOf(vp9);
    const { report, output } = await repairBytes(withoutIndex(vp9), 'a.mp4');
    expect(report.verdict).not.toBe('unrepairable');
    const [after] = await samplesOf(output ?? Buffer.alloc(0));
    expect(after?.map(({ length }) => length)).toEqual(before?.map(({ length }) => length));
  });

  it('begin anew with the key frame behind damage', async () => {
    const [frames = []] = await samplesOf(vp9);
    const bytes = Buffer.from(vp9);
    const second = vp9.indexOf(frames[1] ?? Buffer.from('none'));
    bytes.fill(0x55, second + 4, second + 60);
    const { report, output } = await repairBytes(withoutIndex(bytes), 'a.mp4');
    expect(report.verdict).not.toBe('repaired');
    const kept = output ? ((await samplesOf(output))[0] ?? []) : [];
    for (const frame of kept) expect(vp9.includes(frame)).toBe(true);
  });
});

describe('sound beside metadata of a camera, without an index', () => {
  it('is told by frames that follow one another behind it', async () => {
    const [frames = [], packets = []] = await samplesOf(videos.mp4);
    const random = randomFrom(7);
    const metadata = () => Buffer.concat([Buffer.from('DEVC\0\x01\x04\0', 'latin1'), randomBytes(random, 1024)]);
    const round = (at: number) => [
      ...frames.slice(at * 15, at * 15 + 15),
      metadata(),
      ...packets.slice(at * 13, at === 1 ? undefined : 13),
    ];
    const { report } = await repairBytes(stopped(...round(0), ...round(1)), 'a.mp4');
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
  });
});

describe('metadata of a camera behind each picture, beside sound, without an index', () => {
  it('costs no picture, with a working video that tells the sound', async () => {
    const [frames = [], packets = []] = await samplesOf(videos.mp4);
    const samplePath = join(folder, 'working.mp4');
    await writeFile(samplePath, videos.mp4);
    const random = randomFrom(17);
    const laid = frames.flatMap((frame, at) => [
      ...(at % 6 === 0 ? packets.slice((at / 6) * 6, at === 24 ? undefined : (at / 6) * 6 + 6) : []),
      frame,
      randomBytes(random, 300 + (at % 5) * 90),
    ]);
    const { report } = await repairBytes(stopped(...laid), 'a.mp4', { samplePath });
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(amount(report, 'sound packets')).toBe(packets.length);
  });
});

describe('short pictures of AV1 among packets that only their first byte tells', () => {
  it('are found where such a packet begins behind them', async () => {
    const toc = 0xfc;
    const random = randomFrom(11);
    const packet = () => Buffer.concat([Buffer.from([toc]), randomBytes(random, 240).map((byte) => byte % 0x18)]);
    const shownAgain = Buffer.from([0x1a, 0x01, 0x88]);
    // A frame with its size of 18 bytes, neither key nor hidden.
    const short = Buffer.concat([Buffer.from([0x32, 18, 0x30]), Buffer.alloc(17, 0x41)]);
    const parts = [packet(), packet(), shownAgain, packet(), packet(), short, packet(), shownAgain, packet()];
    const wanted = (reader: Wanted['reader'], first: number | null): Wanted => ({
      ...{ reader, first, picture: first === null, block: 0, chunking: null },
      ...{ learn: () => undefined, found: nothingFound() },
    });
    const [pictures, sound] = [wanted(av1Frames({ stsd: Buffer.alloc(0) }), null), wanted(fillerSound, toc)];
    const bytes = Buffer.concat(parts);
    await writeFile(join(folder, 'file'), bytes);
    const file = await OpenFile.open(join(folder, 'file'), 'read');
    const reading = { source: new Source(file), tell: () => Promise.resolve() } as unknown as Reading;
    await new Demuxer(reading, [pictures, sound]).run({ from: 0, to: bytes.length });
    await file.close();
    expect(pictures.found.sizes).toEqual([3, 20, 3]);
    expect(sound.found.sizes).toEqual([482, 482, 241, 241]);
  });
});

describe('a picture whose end nothing tells but what it holds', () => {
  it('ends where it was read to its last bit, though bytes of it look like packets of sound', async () => {
    const longer = 1;
    const picture = (kind: number) => Buffer.from([0, 0, 1, 0xb6, 0x10, kind, 9, 9, 9, 9]);
    // A packet as its first two bytes tell it; the picture ends in what looks like one that leads to the packet behind it.
    const packet = Buffer.from([0xaa, 4, 7, 7]);
    const looksAlike = Buffer.from([0xaa, 3, 9]);
    const parts = [picture(longer), looksAlike, packet, packet, picture(2), packet, picture(2)];
    const sound: UnitReader = {
      way: 'whole',
      firstBytes: null,
      measure: (source, at) => {
        const head = source.read(at, 2);
        return head[0] === 0xaa && (head[1] ?? 0) > 1 ? plain(head[1] ?? 0) : null;
      },
    };
    const wanted = (reader: UnitReader, isWhole?: Wanted['isWhole']): Wanted => ({
      ...{ reader, picture: reader !== sound, block: 0, first: null, chunking: null, isWhole },
      ...{ learn: () => undefined, found: nothingFound() },
    });
    const bytes = Buffer.concat(parts);
    await writeFile(join(folder, 'file'), bytes);
    const taken = async (isWhole?: Wanted['isWhole']) => {
      const file = await OpenFile.open(join(folder, 'file'), 'read');
      const reading = { source: new Source(file), tell: () => Promise.resolve() } as unknown as Reading;
      const pictures = wanted(mpeg4Frames, isWhole);
      await new Demuxer(reading, [pictures, wanted(sound)]).run({ from: 0, to: bytes.length });
      await file.close();
      return pictures.found.sizes;
    };
    expect(await taken()).toEqual([10, 10, 10]);
    expect(await taken((one) => one.length === (one[5] === longer ? 13 : 10))).toEqual([13, 10, 10]);
  });
});

describe('a stretch that was wiped', () => {
  it('is passed over without looking for a sample at each of its zeroes', async () => {
    const sample = [0, 0, 0, 4, 9, 9, 9, 9];
    const bytes = Buffer.concat([Buffer.from(sample), Buffer.alloc(50_000), Buffer.from([...sample, ...sample])]);
    let looks = 0;
    const reader: UnitReader = {
      way: 'whole',
      firstBytes: null,
      measure(source, at) {
        looks++;
        return source.word(at) === 4 ? plain(8) : null;
      },
    };
    const pictures: Wanted = {
      ...{ chunking: null, reader, picture: true, block: 1, first: null },
      ...{ learn: () => undefined, found: nothingFound() },
    };
    const other: Wanted = { ...pictures, picture: false, reader: { ...reader, measure: () => null } };
    await writeFile(join(folder, 'file'), bytes);
    const file = await OpenFile.open(join(folder, 'file'), 'read');
    const reading = { source: new Source(file), tell: () => Promise.resolve() } as unknown as Reading;
    const demuxer = new Demuxer(reading, [pictures, other]);
    await demuxer.run({ from: 0, to: bytes.length });
    await file.close();
    expect(pictures.found.offsets).toEqual([0, 50_008, 50_016]);
    expect(demuxer.gaps).toEqual([{ from: 8, to: 50_008 }]);
    expect(looks).toBeLessThan(100);
  });
});

describe('durations whose ticks a second are gone', () => {
  it('last as long as the sound does', async () => {
    const [before] = await tracksOf(videos.mp4);
    const bytes = Buffer.from(videos.mp4);
    const at = bytes.indexOf('mdhd', 0, 'latin1');
    bytes.fill(0, at - 4, at - 4 + bytes.readUInt32BE(at - 4));
    const { output } = await repairBytes(bytes, 'a.mp4');
    const after = (await tracksOf(output ?? Buffer.alloc(0))).find(({ kind }) => kind === 'vide');
    expect(after?.sizes.length).toBe(before?.sizes.length);
    expect(after?.timescale).toBe(before?.timescale);
  });

  it('are written anew where the header says nothing', async () => {
    const before = await tracksOf(videos.mp4);
    const { output } = await repairBytes(emptied(videos.mp4, 'mdhd'), 'a.mp4');
    const sound = (tracks: readonly Track[]) => tracks.find(({ kind }) => kind === 'soun')?.timescale;
    expect(sound(await tracksOf(output ?? Buffer.alloc(0)))).toBe(sound(before));
  });
});

/** What a track of the working video says of its samples, in bytes. */
const laid = (kind: string, offsets: number[], sizes: number[]) =>
  ({
    kind,
    offsets: Float64Array.from(offsets),
    sizes: Uint32Array.from(sizes),
    chunks: Uint32Array.from(offsets, (_, i) => i),
  }) as unknown as Track;

describe('PCM laid in chunks', () => {
  const sound = laid('soun', [1024, 3072, 5120], [700, 700, 700]);
  const movie = { tracks: [laid('vide', [512, 2048, 4096], [400, 900, 1000]), sound] } as unknown as Movie;

  it('is laid as in the working video, without the padding', async () => {
    const chunking = chunkingOf(movie, sound);
    expect(chunking).toEqual({ bytes: 700, lead: -1, align: 512 });
    if (!chunking) return;
    const found = { ...nothingFound(), offsets: [900, 2900], sizes: [836, 900], keys: [1, 1] };
    const bytes = Buffer.alloc(4096);
    bytes.fill(7, 1024, 1724).fill(7, 3072, 3800);
    const beside = await fromFile(bytes, (source) => layChunks(source, found, chunking));
    expect([found.offsets, found.sizes]).toEqual([
      [1024, 3072],
      [700, 700],
    ]);
    expect(beside).toEqual([{ from: 3772, to: 3800 }]);
  });

  it('is no silence where zeroes reach further than it does elsewhere', async () => {
    const sizes = [4000, 4000, 4000, 4000, 30_000];
    const offsets = [0, 5000, 10_000, 15_000, 20_000];
    const bytes = Buffer.alloc(50_000, 1).fill(0, 22_000);
    const found = { ...nothingFound(), offsets, sizes, keys: sizes.map(() => 1) };
    const wish = { template: { block: 4 }, wanted: { reader: { way: 'filler' }, found } } as unknown as Wish;
    const cut = await fromFile(bytes, (source) => cutZeroed(source, [wish]));
    expect(cut).toEqual([{ from: 24_000, to: 50_000 }]);
    expect(found.sizes).toEqual([4000, 4000, 4000, 4000, 4000]);
    const gaps = [
      { from: 15_000, to: 20_000 },
      { from: 20_000, to: 50_000 },
    ];
    expect(await fromFile(bytes, (source) => withoutZeroed(source, gaps))).toEqual([
      { from: 15_000, to: 20_000 },
      { from: 20_000, to: 22_000 },
    ]);
  });
});

describe('packets of Opus that nothing but their first byte tells apart', () => {
  const toc = 0xfc;
  const stretch = (...borders: number[]) => {
    const bytes = Buffer.alloc(200, 0x55);
    for (const at of [0, ...borders]) bytes[at] = toc;
    return bytes;
  };

  it('are doubtful where another byte would do as well', async () => {
    const sure = Array.from({ length: 12 }, (_, index) => stretch(97 + (index % 7)));
    const bytes = Buffer.concat([...sure, stretch(98, 102), stretch(100, 150)]);
    const offsets = Array.from({ length: 14 }, (_, index) => index * 200);
    const found = { ...nothingFound(), offsets, sizes: offsets.map(() => 200) };
    const packets = { first: toc, mean: 100, deviation: 4 };
    const doubtful = await fromFile(bytes, (source) => splitStretches(source, found, packets));
    expect([doubtful, found.sizes.length]).toEqual([1, 28]);
  });
});
