import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { readAlac, readAlacConfig } from '../../lib/repair/codecs/alac';
import { readAv1Sequence, readObu } from '../../lib/repair/codecs/av1';
import { alacSetup } from '../../lib/repair/formats/iso/demux/packed';
import { findMovie, topLevel } from '../../lib/repair/formats/iso/layout';
import type { Track } from '../../lib/repair/formats/iso/track';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';
import { repairBytes } from './support/run';
import { cameraRecording, codecVideos, emptied, mixedRecording, videos, withoutIndex } from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'described-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The tracks of a file, each with its bytes. */
async function tracksOf(bytes: Buffer): Promise<readonly Track[]> {
  const path = join(folder, `tracks-${bytes.length}`);
  await writeFile(path, bytes);
  const file = await OpenFile.open(path, 'read');
  const source = new Source(file);
  const movie = findMovie(source, topLevel(source))?.movie;
  await file.close();
  return movie?.tracks ?? [];
}

const samplesOf = (bytes: Buffer, { offsets, sizes }: Track) =>
  Array.from(sizes, (size, index) => bytes.subarray(offsets[index] ?? 0, (offsets[index] ?? 0) + size));

const all: readonly (readonly [string, string, Buffer, number, number])[] = [
  ['H.264 and AAC', 'mp4', videos.mp4, 30, 27],
  ['HEVC and AAC', 'mov', videos.mov, 30, 27],
  ['AV1 and AAC', 'mp4', codecVideos.av1, 30, 58],
  ['H.264 and Apple Lossless', 'mov', codecVideos.alac, 30, 10],
  ['H.264 and Opus', 'mp4', codecVideos.opus, 30, 61],
];

describe('MP4 whose descriptions of tracks (stsd) are zeroes', () => {
  it.each(all)('tells %s from the samples', async (_, format, bytes, frames, sounds) => {
    const { report, output } = await repairBytes(emptied(bytes, 'stsd'), `a.${format}`);
    expect(report.found.map(({ kind }) => kind)).toContain('tracks');
    expect([report.verdict, amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([
      'repaired',
      frames,
      sounds,
    ]);
    const [before, after] = [await tracksOf(bytes), await tracksOf(output ?? Buffer.alloc(0))];
    expect(after.map(({ codec }) => codec.replace('hev1', 'hvc1'))).toEqual(before.map(({ codec }) => codec));
  });

  it('takes the description from a working video of the same camera', async () => {
    const samplePath = join(folder, 'sample.mov');
    await writeFile(samplePath, cameraRecording);
    const damaged = emptied(cameraRecording, 'stsd');
    const { report, output } = await repairBytes(damaged, 'a.mov', { samplePath });
    const [before, after] = [await tracksOf(cameraRecording), await tracksOf(output ?? Buffer.alloc(0))];
    expect(report.verdict).toBe('repaired');
    expect(after.map(({ stsd }) => stsd.toString('hex'))).toEqual(before.map(({ stsd }) => stsd.toString('hex')));
  });
});

describe('MP4 whose sizes of samples (stsz) are zeroes', () => {
  it.each(all)('finds the samples of %s', async (_, format, bytes, frames, sounds) => {
    const { report } = await repairBytes(emptied(bytes, 'stsz'), `a.${format}`);
    expect([report.verdict, amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([
      'repaired',
      frames,
      sounds,
    ]);
  });
});

describe('a recording that stopped', () => {
  it.each(all.slice(2))('tells %s without a working video', async (_, format, bytes, frames, sounds) => {
    const { report } = await repairBytes(withoutIndex(bytes), `a.${format}`);
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([frames, sounds]);
  });
});

it('places pictures of AV1 behind lost bytes', async () => {
  const track = (await tracksOf(codecVideos.av1)).find(({ codec }) => codec === 'av01');
  const at = (track?.offsets[20] ?? 0) + 5;
  const shorter = Buffer.concat([codecVideos.av1.subarray(0, at), codecVideos.av1.subarray(at + 40)]);
  const { report } = await repairBytes(shorter, 'a.mp4');
  // The picture that was hit, and one beside it of so few bytes that it would be found anywhere.
  expect([report.verdict, amount(report, 'frames')]).toEqual(['partly', 28]);
});

it('takes samples that the index lists before fragments for what they are', async () => {
  const { report } = await repairBytes(mixedRecording, 'a.mp4');
  expect([report.verdict, report.found]).toEqual(['healthy', []]);
});

it('reads each frame of Apple Lossless to its end', async () => {
  const track = (await tracksOf(codecVideos.alac)).find(({ codec }) => codec === 'alac');
  const config = readAlacConfig(track ? alacSetup(track.stsd) : null);
  const samples = track ? samplesOf(codecVideos.alac, track) : [];
  expect(config?.channels).toBe(1);
  expect(samples.map((sample) => config && readAlac(sample, config)?.length)).toEqual(
    samples.map(({ length }) => length),
  );
});

it('reads the sequence header of AV1', async () => {
  const track = (await tracksOf(codecVideos.av1)).find(({ codec }) => codec === 'av01');
  const [first = Buffer.alloc(0)] = track ? samplesOf(codecVideos.av1, track) : [];
  const obu = readObu(first);
  const told = obu && readAv1Sequence(first.subarray(obu.body, obu.body + obu.length));
  expect([told?.width, told?.height, told?.profile]).toEqual([128, 96, 0]);
});

describe('videos whose beginning was cut off', () => {
  it('names the seconds before the first frame of Matroska', async () => {
    const cluster = Buffer.from('1f43b675', 'hex');
    const second = videos.mkv.indexOf(cluster, videos.mkv.indexOf(cluster) + 1);
    const later = Buffer.from(videos.mkv.subarray(second));
    // Timestamp in two bytes, here 4 seconds.
    later.writeUInt16BE(4000, later.indexOf(Buffer.from([0xe7, 0x82])) + 2);
    const { report } = await repairBytes(later, 'a.mkv');
    expect(report.lost.find(({ unit }) => unit === 'seconds')?.count).toBe(4);
    expect(report.verdict).toBe('partly');
  });

  it('tells by the next cluster when blocks of one were that lost its own beginning', async () => {
    const cluster = Buffer.from('1f43b675', 'hex');
    const first = videos.mkv.indexOf(cluster);
    const later = Buffer.from(videos.mkv);
    const place = later.indexOf(Buffer.from([0xe7, 0x82]), later.indexOf(cluster, first + 1)) + 2;
    later.writeUInt16BE(later.readUInt16BE(place) + 4000, place);
    const { report } = await repairBytes(later.subarray(later.indexOf(0xa3, first)), 'a.mkv');
    expect(report.verdict).toBe('partly');
    expect(report.lost.find(({ unit }) => unit === 'seconds')?.count).toBeCloseTo(4, 0);
  });

  it('reads a first cluster of more blocks than a call takes arguments', async () => {
    const first = videos.mkv.indexOf(Buffer.from('1f43b675', 'hex'));
    const block = Buffer.from(`a39881000080${'11'.repeat(20)}`, 'hex');
    const blocks = Buffer.alloc(block.length * 300_000, block);
    const rest = videos.mkv.subarray(videos.mkv.indexOf(0xa3, first));
    const { report } = await repairBytes(Buffer.concat([blocks, rest]), 'a.mkv');
    expect(report.verdict).not.toBe('healthy');
    // The pictures are nothing that could be shown, the sound behind them is.
    expect(amount(report, 'sound packets')).toBe(27);
  });

  it('does not take a late start for a loss where the description comes before it', async () => {
    const cluster = videos.mkv.indexOf(Buffer.from('1f43b675', 'hex')) + 4;
    const time = videos.mkv.indexOf(0xe7, cluster);
    expect(videos.mkv[time + 1]).toBe(0x81);
    const late = Buffer.concat([
      videos.mkv.subarray(0, cluster),
      // A size that is not known, and a timestamp in two bytes, here four seconds.
      Buffer.from('ffe7820fa0', 'hex'),
      videos.mkv.subarray(time + 3),
    ]);
    const { report } = await repairBytes(late.fill(0, 0, 40), 'a.mkv');
    expect(report.lost.filter(({ unit }) => unit === 'seconds')).toEqual([]);
  });

  it('finds fragments where what speaks of them is lost with half of the index', async () => {
    const moov = videos.fragmented.indexOf('moov') - 4;
    const size = videos.fragmented.readUInt32BE(moov);
    const damaged = Buffer.from(videos.fragmented);
    damaged.fill(0x55, moov + (size >> 1), moov + size);
    const { report } = await repairBytes(damaged, 'a.mp4');
    expect([amount(report, 'frames'), amount(report, 'sound packets')]).toEqual([30, 27]);
  });
});
