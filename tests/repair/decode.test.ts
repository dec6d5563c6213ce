import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DecodeLog, decodeFile } from '../../lib/repair/readers/media';
import { withChildren } from './support/children';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, codecVideos, fixtureOf, videos } from './support/videos';

const head = ['#tb 0: 1/25', '#media_type 0: video', '#tb 1: 1/22050', '#media_type 1: audio'];

function read(lines: readonly string[], isFramed = false) {
  const log = new DecodeLog(isFramed);
  for (const line of [...head, ...lines]) log.line(line);
  return log.result(true);
}

describe('what the decoder prints', () => {
  const frame = (number: number) => `0, ${number}, ${number}, 1, 18432, 0x12345678`;
  const broken = '[h264 @ 0x1] error while decoding MB 74 28, bytestream 24545';

  it('is counted by track, with the time of the last frame', () => {
    const seen = read([frame(0), '1, 0, 0, 1024, 2048, 0x1', frame(24)]);
    expect(seen).toMatchObject({ frames: 2, packets: 1, damagedFrames: 0, seconds: 1, pictureTracks: 1 });
  });

  it('counts a picture for its samples, though it is not handed over itself, and sound for its bytes', () => {
    const log = new DecodeLog();
    for (const line of [...head, '#dimensions 0: 64x32', '0, 0, 0, 1, 400, 0x1', '1, 0, 0, 1024, 2048, 0x1'])
      log.line(line);
    expect(log.bytes).toBe(64 * 32 * 1.5 + 2048);
  });

  it('counts a frame once, however many errors it has, and says where', () => {
    const seen = read([frame(0), broken, '[h264 @ 0x1] concealing 120 DC errors in P frame', frame(50), frame(51)]);
    expect(seen).toMatchObject({ damagedFrames: 1, damagedAt: [{ from: 2, to: 2 }] });
  });

  it('tells picture from sound', () => {
    const seen = read([
      frame(0),
      '1, 0, 0, 1024, 2048, 0x1',
      '[aac @ 0x2] channel element 1.3 is not allocated',
      frame(1),
      '1, 22050, 22050, 1024, 2048, 0x1',
    ]);
    expect(seen).toMatchObject({ damagedFrames: 0, damagedSound: 1 });
  });

  it('counts frames of AV1 whose head or units the decoder cannot read', () => {
    const lines = ['[libdav1d @ 0x1] Error parsing frame header', '[libdav1d @ 0x1] Error parsing OBU data'];
    expect(read([frame(0), ...lines, frame(9)])).toMatchObject({ damagedFrames: 1, complaints: 2 });
  });

  it('takes nothing that is said of pictures for damage where there is no decoder for them', () => {
    const lines = [
      "[av1 @ 0x1] [error] Your platform doesn't suppport hardware accelerated AV1 decoding.",
      '[error] Error while decoding stream #0:0: Function not implemented',
      '[error] Error while decoding stream #0:0: Invalid data found when processing input',
      '    Last message repeated 17 times',
    ];
    expect(read(lines, true)).toMatchObject({ isBlind: true, refused: 0, complaints: 0, damagedFrames: 0 });
    expect(read([frame(0), ...lines], true).isBlind).toBe(false);
  });

  it('counts pictures of which a decoder takes nothing without saying why, those at the end, too', () => {
    const refused = 'Error while decoding stream #0:0: Invalid data found when processing input';
    expect(read([frame(0), refused, frame(9)])).toMatchObject({ damagedFrames: 1 });
    expect(read([frame(0), refused, '    Last message repeated 17 times'])).toMatchObject({
      frames: 1,
      damagedFrames: 0,
      refused: 18,
    });
    expect(read([frame(0), refused])).toMatchObject({ damagedFrames: 0, refused: 0 });
    expect(read([refused, refused, refused, frame(0)])).toMatchObject({ damagedFrames: 0, refused: 0 });
    const sound = '[aac @ 0x2] channel element 1.3 is not allocated';
    expect(read([frame(0), sound, refused, refused, frame(1)])).toMatchObject({ damagedFrames: 0 });
    const packet = '1, 0, 0, 1024, 2048, 0x1';
    const unknown = '[aac @ 0x2] invalid band type';
    expect(read([frame(0), packet, unknown, refused, frame(1), packet])).toMatchObject({
      damagedFrames: 0,
      damagedSound: 1,
    });
  });

  it('counts the first picture where the container holds whole ones', () => {
    expect(read([broken, frame(0), frame(1)], true).damagedFrames).toBe(1);
  });

  it('takes no offence at streams that begin in the middle, nor at messages about what is allowed', () => {
    expect(read([broken, frame(0), frame(1)]).damagedFrames).toBe(0);
    expect(read([frame(0), '[h264 @ 0x1] co located POCs unavailable', frame(1)]).damagedFrames).toBe(0);
    expect(read([frame(0), '[hevc @ 0x1] Could not find ref with POC 12', frame(1)]).damagedFrames).toBe(0);
  });
});

describe('a video in which nothing wrong is found', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mendara-decoder-'));
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['cannot be opened', 'Invalid data found when processing input', 'unrepairable'],
    ['has no track that it knows', 'Decoder not found', 'healthy'],
  ])('is what a decoder says of it that %s', async (_, words, verdict) => {
    const own = join(folder, 'decoder');
    await writeFile(own, `#!/bin/sh\necho '[error] film.mp4: ${words}' >&2\nexit 1\n`, { mode: 0o755 });
    vi.stubEnv('REPAIR_FFMPEG', own);
    const { report, output } = await repairBytes(videos.mp4, 'film.mp4');
    expect(report.verdict).toBe(verdict);
    expect(report.reason).toBe(verdict === 'healthy' ? undefined : 'not-looked-into');
    expect(output !== null).toBe(verdict === 'healthy');
  });
});

describe('decoding in a process of its own', () => {
  withChildren();
  it('decodes no pictures where the sound was asked for and there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repair-'));
    try {
      const path = join(folder, 'input');
      await writeFile(path, fixtureOf('avc-full.mp4'));
      const limits = { bytes: 1e9, milliseconds: 120_000 };
      expect(await decodeFile(path, 'mp4', limits, 'sound')).toMatchObject({ frames: 0, packets: 0, isEmpty: true });
      expect((await decodeFile(path, 'mp4', limits))?.frames).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const decodeStep = (run: Awaited<ReturnType<typeof repairBytes>>) =>
    run.report.steps.find((step) => step.name === 'decode')?.detail ?? '';

  it.each(Object.entries(videos))('reads a healthy %s from beginning to end, without an alarm', async (name, bytes) => {
    const run = await repairBytes(bytes, { fragmented: 'film.mp4', ts: 'film.mts' }[name] ?? `film.${name}`);
    expect(run.report).toMatchObject({ verdict: 'healthy', notes: [expect.stringContaining('would not be noticed')] });
    expect(run.report.notes[0]).toContain('all do in pictures and sound that are not compressed');
    // Streams and recordings may end behind any of their packets.
    expect(/cut off exactly between/.test(run.report.notes[0] ?? '')).toBe(/^(?:ts|mkv|flv)$/.test(name));
    expect(decodeStep(run)).toMatch(/^Decoded from beginning to end: \d+ frames/);
    expect(run.output?.equals(bytes)).toBe(true);
  });

  it.each([
    ['MP4', 'film.mp4', codecVideos.av1],
    ['WebM', 'film.mkv', fixtureOf('av1.webm')],
  ])('decodes AV1 in %s by a decoder of its own, the sound beside it', async (_, name, bytes) => {
    const run = await repairBytes(bytes, name);
    expect(run.report).toMatchObject({
      verdict: 'healthy',
      lost: [],
      notes: [expect.stringContaining('not be noticed')],
    });
    expect(decodeStep(run)).toMatch(/^Decoded from beginning to end: [1-9]\d* frames/);
    expect(run.output?.equals(bytes)).toBe(true);
  });

  it('counts each picture of AV1 that the decoder refuses, and those that build on it', async () => {
    const from = codecVideos.av1.indexOf('mdat') + 4;
    const film = changed(codecVideos.av1, (copy) => {
      for (let at = from + 300; at < from + 9000; at += 40) copy[at] = (copy[at] ?? 0) ^ 0x10;
      return undefined;
    });
    const { report } = await repairBytes(film, 'film.mp4');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(
      expect.objectContaining({ unit: 'frames', detail: expect.stringMatching(/^damaged inside/) }),
    );
  });

  it('says of AV1 of ten bits, which nothing here decodes, that it was not, and decodes the sound beside it', async () => {
    const bytes = fixtureOf('av1-10.mp4');
    const { report, output } = await repairBytes(bytes, 'film.mp4');
    expect(report).toMatchObject({ verdict: 'healthy', lost: [], notes: [expect.stringContaining('not decoded')] });
    expect(report.steps.map(({ name }) => name)).toContain('sound');
    expect(output?.equals(bytes)).toBe(true);
  });

  it('finds damage inside frames of a file whose structure is whole, and gives it back with the places', async () => {
    const random = randomFrom(7);
    const from = videos.mp4.indexOf('mdat') + 4;
    const film = changed(videos.mp4, (copy) => {
      // Deep inside the packets: lengths and slice heads stay as they are.
      for (let index = 0; index < 400; index++) {
        const at = from + 200 + Math.floor(random() * (copy.readUInt32BE(from - 8) - 400));
        copy[at] = (copy[at] ?? 0) ^ 0x10;
      }
      return undefined;
    });
    const run = await repairBytes(film, 'film.mp4');
    expect(run.report.verdict).toBe('partly');
    expect(run.report.lost.some((loss) => /damaged inside, (?:at|from) 0:0/.test(loss.detail ?? ''))).toBe(true);
  });

  it('sets bits right that had changed, and does not promise that no other had, of sound for one', async () => {
    const bytes = changed(videos.mp4, (copy) => {
      for (const share of [0.35, 0.45]) {
        const at = Math.floor(copy.length * share);
        copy[at] = (copy[at] ?? 0) ^ 0x10;
      }
      return undefined;
    });
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report).toMatchObject({ verdict: 'repaired', found: [{ kind: 'bits' }] });
    expect(report.notes.join(' ')).toContain('most in compressed sound');
    expect(report.notes.join(' ')).toContain('others may be among them');
  });

  it('makes an MXF anew that has lost its description', async () => {
    const broken = changed(videos.mxf, (copy) => void copy.fill(0, 0, 1024));
    const { report, output } = await repairBytes(broken, 'film.mxf');
    expect(report).toMatchObject({ verdict: 'repaired', lost: [] });
    expect((await repairBytes(broken, 'film.mxf')).output?.equals(output ?? Buffer.alloc(0))).toBe(true);
    const again = await repairBytes(output ?? Buffer.alloc(0), 'film.mxf');
    expect(again.report.verdict).toBe('healthy');
    expect(decodeStep(again)).toMatch(/: \d+ frames and \d+ pieces of sound/);
  });

  /** The decoder's parameter set is overwritten, tables and packets are whole but for a wrong size of the first box. */
  const misled = (more: (copy: Buffer) => void = () => undefined) =>
    changed(videos.mp4, (copy) => {
      copy.writeUInt32BE(7, 0);
      const set = copy.indexOf('avcC') + 4;
      copy.fill(0xff, set + 8, set + 40);
      more(copy);
      return undefined;
    });

  it('looks at a video anew whose index leads to frames of which none can be decoded', async () => {
    const { report, output } = await repairBytes(misled(), 'film.mp4');
    expect(report).toMatchObject({
      verdict: 'repaired',
      found: [{ kind: 'index', detail: expect.stringContaining('damaged') }],
    });
    const whole = (await repairBytes(videos.mp4, 'film.mp4')).report;
    const again = await repairBytes(output ?? Buffer.alloc(0), 'film.mp4');
    expect(again.report.verdict).toBe('healthy');
    const framesOf = (detail = '') => /(\d+) frames/.exec(detail)?.[1];
    const stepsOf = ({ steps }: typeof whole) => steps.find(({ name }) => name === 'decode')?.detail;
    expect(framesOf(stepsOf(again.report))).toBe(framesOf(stepsOf(whole)));
  });

  it('hands out nothing of which no frame can be decoded', async () => {
    const film = misled((copy) => {
      const from = copy.indexOf('mdat') + 4;
      copy.fill(0x55, from, from + copy.readUInt32BE(from - 8) - 8);
    });
    const { report, output } = await repairBytes(film, 'film.mp4');
    expect(report.verdict).toBe('unrepairable');
    expect(output).toBeNull();
  });
});

it('counts what a decoder says of packets that it takes nothing of', () => {
  const log = new DecodeLog();
  for (let line = 0; line < 1000; line++) log.line('[aac @ 0x1] [error] Number of bands (9) exceeds limit (1).');
  expect(log.bytes).toBeGreaterThan(1_000_000);
});
