import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

withChildren();

/** The end of a piece of sound in the middle of an AVI of Motion JPEG and PCM, without so many of its last bytes. */
function cutInSound(missing: number): Buffer {
  const whole = fixtureOf('mjpeg.avi');
  const name = Buffer.from('01wb');
  const places: number[] = [];
  for (let at = whole.indexOf(name); at >= 0 && at < whole.indexOf('idx1'); at = whole.indexOf(name, at + 4))
    places.push(at);
  const at = places[places.length >> 1] ?? 0;
  return whole.subarray(0, at + 8 + whole.readUInt32LE(at + 4) - missing);
}

const countOf = (list: readonly { unit: string; count: number }[], unit: string) =>
  list.find((one) => one.unit === unit)?.count;

describe('an AVI that was cut off', () => {
  it('keeps what is left of a piece of plain sound, and tells how much of the recording is gone', async () => {
    const missing = 100;
    const { report, output } = await repairBytes(cutInSound(missing), 'clip.avi');
    expect(report.verdict, report.summary).toBe('partly');
    expect(countOf(report.lost, 'seconds')).toBeGreaterThan(0.3);
    expect(countOf(report.lost, 'bytes')).toBeUndefined();
    expect(report.found.map(({ kind }) => kind)).not.toContain('gap');
    const sound = cutInSound(missing).subarray(-200);
    expect(output?.includes(sound)).toBe(true);
  });

  it('tells how much of it is gone where a picture is cut as well', async () => {
    const whole = fixtureOf('mjpeg.avi');
    const { report } = await repairBytes(whole.subarray(0, whole.indexOf('00dc', whole.length >> 1) + 500), 'clip.avi');
    expect(report.verdict, report.summary).toBe('partly');
    expect(countOf(report.lost, 'seconds')).toBeGreaterThan(0.3);
  });
});
