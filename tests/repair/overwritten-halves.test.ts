import { describe, expect, it } from 'vitest';
import { scanPackets } from '../../lib/repair/formats/transport/packets';
import type { Source } from '../../lib/repair/video/source';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';
import { writeTiffLayout } from './support/tiffwriter';
import { fixtureOf } from './support/videos';

const [width, height] = [300, 480];
const shape = { width, height, samples: 3, depth: 8, photometric: 2, little: true, first: true } as const;

/** A photo in plain strips, with bytes of chance from a place on. */
function photo(change: (bytes: Buffer) => void): Buffer {
  const pixels = Buffer.from(scene(width, height, 6).map((byte) => Math.max(1, byte)));
  const bytes = writeTiffLayout([{ ...shape, pixels, compression: 1, rowsPerStrip: 80 }]);
  change(bytes);
  return bytes;
}

describe('bytes of chance over half of a file', () => {
  const whole = photo(() => {});

  it.each([
    ['in stretches', [65_536, 196_608, 327_680], 65_536],
    ['at its end', [200_704], whole.length],
  ])('are told in a plain TIFF %s', async (_, places, length) => {
    const random = randomFrom(4);
    const bytes = photo((copy) => {
      for (const at of places) {
        const end = Math.min(at + length, copy.length);
        randomBytes(random, end - at).copy(copy, at);
      }
    });
    const { report, output } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('partly');
    const after = await scoreAgainst('tif', whole, output ?? Buffer.alloc(0));
    expect(after).toBeGreaterThan(await scoreAgainst('tif', whole, bytes));
  });

  it('are its own where rows of them end within a sector', async () => {
    const row = width * 3;
    const noise = randomBytes(randomFrom(5), row * 250);
    const { report } = await repairBytes(
      writeTiffLayout([
        {
          ...shape,
          pixels: Buffer.concat([Buffer.from(scene(width, height - 250, 6)), noise]),
          compression: 1,
          rowsPerStrip: 80,
        },
      ]),
      'photo.tif',
    );
    expect(report.verdict).toBe('healthy');
  });

  it('leave the grid of a transport stream behind them', async () => {
    const packets = fixtureOf('transport.bin');
    const chance = randomBytes(randomFrom(6), 500_000);
    const bytes = Buffer.concat([chance, ...Array.from({ length: 24 }, () => packets)]);
    const at = (offset: number, length: number) => bytes.subarray(offset, Math.max(offset, offset + length));
    const source = {
      size: bytes.length,
      read: at,
      copy: at,
      find: (needle: Buffer, from: number) => bytes.indexOf(needle, from),
    } as unknown as Source;
    const scan = await scanPackets(source, async () => {});
    expect(scan?.grid).toEqual({ step: 188, lead: 0 });
    expect(scan?.total).toBeGreaterThanOrEqual(Math.floor((24 * packets.length) / 188));
  });
});
