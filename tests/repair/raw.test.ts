import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const formats = ['cr2', 'cr3', 'nef', 'nrw', 'arw', 'dng', 'gpr', 'raf', 'crw'];

async function raw(format: string): Promise<Buffer> {
  return Buffer.from((await originals()).find((file) => file.format === format)?.bytes ?? []);
}

describe.each(formats)('raw photo %s', (format) => {
  it('gets its head back and is then as it was', async () => {
    const bytes = await raw(format);
    const broken = Buffer.from(bytes);
    broken.fill(0, 0, 8);
    const { report, output } = await repairBytes(broken, `photo.${format}`, { type: 19 });
    expect(report.verdict, report.summary).toBe('repaired');
    expect(report.format).toBe(format);
    expect(output?.subarray(64).equals(bytes.subarray(64))).toBe(true);
  });
});

describe.each(['cr3', 'crw'])('raw photo %s whose sensor data nothing here reads', (format) => {
  it('gives the picture inside, named as that, when its sensor data is cut off', async () => {
    const bytes = await raw(format);
    // The heap of a CRW puts the picture behind the sensor data, so there the cut is at the list at the end.
    const { report, output } = await repairBytes(
      bytes.subarray(0, format === 'crw' ? -20 : -30_000),
      `photo.${format}`,
    );
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe('jpg');
    expect(report.notes.join(' ')).toContain('not the raw photo itself');
    expect(output?.readUInt16BE(0)).toBe(0xffd8);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'sensor data' }));
  });
});

describe('pictures inside a raw photo that is beyond repair', () => {
  it('are set right first, and the largest is taken', async () => {
    const [large, small] = await Promise.all(
      [900, 200].map((width) =>
        sharp(scene(width, 600, 4), { raw: { width, height: 600, channels: 3 } })
          .jpeg({ quality: 80 })
          .toBuffer(),
      ),
    );
    const hurt = Buffer.from(large ?? []);
    hurt.fill(0, Math.floor(hurt.length * 0.8), Math.floor(hurt.length * 0.8) + 300);
    const bytes = Buffer.concat([
      Buffer.alloc(5000, 7),
      hurt,
      Buffer.alloc(5000, 9),
      small ?? hurt,
      Buffer.alloc(5000, 3),
    ]);
    const { report, output } = await repairBytes(bytes, 'photo.nef', { type: 19 });
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.summary).toContain('900 × 600');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'pictures' }));
    expect(await scoreAgainst('jpg', large ?? hurt, output ?? hurt)).toBeGreaterThan(0.75);
  });
});
