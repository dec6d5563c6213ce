import { describe, expect, it } from 'vitest';
import { DecodeLog } from '../../lib/repair/readers/media';

/** What a decoder prints of a video of MPEG-4 Part 2 of which a part of frame `at` was made up, with no word but a warning. */
function printed(at: number, count: number): string[] {
  const frames = Array.from({ length: count }, (_, index) => `0, ${index}, ${index}, 1, 115200, 0x1234`);
  const warning = '[warning] /in/0: corrupt decoded frame in stream 0';
  return ['#tb 0: 1/25', '#media_type 0: video', ...frames.slice(0, at), warning, ...frames.slice(at)];
}

function read(lines: readonly string[]) {
  const log = new DecodeLog();
  for (const line of lines) log.line(line);
  return log.result(true);
}

describe('what a decoder says of a frame of which it made up a part', () => {
  it('is damage in the middle of a video', () => {
    expect(read(printed(30, 60))).toMatchObject({ frames: 60, damagedFrames: 1, damagedAt: [{ from: 1.2, to: 1.2 }] });
  });

  it('is none where a stream was joined in the middle', () => {
    expect(read(printed(3, 60)).damagedFrames).toBe(0);
  });

  it('is told from other warnings, and errors are read with their level', () => {
    const frames = printed(30, 60).filter((line) => !line.startsWith('[warning]'));
    const early = frames.slice(0, 32);
    expect(read([...early, '[mpeg4 @ 0x1] [warning] Error at MB: 12', ...frames.slice(32)]).damagedFrames).toBe(0);
    expect(read([...early, '[mpeg4 @ 0x1] [error] Error at MB: 12', ...frames.slice(32)]).damagedFrames).toBe(1);
  });
});
