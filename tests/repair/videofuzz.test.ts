import { describe, expect, it } from 'vitest';
import { verdicts } from '../../lib/repair';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

const names: Record<keyof typeof videos, string> = {
  mp4: 'a.mp4',
  fragmented: 'a.mp4',
  mov: 'a.mov',
  mkv: 'a.mkv',
  flv: 'a.flv',
  avi: 'a.avi',
  mxf: 'a.mxf',
  ts: 'a.ts',
};
const kinds = Object.keys(videos) as (keyof typeof videos)[];

function mutate(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(random() * copy.length);
  const length = 1 + Math.floor(random() * 300);
  const kind = Math.floor(random() * 6);
  if (kind === 0) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)]);
  if (kind === 1) return Buffer.concat([copy.subarray(0, at), randomBytes(random, length), copy.subarray(at)]);
  if (kind === 2) return copy.subarray(0, Math.max(64, at));
  if (kind === 3) copy.fill(0, at, Math.min(copy.length, at + length));
  else if (kind === 4) randomBytes(random, length).copy(copy, at);
  else for (let count = 0; count < 20; count++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

describe('mutated videos', () => {
  it('always end in a report, and no output is called damaged by a second pass that the first called repaired', async () => {
    const random = randomFrom(17);
    for (let round = 0; round < 300; round++) {
      const kind = kinds[round % kinds.length] ?? 'mp4';
      const { report, output, milliseconds, inputUntouched } = await repairBytes(
        mutate(videos[kind], random),
        names[kind],
      );
      const about = `round ${round}, ${kind}`;
      expect(verdicts, about).toContain(report.verdict);
      expect(inputUntouched, about).toBe(true);
      expect(milliseconds, about).toBeLessThan(3000);
      expect(report.notes.join(' '), about).not.toContain('Details for support');
      expect(output === null, about).toBe(report.verdict === 'unrepairable');
      if (report.verdict === 'healthy') expect(report.output, about).toEqual(report.input);
      else if (report.verdict !== 'unrepairable') expect(report.kept.length, about).toBeGreaterThan(0);
    }
  }, 60_000);
});
