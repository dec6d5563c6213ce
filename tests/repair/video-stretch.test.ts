import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locate, sampleState } from '../../lib/repair/formats/iso/locate';
import type { Track } from '../../lib/repair/formats/iso/track';
import { planTrack, writtenSamples } from '../../lib/repair/formats/iso/write';
import { OpenFile } from '../../lib/repair/host/files';
import type { Reading } from '../../lib/repair/video/session';
import { Source } from '../../lib/repair/video/source';
import { randomBytes, randomFrom } from './support/random';

const { gone, whole } = sampleState;

/** A track of samples at these places, of which each is a chunk. */
function trackOf(kind: string, codec: string, block: number, offsets: number[], size: number): Track {
  const count = offsets.length;
  return {
    ...{ id: 1, kind, codec, timescale: 8000, lengthBytes: 0, inside: true, raw: new Map(), stsd: Buffer.alloc(16) },
    ...{
      sizes: new Uint32Array(count).fill(size),
      offsets: Float64Array.from(offsets),
      compositions: null,
      keys: null,
    },
    ...{ durations: new Uint32Array(count).fill(block > 0 ? size / block : 320), entries: null, block, unit: block },
    ...{ chunks: Uint32Array.from(offsets.keys()), agreed: true },
  };
}

/** Where the samples of a track lie in these bytes. */
async function located(bytes: Buffer, track: Track) {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), bytes);
    const file = await OpenFile.open(join(folder, 'input'), 'read');
    const job = { deadline: { check: () => undefined, pause: async () => undefined } };
    const reading = { source: new Source(file), job, tell: async () => undefined } as unknown as Reading;
    const [found] = await locate(reading, [track]);
    await file.close();
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('PCM of which a stretch is gone', () => {
  const plan = (states: number[]) => {
    const track = trackOf('soun', 'sowt', 4, [100, 500, 900, 1300, 1700], 400);
    const { offsets, sizes } = track;
    return planTrack({ track, offsets, sizes, states: Uint8Array.from(states), moved: 0, judged: false });
  };

  it('has silence in its place, so that what follows keeps its time', () => {
    const { chunks, durations, kept, mediaTime } = plan([whole, gone, whole, whole, whole]);
    expect(chunks.map(({ count, isSilent }) => [count, isSilent])).toEqual([
      [100, false],
      [100, true],
      [100, false],
      [100, false],
      [100, false],
    ]);
    expect([...durations]).toEqual([100, 100, 100, 100, 100]);
    expect([...kept]).toEqual([0, 2, 3, 4]);
    expect(mediaTime).toBe(500);
    expect(writtenSamples(plan([gone, whole, whole, whole, whole]))).toBe(5);
  });

  it('has none behind its end, nor more than what is left', () => {
    expect(plan([whole, whole, whole, gone, gone]).chunks).toHaveLength(3);
    const few = plan([whole, gone, gone, gone, whole]);
    expect(few.chunks).toHaveLength(2);
    expect([...few.durations]).toEqual([400, 100]);
  });
});

describe('DNxHR behind a stretch that is gone', () => {
  const frameBytes = 8192;
  const soundBytes = 1280;
  const random = randomFrom(5);
  const head = Buffer.from([0, 0, 2, 0x80, 3]);

  /** A frame of DNxHR LB of 256 by 128 samples (SMPTE ST 2019-1, 7.2), of which nothing but the head matters. */
  function frame(): Buffer {
    const bytes = randomBytes(random, frameBytes);
    head.copy(bytes);
    bytes.writeUInt16BE(128, 24);
    bytes.writeUInt16BE(256, 26);
    bytes.writeUInt32BE(1274, 40);
    return bytes;
  }

  it('is found by the heads of its frames, and none is taken for the one before it', async () => {
    const parts = Array.from({ length: 24 }, () => [frame(), randomBytes(random, soundBytes)]).flat();
    const bytes = Buffer.concat(parts);
    const places = Array.from({ length: 24 }, (_, index) => index * (frameBytes + soundBytes));
    const pictures = trackOf('vide', 'AVdh', 0, places, frameBytes);
    const from = (places[9] ?? 0) - 500;
    const found = await located(Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 3000)]), pictures);
    expect([...(found?.states ?? [])]).toEqual(places.map((_, index) => (index === 9 ? gone : whole)));
    expect(found?.offsets[10]).toBe((places[10] ?? 0) - 3000);
    expect(found?.offsets[23]).toBe((places[23] ?? 0) - 3000);
  });
});

describe('small frames of H.264 that are alike, of which many are overwritten', () => {
  it('are gone, and those behind them stay where they are', async () => {
    const random = randomFrom(11);
    const frames = Array.from({ length: 120 }, () => {
      const bytes = randomBytes(random, 24);
      bytes.writeUInt32BE(20);
      bytes[4] = 0x41;
      return bytes;
    });
    const places = frames.map((_, index) => index * 24);
    const bytes = Buffer.concat(frames);
    bytes.fill(0, places[30], places[70]);
    const track = { ...trackOf('vide', 'avc1', 0, places, 24), lengthBytes: 4 };
    const found = await located(bytes, track);
    expect(found?.moved).toBe(0);
    expect([...(found?.states ?? [])]).toEqual(places.map((_, index) => (index >= 30 && index < 70 ? gone : whole)));
  });
});
