import { describe, expect, it } from 'vitest';
import { readDnxHead } from '../../lib/repair/codecs/dnx';
import { Buffer } from '../../lib/repair/host/bytes';
import { withChildren } from './support/children';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';

withChildren();

/** The head of a frame of so many samples and lines. */
function headOf(width: number, height: number, compression: number): Buffer {
  const head = Buffer.alloc(44);
  Buffer.from([0, 0, 2, 0x80, 3]).copy(head);
  head.writeUInt16BE(height, 24);
  head.writeUInt16BE(width, 26);
  head.writeUInt32BE(compression, 40);
  return head;
}

describe('frames of DNxHD and DNxHR', () => {
  it('name their bytes', () => {
    expect(readDnxHead(headOf(1920, 1080, 1238))).toMatchObject({ length: 917_504, isScaled: false });
    // Sizes that FFmpeg's encoder writes.
    expect(readDnxHead(headOf(480, 272, 1273))).toEqual({ width: 480, height: 272, length: 36_864, isScaled: true });
    expect(readDnxHead(headOf(64, 64, 1274))?.length).toBe(8192);
  });

  it('are none with another mark, version, size or compression', () => {
    const changes = [
      [3, 0x81],
      [4, 9],
      [41, 1],
    ] as const;
    for (const [at, byte] of changes) {
      const head = headOf(480, 272, 1273);
      head[at] = byte;
      expect(readDnxHead(head)).toBeNull();
    }
    expect(readDnxHead(headOf(0, 272, 1273))).toBeNull();
    expect(readDnxHead(headOf(480, 272, 1273).subarray(0, 30))).toBeNull();
  });

  it('are found without an index, and what cannot be decoded of them is not handed out', async () => {
    const random = randomFrom(5);
    const frames = Array.from({ length: 6 }, () =>
      Buffer.concat([headOf(64, 64, 1274), Buffer.from(randomBytes(random, 8192 - 44))]),
    );
    const ftyp = Buffer.from('00000014667479707174202000000200717420200000000877696465', 'hex');
    const size = Buffer.alloc(4);
    const bytes = Buffer.concat([ftyp, size, Buffer.from('mdat'), ...frames]);
    const { report } = await repairBytes(bytes, 'clip.mov');
    expect(['partly', 'unrepairable']).toContain(report.verdict);
    expect(report.steps).toContainEqual(expect.objectContaining({ detail: expect.stringContaining('6 frames') }));
  });
});
