import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

/** A transport stream of MPEG-4 Part 2, whose packets of 188 bytes carry its pictures by this identifier. */
const stream = fixtureOf('mpeg4-transport.bin');
const picturePid = 0x100;
const packetBytes = 188;

describe('MPEG-4 Part 2 in a transport stream', () => {
  it('is read to its end, and wrong bits in it are told', async () => {
    expect((await repairBytes(stream, 'a.ts')).report.verdict).toBe('healthy');
    const random = randomFrom(4);
    const carrying = Array.from({ length: stream.length / packetBytes }, (_, index) => index * packetBytes).filter(
      (at) => (stream.readUInt16BE(at + 1) & 0x1fff) === picturePid && ((stream[at + 3] ?? 0) & 0x30) === 0x10,
    );
    let [told, right] = [0, 0];
    for (let trial = 0; trial < 40; trial++) {
      const at = (carrying[Math.floor(random() * carrying.length)] ?? 0) + 40 + Math.floor(random() * 140);
      const wrong = changed(stream, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 8, at));
      const { report, output } = await repairBytes(wrong, 'a.ts');
      if (report.verdict !== 'healthy') told++;
      if (report.verdict === 'repaired') expect(output?.equals(stream)).toBe(true);
      if (output?.equals(stream) && report.found.some(({ kind }) => kind === 'bits')) right++;
    }
    expect(told).toBeGreaterThanOrEqual(15);
    expect(right).toBeGreaterThan(0);
  });

  it('is listed anew where the tables are gone', async () => {
    const bytes = changed(stream, (copy) => {
      for (let at = 0; at < copy.length; at += packetBytes)
        if ([0, 0x1000].includes(copy.readUInt16BE(at + 1) & 0x1fff)) copy.writeUInt16BE(0x1fff, at + 1);
    });
    const { report, output } = await repairBytes(bytes, 'a.ts');
    expect(report.verdict).toBe('repaired');
    expect(output?.includes(Buffer.from([0x10, 0xe1, 0x00]))).toBe(true);
  });
});
