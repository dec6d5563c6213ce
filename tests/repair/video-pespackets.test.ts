import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

const packetBytes = 188;
const stream = videos.ts;

type Packet = { at: number; pid: number; isStart: boolean; payload: number };

const packets: Packet[] = Array.from({ length: Math.floor(stream.length / packetBytes) }, (_, index) => {
  const at = index * packetBytes;
  const skip = (stream[at + 3] ?? 0) & 0x20 ? 5 + (stream[at + 4] ?? 0) : 4;
  return {
    at,
    pid: stream.readUInt16BE(at + 1) & 0x1fff,
    isStart: ((stream[at + 1] ?? 0) & 0x40) !== 0,
    payload: at + skip,
  };
});

/** Where the PES packets of pictures, or of sound, begin, in bytes. */
const headsOf = (first: number, last: number) =>
  packets
    .filter(({ isStart, payload }) => isStart && stream.readUIntBE(payload, 3) === 1)
    .filter(({ payload }) => (stream[payload + 3] ?? 0) >= first && (stream[payload + 3] ?? 0) <= last)
    .map(({ payload }) => payload);
const pictures = headsOf(0xe0, 0xef);
const sounds = headsOf(0xc0, 0xdf);

const without = (gone: readonly Packet[]) =>
  Buffer.concat(packets.filter((one) => !gone.includes(one)).map(({ at }) => stream.subarray(at, at + packetBytes)));

/** A packet inside a PES packet of the stream that the head at an index belongs to. */
function inside(heads: readonly number[], index: number): Packet {
  const head = packets.find(({ payload }) => payload === heads[index]) as Packet;
  return packets.find(({ at, pid, isStart }) => at > head.at && pid === head.pid && !isStart) as Packet;
}

describe('PES packets of a transport stream', () => {
  it('are told where packets are missing inside them', async () => {
    for (const [heads, unit] of [
      [pictures, 'frames'],
      [sounds, 'sound packets'],
    ] as const) {
      const { report, output } = await repairBytes(without([inside(heads, Math.min(3, heads.length - 2))]), 'a.mts');
      expect(report.verdict, unit).toBe('partly');
      expect(report.lost, unit).toContainEqual(expect.objectContaining({ unit, count: 1 }));
      expect(output).not.toBeNull();
    }
  });

  it('are whole where a packet was sent twice, or the counters begin anew between two of them', async () => {
    const twice = inside(pictures, 2);
    const again = Buffer.concat([
      stream.subarray(0, twice.at + packetBytes),
      stream.subarray(twice.at, twice.at + packetBytes),
      stream.subarray(twice.at + packetBytes),
    ]);
    expect((await repairBytes(again, 'a.mts')).report.verdict).toBe('healthy');
    const joint = pictures[Math.floor(pictures.length / 2)] as number;
    const { pid } = packets.find(({ payload }) => payload === joint) as Packet;
    const joined = changed(stream, (copy) => {
      for (const { at, ...one } of packets)
        if (one.pid === pid && one.payload >= joint)
          copy.writeUInt8(((copy[at + 3] ?? 0) & 0xf0) | (((copy[at + 3] ?? 0) + 5) & 15), at + 3);
    });
    expect((await repairBytes(joined, 'a.mts')).report.verdict).toBe('healthy');
  });

  it('get the mark at their beginning back', async () => {
    for (const heads of [pictures, sounds]) {
      const wrong = changed(stream, (copy) => void copy.writeUInt32BE(0x5a0301f7, heads[1] as number));
      const { report, output } = await repairBytes(wrong, 'a.mts');
      expect(report.verdict).toBe('repaired');
      expect(report.found.map(({ kind }) => kind)).toContain('blocks');
      expect(output?.equals(stream)).toBe(true);
    }
  });

  it('lose a time that lies hours from those around it, and no other', async () => {
    for (const index of [0, 3]) {
      const at = (pictures[index] as number) + 9;
      const far = changed(stream, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 0x08, at));
      const { report, output } = await repairBytes(far, 'a.mts');
      expect(report.found).toContainEqual(expect.objectContaining({ kind: 'times' }));
      expect(report.verdict).toBe('repaired');
      expect((output?.[at - 2] ?? 0xff) & 0xc0).toBe(0);
      expect([...(output?.subarray(at, at + 5) ?? [])]).toEqual([255, 255, 255, 255, 255]);
      const [before, behind] = [output?.subarray(0, at - 2), output?.subarray(at + 10)];
      expect(before?.equals(stream.subarray(0, at - 2)) && behind?.equals(stream.subarray(at + 10))).toBe(true);
    }
  });

  it('keep their times where these go on from another hour', async () => {
    const from = pictures[Math.floor(pictures.length / 2)] as number;
    const later = changed(stream, (copy) => {
      for (const at of [...pictures, ...sounds])
        if (at >= from) {
          copy.writeUInt8((copy[at + 9] ?? 0) ^ 0x08, at + 9);
          if ((copy[at + 7] ?? 0) >> 6 === 3) copy.writeUInt8((copy[at + 14] ?? 0) ^ 0x08, at + 14);
        }
    });
    const { report } = await repairBytes(later, 'a.mts');
    expect(report.found.map(({ kind }) => kind)).not.toContain('times');
  });

  it('are not told where none of them has the length that it states', async () => {
    const odd = changed(stream, (copy) => {
      for (const at of sounds) copy.writeUInt16BE(Math.max(1, copy.readUInt16BE(at + 4) - 1), at + 4);
    });
    const { report } = await repairBytes(odd, 'a.mts');
    expect(report.found.map(({ kind }) => kind)).not.toContain('sounds');
  });
});
