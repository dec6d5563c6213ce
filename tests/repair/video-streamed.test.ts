import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, fixtureOf, videos } from './support/videos';

withChildren();

/** Gives a box of a kind another code, everywhere. */
const renamed = (bytes: Buffer, code: string, other: string) =>
  changed(bytes, (copy) => {
    for (let at = copy.indexOf(code, 0, 'latin1'); at >= 0; at = copy.indexOf(code, at + 4, 'latin1'))
      copy.write(other, at, 'latin1');
    return undefined;
  });

/** A transport stream whose packets but those of its tables are marked as scrambled, with payloads that nothing reads. */
const scrambled = (bytes: Buffer) =>
  changed(bytes, (copy) => {
    for (let at = 0; at + 188 <= copy.length; at += 188) {
      const pid = copy.readUInt16BE(at + 1) & 0x1fff;
      if (pid < 0x20 || pid >= 0x1000) continue;
      copy[at + 3] = (copy[at + 3] ?? 0) | 0x80;
      for (let inside = at + 100; inside < at + 188; inside++) copy[inside] = (copy[inside] ?? 0) ^ (inside * 73);
    }
    return undefined;
  });

/** Matroska whose first track has an encoding that is encryption (RFC 9559, 5.1.4.1.31), in the place of its lacing and its language. */
const withEncryption = (bytes: Buffer) =>
  changed(bytes, (copy) => {
    const encodings = Buffer.from([0x6d, 0x80, 0x40, 0x06, 0x62, 0x40, 0x83, 0x50, 0x35, 0x80]);
    encodings.copy(copy, copy.indexOf(Buffer.from([0x9c, 0x81, 0x00, 0x22, 0xb5, 0x9c])));
    return undefined;
  });

describe('encrypted videos', () => {
  it.each([
    ['MP4', 'a.mp4', () => renamed(renamed(videos.mp4, 'avc1', 'encv'), 'pasp', 'sinf')],
    ['fragments of which the movie is gone', 'a.mp4', () => withoutMovie(renamed(videos.fragmented, 'tfdt', 'senc'))],
    ['Matroska', 'a.mkv', () => withEncryption(videos.mkv)],
    ['a transport stream', 'a.ts', () => scrambled(videos.ts)],
  ])('are told to be that, and not called damaged: %s', async (_, name, make) => {
    const { report, output } = await repairBytes(make(), name);
    expect(report.verdict).toBe('unrepairable');
    expect(report.reason).toBe('not-looked-into');
    expect(report.summary).toContain('encrypted');
    expect(report.found).toEqual([]);
    expect(report.wantsSample).toBeUndefined();
    expect(output).toBeNull();
  });
});

const movieEnd = (bytes: Buffer) => bytes.indexOf('moof') - 4;
const withoutMovie = (bytes: Buffer) => bytes.subarray(movieEnd(bytes));

describe('pieces of a streamed video', () => {
  const whole = fixtureOf('fragmented-44100.mp4');
  const first = whole.subarray(0, movieEnd(whole));
  const later = withoutMovie(whole);

  it('are named where they hold no samples', async () => {
    const { report, output } = await repairBytes(first, 'init.mp4');
    expect(report.summary).toContain('only the first piece of a streamed video');
    expect(report.reason).toBe('not-looked-into');
    expect(report.found).toEqual([]);
    expect(report.wantsSample).toBeUndefined();
    expect(output).toBeNull();
  });

  it('come back with the first piece as the working video', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pieces-'));
    const samplePath = join(folder, 'init.mp4');
    await writeFile(samplePath, first);
    const { report } = await repairBytes(later, 'piece.m4s', { samplePath });
    await rm(folder, { recursive: true });
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 60 });
    expect(report.kept).toContainEqual({ unit: 'sound packets', count: 105 });
  });

  it('ask for it where nothing tells what they hold', async () => {
    const noise = changed(later, (copy) => {
      for (let at = copy.indexOf('mdat'); at >= 0; at = copy.indexOf('mdat', at + 4)) {
        const end = Math.min(copy.length, at - 4 + copy.readUInt32BE(at - 4));
        for (let inside = at + 4; inside < end; inside++) copy[inside] = (inside * 167) >> 3;
      }
      return undefined;
    });
    const { report } = await repairBytes(noise, 'piece.m4s');
    expect(report.summary).toContain('one piece of a streamed video');
    expect(report.reason).toBe('not-looked-into');
    expect(report.wantsSample).toBe(true);
  });
});
