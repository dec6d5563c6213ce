import { zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { writeChunk } from '@/lib/repair/formats/png/chunks';
import { writePng } from './support/pngwriter';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [211, 147];
const whole = writePng({ width, height, channels: 3, pixels: scene(width, height, 4), filter: 'least sum' });

/** The picture with another header, of which the check sum fits. */
function headed(change: (header: Buffer) => void): Buffer {
  const header = Buffer.from(whole.subarray(16, 29));
  change(header);
  return Buffer.concat([whole.subarray(0, 8), writeChunk('IHDR', header), whole.subarray(33)]);
}

describe('PNG whose header was changed together with its check sum', () => {
  it.each([1, 74, 146])('gets all of its rows back where the header tells %i of them', async (rows) => {
    const { report, output } = await repairBytes(
      headed((header) => header.writeUInt32BE(rows, 4)),
      'photo.png',
    );
    expect(report.verdict, report.summary).toBe('repaired');
    expect(Buffer.from(output ?? []).subarray(16, 29)).toEqual(whole.subarray(16, 29));
  });

  it('gets its width back from its rows, and is doubted', async () => {
    const { report, output } = await repairBytes(
      headed((header) => header.writeUInt32BE(97, 0)),
      'photo.png',
    );
    expect(report.verdict, report.summary).toBe('partly');
    expect(Buffer.from(output ?? []).readUInt32BE(16)).toBe(width);
  });

  it('is sound where a writer filled up its data with zeroes', async () => {
    const rows = Buffer.alloc((width * 3 + 1) * (height + 2), 0);
    scene(width, height, 4).copy(rows, 1, 0, width * 3);
    const bytes = Buffer.concat([
      whole.subarray(0, 33),
      writeChunk('IDAT', Buffer.from(zlibSync(rows))),
      writeChunk('IEND', Buffer.alloc(0)),
    ]);
    expect((await repairBytes(bytes, 'photo.png')).report.verdict).toBe('healthy');
  });
});
