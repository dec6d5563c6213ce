import { describe, expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { fixtureOf, moovFirst } from './support/videos';

withChildren();

describe('a video with its index in front that was cut off', () => {
  // More places of the index lie behind the end of what is left than in it.
  it.each(['mpeg4.mp4', 'h263.3gp', 'alac.mov'])('keeps what the index lists of what is left: %s', async (name) => {
    const whole = moovFirst(fixtureOf(name));
    const { report, output } = await repairBytes(whole.subarray(0, Math.round(whole.length * 0.4)), name);
    expect(report.verdict, report.summary).toBe('partly');
    const kinds = report.found.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['truncated', 'missing']));
    expect(kinds).not.toContain('index');
    expect(report.lost.some(({ detail }) => detail?.includes('cannot be told apart'))).toBe(false);
    expect(output).not.toBeNull();
  });
});
