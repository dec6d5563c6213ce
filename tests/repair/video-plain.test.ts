import { describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { recordsIn } from '../../lib/repair/formats/iso/demux/records';
import { findMovie, topLevel } from '../../lib/repair/formats/iso/layout';
import { ticks } from '../../lib/repair/formats/iso/scales';
import type { Track } from '../../lib/repair/formats/iso/track';
import { fromFile } from './support/from-file';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;

/** The bytes of each track of a file, one sample behind the other, and how many ticks a second it has. */
async function tracksOf(bytes: Buffer) {
  const tracks = await fromFile(bytes, (source) => findMovie(source, topLevel(source))?.movie.tracks ?? []);
  return tracks
    .map((track) => ({ ...track, seconds: ticks(track) / track.timescale }))
    .map((track) => samplesOf(track, bytes));
}

function samplesOf({ kind, timescale, seconds, offsets, sizes }: Track & { seconds: number }, bytes: Buffer) {
  return {
    kind,
    timescale,
    seconds,
    samples: Array.from(sizes, (size, index) => bytes.subarray(offsets[index] ?? 0, (offsets[index] ?? 0) + size)),
  };
}

const framesOf = async () => (await tracksOf(videos.mp4)).find(({ kind }) => kind === 'vide')?.samples ?? [];

const head = Buffer.from('0000001466747970717420200000000071742020', 'hex');

/** A recording that stopped before its index was written, each of its chunks at a multiple of `align`. */
function stopped(chunks: readonly Buffer[], align = 1): Buffer {
  let file = Buffer.concat([head, Buffer.from([0, 0, 0, 0]), Buffer.from('mdat')]);
  for (const chunk of chunks)
    file = Buffer.concat([file, Buffer.alloc((align - (file.length % align)) % align), chunk]);
  return file;
}

/** A wave of 16 bits, the lower byte first, with some noise. */
function waveOf(frames: number, channels: number): Buffer {
  const random = randomFrom(3);
  const noise = randomBytes(random, frames * channels);
  const bytes = Buffer.alloc(frames * channels * 2);
  for (let index = 0; index < frames * channels; index++) {
    const at = Math.floor(index / channels);
    const wave = Math.sin(at * 0.021 * (1 + (index % channels))) * 9000 + Math.sin(at * 0.0037) * 5000;
    bytes.writeInt16LE(Math.round(wave + ((noise[index] ?? 0) - 128) * 4), index * 2);
  }
  return bytes;
}

/** Pictures in a chunk; they are shown thirty a second. */
const together = 3;

/** Pieces of equal length. */
const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** Chunks of pictures, and of sound of so many values a second that goes with them. */
async function chunksOf(rate: number, channels: number) {
  const frames = await framesOf();
  const groups = Array.from({ length: frames.length / together }, (_, index) =>
    Buffer.concat(frames.slice(index * together, (index + 1) * together)),
  );
  const wave = waveOf((frames.length / 30) * rate, channels);
  return { frames, groups, wave, sounds: cut(wave, wave.length / groups.length) };
}

/** What came back of a recording: its sound as it was, and how many pictures are shown a second. */
async function repaired(file: Buffer) {
  const { report, output } = await repairBytes(file, 'a.mov');
  const tracks = await tracksOf(output ?? Buffer.alloc(0));
  const [sound, picture] = ['soun', 'vide'].map((kind) => tracks.find((track) => track.kind === kind));
  const pictures = (picture?.samples.length ?? 0) / (picture?.seconds ?? 1);
  return { report, pictures, rate: sound?.timescale, sound: Buffer.concat(sound?.samples ?? []) };
}

describe('sound without any mark, without an index', () => {
  it.each([1, 4, 512])('is as long as it was where chunks begin at multiples of %i bytes', async (align) => {
    const { frames, groups, wave, sounds } = await chunksOf(48_000, 2);
    const file = stopped(
      groups.flatMap((group, index) => [group, sounds[index] ?? Buffer.alloc(0)]),
      align,
    );
    const { report, rate, sound } = await repaired(file);
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(rate).toBe(48_000);
    expect(sound.equals(wave)).toBe(true);
  });

  it('is told where it stands before its pictures, and the last of these was cut', async () => {
    const { frames, groups, wave, sounds } = await chunksOf(48_000, 2);
    const chunks = groups.flatMap((group, index) => [sounds[index] ?? Buffer.alloc(0), group]);
    const whole = stopped(chunks);
    const last = frames.at(-1)?.length ?? 0;
    const { report, rate, sound, pictures } = await repaired(whole.subarray(0, whole.length - Math.ceil(last / 2)));
    expect(amount(report, 'frames')).toBe(frames.length - 1);
    expect(pictures).toBeCloseTo(30, 6);
    expect(rate).toBe(48_000);
    expect(sound.subarray(0, wave.length).equals(wave)).toBe(true);
  });

  it('holds none of the records that a camera writes of each picture behind it', async () => {
    const { frames, groups, wave, sounds } = await chunksOf(48_000, 2);
    const random = randomFrom(23);
    const records = () =>
      Array.from({ length: together }, () => Buffer.concat([Buffer.from([0, 0x1c, 1, 0]), randomBytes(random, 1020)]));
    const file = stopped(groups.flatMap((group, index) => [group, sounds[index] ?? Buffer.alloc(0), ...records()]));
    const { report, rate, sound } = await repaired(file);
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(rate).toBe(48_000);
    expect(sound.equals(wave)).toBe(true);
    expect(report.verdict).toBe('partly');
  });

  it('holds no line of text that stands behind some of it', async () => {
    const { frames, groups, wave, sounds } = await chunksOf(48_000, 2);
    const text = (index: number) => Buffer.from(`\0\x2fFrame ${index * 3} 2026-05-01 12:00:0${index} 48.1372, 11.5755`);
    const file = stopped(
      groups.flatMap((group, index) => [
        group,
        sounds[index] ?? Buffer.alloc(0),
        ...(index % 4 === 1 ? [text(index)] : []),
      ]),
    );
    const { report, rate, sound } = await repaired(file);
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(rate).toBe(48_000);
    expect(sound.equals(wave)).toBe(true);
  });

  it('costs no picture that stands at no whole value of it, among chunks of several lengths', async () => {
    const { frames, groups, wave } = await chunksOf(48_000, 2);
    const ends = groups.map((_, index) => (index + 1) * 4800 + ((index * 7) % 5) * 40);
    const pieces = ends.map((end, index) =>
      wave.subarray((ends[index - 1] ?? 0) * 4, index === 9 ? wave.length : end * 4),
    );
    const file = stopped(
      groups.flatMap((group, index) => [
        group,
        pieces[index] ?? Buffer.alloc(0),
        ...(index % 4 === 1 ? [Buffer.from('Frame 37 48.1372, 11.5755')] : []),
      ]),
    );
    const { report, rate } = await repaired(file);
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(rate).toBe(48_000);
  });

  it('is said to be a guess where another frequency and other pictures a second go together as well', async () => {
    const { frames, groups, sounds } = await chunksOf(16_000, 1);
    const { report, rate } = await repaired(
      stopped(groups.flatMap((group, index) => [group, sounds[index] ?? Buffer.alloc(0)])),
    );
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(rate).toBe(16_000);
    expect(report.verdict).toBe('partly');
    expect(report.lost.some(({ detail }) => /guess/.test(detail ?? ''))).toBe(true);
  });

  it('costs no pictures that stand behind what looks like the head of one by chance', async () => {
    const { frames, groups, wave, sounds } = await chunksOf(48_000, 2);
    const behind = groups[1] ?? Buffer.alloc(0);
    const first = Buffer.from(sounds[0] ?? Buffer.alloc(0));
    // The head of a picture that would end where another picture does.
    const at = 1000;
    const fake = Buffer.from((frames[7] ?? Buffer.alloc(0)).subarray(0, 24));
    const end = first.length + (frames[3]?.length ?? 0) + (frames[4]?.length ?? 0);
    fake.writeUInt32BE(end - at - 4, 0);
    fake.copy(first, at);
    const chunks = groups.flatMap((group, index) => [group, index === 0 ? first : (sounds[index] ?? Buffer.alloc(0))]);
    const { report, sound } = await repaired(stopped(chunks));
    expect(behind.length).toBeGreaterThan(end - first.length);
    expect(amount(report, 'frames')).toBe(frames.length);
    expect(sound.length).toBe(wave.length);
  });
});

describe('records of a camera', () => {
  it('are not seen in sound, silent or not', async () => {
    const wave = waveOf(48_000, 2);
    const size = 8000;
    const spansOf = (bytes: Buffer) =>
      cut(bytes, size).map((_, index) => ({ from: index * size, to: (index + 1) * size }));
    for (const bytes of [wave, Buffer.alloc(wave.length), wave.map((value) => value & 1)]) {
      const found = await fromFile(Buffer.from(bytes), (source) => recordsIn(source, spansOf(Buffer.from(bytes))));
      expect(found).toBeNull();
    }
  });
});
