import { describe, expect, it } from 'vitest';
import { crc16 } from '../../lib/repair/core/sums';
import { soundJudgeFor } from '../../lib/repair/formats/judges';
import { Buffer } from '../../lib/repair/host/bytes';
import { Effort } from '../../lib/repair/report';
import { withChildren } from './support/children';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { changed, codecVideos, videos } from './support/videos';

withChildren();

/** Where the first chunk of each track lies, by its table (ISO/IEC 14496-12, 8.7.5). */
function firstChunks(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf('stco'); at >= 0; at = bytes.indexOf('stco', at + 4))
    places.push(bytes.readUInt32BE(at + 12));
  return places;
}

/** A packet with its check sum behind it, of which the first bytes do not count. */
function summed(head: number[], seed: number, from: number): Buffer {
  const packet = Buffer.concat([Buffer.from(head), Buffer.from(randomBytes(randomFrom(seed), 200))]);
  const sum = crc16(packet.subarray(from));
  return Buffer.concat([packet, Buffer.from([sum >> 8, sum & 255])]);
}

describe('packets of sound', () => {
  it.each([
    ['flac', summed([0xff, 0xf8, 0xc9, 0x18, 0, 0, 0], 1, 0)],
    ['ac3', summed([0x0b, 0x77, 0, 0, 0x1c, 0x40, 0], 2, 2)],
  ] as const)('of %s are judged by their check sums', (kind, packet) => {
    const judge = soundJudgeFor({ kind }, new Effort(100)).isSound;
    expect(judge(packet)).toBe(true);
    expect(judge(changed(packet, (copy) => void copy.writeUInt8((copy[90] ?? 0) ^ 4, 90)))).toBe(false);
    expect(judge(packet.subarray(0, 5))).not.toBe(true);
  });

  it('of Enhanced AC-3, whose sums are laid out in another way, are not judged', () => {
    expect(
      soundJudgeFor({ kind: 'ac3' }, new Effort(100)).isSound(Buffer.from([0x0b, 0x77, 0, 0, 0, 0x80, 0, 0])),
    ).toBe(null);
  });

  it.each([
    ['Apple Lossless', codecVideos.alac, 'mov', [200]],
    ['AAC', videos.mp4, 'mp4', [40, 300, 600, 900]],
  ] as const)('of %s are read to their end, and the file is given back', async (_, original, format, inside) => {
    const first = firstChunks(original)[1] ?? 0;
    const bytes = changed(original, (copy) => {
      for (const at of inside) copy.fill(0x5a, first + at, first + at + 8);
      return undefined;
    });
    const { report, output } = await repairBytes(bytes, `clip.${format}`);
    expect(report.verdict).toBe('partly');
    expect(report.found).toContainEqual(
      expect.objectContaining({
        detail: expect.stringMatching(/^The data of \d sound packets? cannot be read to the end/),
      }),
    );
    expect(output?.equals(bytes)).toBe(true);
  });

  it('of AAC are left alone where one alone is not understood, as encoders know more elements', async () => {
    const at = (firstChunks(videos.mp4)[1] ?? 0) + 40;
    const bytes = changed(videos.mp4, (copy) => void copy.fill(0x5a, at, at + 8));
    expect((await repairBytes(bytes, 'clip.mp4')).report.verdict).toBe('healthy');
  });
});
