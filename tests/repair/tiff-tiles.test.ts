import { describe, expect, it } from 'vitest';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

/** A photo in plain tiles, its directory behind them. */
const tiled = () =>
  picture(640, 400, 21).tiff({ compression: 'none', tile: true, tileWidth: 128, tileHeight: 128 }).toBuffer();

describe('plain tiles of a TIFF', () => {
  it.each([
    ['lost', 0.15],
    ['lost', 0.6],
    ['added', 0.4],
  ])('stand where they belong behind bytes that were %s at %d of the file, which counts', async (how, share) => {
    const whole = await tiled();
    const at = Math.floor(whole.length * share);
    const [before, behind] = [whole.subarray(0, at), whole.subarray(how === 'lost' ? at + 700 : at)];
    const hurt = Buffer.concat([before, ...(how === 'lost' ? [] : [Buffer.alloc(700, 0x41)]), behind]);
    const { report, output } = await repairBytes(hurt, 'photo.tif');
    expect(report.verdict, report.summary).toBe('partly');
    expect(await scoreAgainst('tif', whole, output ?? hurt)).toBeGreaterThan(0.9);
  });

  it('are sound as they were written', async () => {
    expect((await repairBytes(await tiled(), 'photo.tif')).report.verdict).toBe('healthy');
  });
});
