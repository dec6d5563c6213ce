import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [300, 220];
const endMark = Buffer.from([0xff, 0xd9]);

/** A JPEG whose number of lines stands behind the data (DNL; ISO/IEC 10918-1, B.2.5), in the frame as well or not. */
function withLines(bytes: Buffer, inFrame: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(inFrame, copy.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  const lines = Buffer.from([0xff, 0xdc, 0, 4, height >> 8, height & 255]);
  return Buffer.concat([copy.subarray(0, -endMark.length), lines, endMark]);
}

const kinds: Readonly<Record<string, JpegOptions>> = {
  'colours of every other sample': { chromaSubsampling: '4:2:0' },
  'colours of every sample': { chromaSubsampling: '4:4:4', quality: 96 },
  'tables of its own': { optimizeCoding: true, quality: 60 },
};

describe('a JPEG that tells its number of lines behind its data', () => {
  it.each(Object.keys(kinds))('gets it into its frame, and every pixel is there: %s', async (kind) => {
    const raw = { raw: { width, height, channels: 3 as const } };
    const whole = await sharp(scene(width, height), raw).jpeg(kinds[kind]).toBuffer();
    const { report, output } = await repairBytes(withLines(whole, 0), 'a.jpg');
    expect([report.verdict, ...report.found.map((one) => one.kind)]).toEqual(['repaired', 'size']);
    expect(report.lost).toEqual([]);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect((await pixels(output ?? Buffer.alloc(0))).equals(await pixels(whole))).toBe(true);
    // Where the frame has it too, nothing is wrong.
    expect((await repairBytes(withLines(whole, height), 'a.jpg')).report.verdict).toBe('healthy');
  });
});
