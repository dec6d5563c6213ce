import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseRate } from '../../lib/repair/formats/iso/demux/rate';
import { findMovie, topLevel } from '../../lib/repair/formats/iso/layout';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rates-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ticks a second and seconds of each track. */
async function clocksOf(bytes: Buffer): Promise<Record<string, [number, number]>> {
  const path = join(folder, 'clocks');
  await writeFile(path, bytes);
  const file = await OpenFile.open(path, 'read');
  const source = new Source(file);
  const tracks = findMovie(source, topLevel(source))?.movie.tracks ?? [];
  await file.close();
  return Object.fromEntries(
    tracks.map(({ kind, timescale, durations }) => [
      kind,
      [timescale, Math.round((durations.reduce((sum, ticks) => sum + ticks, 0) / timescale) * 100) / 100],
    ]),
  );
}

/** 25 pictures and 44,100 samples a second for 2.4 seconds, in fragments of 0.8 seconds. */
const original = fixtureOf('fragmented-44100.mp4');

/** The file without its index. */
function bare(bytes: Buffer): Buffer {
  const at = bytes.indexOf('moov', 0, 'latin1') - 4;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + bytes.readUInt32BE(at))]);
}

/** Its fragments list 17 of 20 pictures (trun, ISO/IEC 14496-12, 8.8.8): 21.25 a second. */
function sparse(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf('trun', 0, 'latin1'); at >= 0; at = copy.indexOf('trun', at + 4, 'latin1'))
    if (copy.readUInt32BE(at + 8) === 20) copy.writeUInt32BE(17, at + 8);
  return copy;
}

/** Its pictures are bytes that mean nothing: each fragment has them before its sound, whose runs (trun) say where it begins. */
function unreadable(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const random = randomFrom(3);
  for (let moof = copy.indexOf('moof') - 4; moof >= 0; moof = copy.indexOf('moof', moof + 8) - 4) {
    const pictures = copy.indexOf('trun', moof);
    const sounds = copy.indexOf('trun', pictures + 4);
    const [from, to] = [pictures, sounds].map((at) => moof + copy.readUInt32BE(at + 12)) as [number, number];
    randomBytes(random, to - from).copy(copy, from);
  }
  return copy;
}

describe('fragments of pictures that nothing tells', () => {
  it('are not called repaired without them', async () => {
    const { report } = await repairBytes(bare(unreadable(original)), 'a.mp4');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'tracks', count: 1 }));
    expect(report.notes.join(' ')).toContain('Only the sound could be brought back');
    // No picture tells how fast the sound is played.
    expect(report.notes.join(' ')).toContain('is a guess');
  });
});

describe('how fast sound is played whose frames look alike at several rates', () => {
  it('is told by pictures that are shown at a usual rate', async () => {
    const { report, output } = await repairBytes(bare(original), 'a.mp4');
    expect(report.verdict).toBe('repaired');
    expect(report.notes.join(' ')).toContain('44,100 samples a second, was told by the pictures');
    expect(await clocksOf(output ?? Buffer.alloc(0))).toEqual({ vide: [12_800, 2.4], soun: [44_100, 2.48] });
  });

  it('is called a guess where the pictures are shown at none', async () => {
    const { report } = await repairBytes(bare(sparse(original)), 'a.mp4');
    expect(report.verdict).toBe('partly');
    expect(report.notes.join(' ')).toContain('is a guess');
    expect(report.lost.map(({ unit, detail }) => `${unit} ${detail}`)).toContain(
      'sound packets whose speed had to be guessed, and with it that of any pictures',
    );
  });

  const both = [48_000, 44_100].map((timescale) => ({ stsd: Buffer.alloc(0), timescale, step: 1024 }));
  const cases = [
    [44_100, 25],
    [48_000, 25],
    [44_100, 30],
    [48_000, 24_000 / 1001],
    [44_100, 24_000 / 1001],
    [48_000, 60_000 / 1001],
    [44_100, 15],
  ] as const;
  it.each(cases)('tells %i beside %f pictures a second', (rate, pictures) => {
    const choice = chooseRate(both, ({ timescale }) => (pictures * timescale) / rate);
    expect(choice).toMatchObject({ isTold: true, alike: { timescale: rate } });
  });

  it('chooses nothing where frames look like those of one rate only', () => {
    expect(chooseRate(both.slice(1), () => 25)).toBeNull();
  });
});
