import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

/** Seconds that a file says it lasts: Duration of Matroska (RFC 9559, 5.1.2.10), in milliseconds there, and that of the metadata of Flash video. */
function stated(bytes: Buffer, format: 'mkv' | 'flv'): number {
  if (format === 'flv') return bytes.readDoubleBE(bytes.indexOf('duration') + 9);
  const at = bytes.indexOf('448988', 0, 'hex');
  return bytes.readDoubleBE(at + 3) / 1000;
}

/** The length in an element with a size of eight bytes, as it is written. */
function written(bytes: Buffer, format: 'mkv' | 'flv'): number {
  if (format === 'flv') return stated(bytes, format);
  const at = bytes.indexOf('44890100000000000008', 0, 'hex');
  return at < 0 ? stated(bytes, format) : bytes.readDoubleBE(at + 10) / 1000;
}

describe('the length that a file tells of itself', () => {
  it.each(['mkv', 'flv'] as const)('is that of what is left of a cut %s', async (format) => {
    const whole = videos[format];
    const { report, output } = await repairBytes(whole.subarray(0, Math.round(whole.length / 2)), `a.${format}`);
    expect(report.verdict, report.summary).toBe('partly');
    expect(stated(whole, format)).toBeGreaterThan(1.1);
    const seconds = written(output ?? Buffer.alloc(0), format);
    expect(seconds).toBeGreaterThan(0.2);
    expect(seconds).toBeLessThan(0.9);
  });

  it.each(['mkv', 'flv'] as const)('stays where nothing of a %s is gone', async (format) => {
    const { output } = await repairBytes(Buffer.concat([videos[format], Buffer.alloc(999, 0x55)]), `a.${format}`);
    expect(written(output ?? Buffer.alloc(0), format)).toBe(stated(videos[format], format));
  });
});
