import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf, withoutIndex } from './support/videos';

withChildren();

describe('what x264 says of itself', () => {
  it('writes parameter sets of pictures in full colours and ten bits as their encoder does', async () => {
    const full = fixtureOf('avc-full.mp4');
    const { report, output } = await repairBytes(withoutIndex(full), 'a.mp4');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.kept).toContainEqual({ unit: 'frames', count: 30 });
    expect(report.notes.join(' ')).toContain('a guess of 30 frames a second');
    expect(report.lost).toContainEqual({ unit: 'frames', count: 30, detail: 'whose speed had to be guessed' });
    // The picture parameter set, and the sequence's from behind its level up to the size.
    const setsOf = (bytes: Buffer) => {
      const at = bytes.indexOf('avcC') + 12;
      const length = bytes.readUInt16BE(at - 2);
      const picture = bytes.subarray(at + length + 3, at + length + 3 + bytes.readUInt16BE(at + length + 1));
      return [bytes[at + 1], bytes.toString('hex', at + 4, at + 9), picture.toString('hex')];
    };
    expect(setsOf(output ?? Buffer.alloc(0))).toEqual(setsOf(full));
  });
});
