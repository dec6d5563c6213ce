import { describe, expect, it } from 'vitest';
import type { UnitReader } from '../../lib/repair/codecs/units';
import { box, words } from '../../lib/repair/core/boxes';
import { freeOf } from '../../lib/repair/formats/iso/demux/spans';
import { settleChunks } from '../../lib/repair/formats/iso/places';
import type { Track } from '../../lib/repair/formats/iso/track';
import { walkSegment } from '../../lib/repair/formats/matroska/walk';
import { examineTransport } from '../../lib/repair/formats/transport/examine';
import type { OpenFile } from '../../lib/repair/host/files';
import { Deadline } from '../../lib/repair/report';
import { mendUnits } from '../../lib/repair/video/mend';
import type { Reading } from '../../lib/repair/video/session';
import { Source } from '../../lib/repair/video/source';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

withChildren();

/** Milliseconds after which what never comes to an end is told from a busy machine. */
const endless = 60_000;

const brand = videos.mp4.subarray(0, videos.mp4.readUInt32BE(0));

/** A fragment of runs with a number of samples that have no size. */
function fragmentOf(runs: number, samples: number): Buffer {
  const run = box('trun', words(1, samples, 0));
  const track = box('traf', box('tfhd', words(0x20000, 1)), Buffer.concat(Array.from({ length: runs }, () => run)));
  return box('moof', box('mfhd', words(0, 1)), track);
}

describe('MP4 made to keep a reader busy', () => {
  it('believes no more samples than the file has bytes', { timeout: endless }, async () => {
    const head = videos.fragmented.subarray(0, videos.fragmented.indexOf('moof') - 4);
    const bytes = Buffer.concat([head, fragmentOf(10_000, 2_000_000), box('mdat', Buffer.alloc(1000, 1))]);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict).toBe('unrepairable');
  });

  it('reads no moof again and again whose size cannot be', { timeout: endless }, async () => {
    const moof = Buffer.concat([words(0xfffffffe), Buffer.from('moof')]);
    const bytes = Buffer.concat([brand, Buffer.alloc(1 << 22, moof)]);
    const { report } = await repairBytes(bytes, 'a.mp4');
    expect(report.verdict).toBe('unrepairable');
  });

  it('reads no moov again and again whose code stands everywhere', { timeout: endless }, async () => {
    const codes = Buffer.concat([words(4096), Buffer.from('moov'), words(108), Buffer.from('mvhd')]);
    const { report } = await repairBytes(Buffer.concat([brand, box('mdat', Buffer.alloc(1 << 21, codes))]), 'a.mp4');
    expect(report.verdict).toBe('unrepairable');
  });

  it('goes no deeper than boxes lie in each other', async () => {
    const depth = 100_000;
    const bytes = Buffer.alloc((depth + 1) * 8);
    for (let level = 0; level <= depth; level++) {
      bytes.writeUInt32BE(bytes.length - level * 8, level * 8);
      bytes.write(level === 0 ? 'moov' : 'trak', level * 8 + 4, 'latin1');
    }
    const { report } = await repairBytes(Buffer.concat([brand, bytes]), 'a.mp4');
    expect(report.notes.join(' ')).not.toContain('RangeError');
  });

  it('finds what many stretches leave free, each by its own', { timeout: endless }, () => {
    const count = 400_000;
    const spans = Array.from({ length: count }, (_, index) => ({ from: index * 100, to: index * 100 + 80 }));
    const taken = spans.flatMap(({ from }) => [
      { from: from + 10, to: from + 30 },
      { from: from + 20, to: from + 95 },
    ]);
    const free = freeOf(spans, taken);
    expect(free).toHaveLength(count);
    expect(free.at(-1)).toEqual({ from: (count - 1) * 100, to: (count - 1) * 100 + 10 });
    expect(
      freeOf(
        [{ from: 0, to: 9 }],
        [
          { from: 2, to: 2 },
          { from: 4, to: 20 },
        ],
      ),
    ).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 4 },
    ]);
  });

  it('lays no more chunks into gaps than it may try', { timeout: endless }, () => {
    const count = 300_000;
    const places = Float64Array.from({ length: count }, (_, index) => ((index * 7919) % count) * 12 + (index % 3));
    const track = {
      inside: true,
      sizes: new Uint32Array(count).fill(11),
      offsets: places,
      chunks: Uint32Array.from(places.keys()),
    } as unknown as Track;
    expect(settleChunks([track], [{ from: 0, to: count * 12 }])).toBeGreaterThanOrEqual(0);
  });
});

/** A reader of slices that can begin with none of them. */
const blindReader: UnitReader = {
  effort: { one: 1, more: 1, all: 1 },
  isBlind: false,
  isSlice: () => true,
  rank: () => 0,
  check: () => ({ whole: 0, parts: 0 }),
  brokenAt: () => -1,
  mend: () => null,
};

it('gives up slices that it cannot even begin with', async () => {
  let read = 0;
  const units = function* () {
    for (; read < 500_000; read++) yield { bytes: Buffer.from([0x65, 0x88]), place: (at: number) => at };
  };
  const deadline = new Deadline(600_000, () => performance.now());
  const reading = { source: { pause: async () => undefined }, job: { deadline } } as unknown as Reading;
  await mendUnits(reading, blindReader, units());
  expect(read).toBeLessThan(100_000);
});

/** A source of bytes in memory that counts how many are asked for. */
class Counting extends Source {
  asked = 0;

  override read(offset: number, length: number): Buffer {
    this.asked += length;
    return super.read(offset, length);
  }
}

const counting = (bytes: Buffer) =>
  new Counting({
    size: bytes.length,
    read: (into: Uint8Array, offset: number) => bytes.copy(into, 0, offset, offset + into.length),
  } as unknown as OpenFile);

/** A packet of a stream (ISO/IEC 13818-1, 2.4.3.2) with a picture of H.264 that begins in it. */
function pictureAt(pid: number, counter: number): Buffer {
  const packet = Buffer.alloc(188, 0xff);
  const content = Buffer.from('000001e0000080000000000001658884', 'hex');
  const filling = 184 - content.length;
  packet.set([0x47, 0x40 | (pid >> 8), pid & 255, 0x30 | counter, filling - 1, 0]);
  packet.set(content, 188 - content.length);
  return packet;
}

it('reads a transport stream of thousands of streams for few of them', { timeout: endless }, async () => {
  const streams = 400;
  const packets = Array.from({ length: streams * 4 }, (_, index) =>
    pictureAt(32 + (index % streams), Math.floor(index / streams) & 15),
  );
  const source = counting(Buffer.concat(packets));
  const deadline = new Deadline(600_000, () => performance.now());
  const reading = { source, job: { deadline }, tell: async () => undefined, sample: null } as unknown as Reading;
  const { parts } = await examineTransport(reading);
  expect(parts.programme?.streams.length ?? 0).toBeGreaterThan(100);
  expect(source.asked).toBeLessThan(source.size * 100);
});

it('asks for little behind each of many short gaps of Matroska', { timeout: endless }, async () => {
  const cluster = Buffer.from('1f43b675', 'hex');
  const head = videos.mkv.subarray(0, videos.mkv.indexOf(cluster));
  // A cluster with a time, and a block without any content, which is none.
  const piece = Buffer.concat([cluster, Buffer.from('85e78100a380', 'hex')]);
  const bytes = Buffer.concat([head, Buffer.alloc(piece.length * 20_000, piece)]);
  const source = counting(bytes);
  await walkSegment(source, async () => undefined);
  expect(source.asked).toBeLessThan(20_000 * (4 << 10));
});
