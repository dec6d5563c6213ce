import { vi } from 'vitest';

/** A line of the log in its JSON form. */
export type LogLine = { time: string; level: string; event: string; words: string } & Record<string, unknown>;

/** Has the log written as JSON and keeps what it says, until `stop`. */
export function keepLog(): { lines: () => LogLine[]; text: () => string; stop: () => void } {
  const before = process.env.LOG_FORMAT;
  process.env.LOG_FORMAT = 'json';
  let text = '';
  const keep = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(keep));
  return {
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    stop() {
      for (const spy of spies) spy.mockRestore();
      if (before === undefined) delete process.env.LOG_FORMAT;
      else process.env.LOG_FORMAT = before;
    },
  };
}
