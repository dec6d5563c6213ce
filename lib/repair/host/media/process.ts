import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { start } from '../processes';
import { childProgram, runtime } from '../programs';
import type { MediaJob } from './job';

/** A program to start, with its arguments. */
export type Command = { program: string; arguments: string[] };

/** How a process ended: by itself with this code, because its time was over, or because enough of its lines had come. */
export type Ended = { code: number | null; isOver: boolean; isEnough: boolean };

/** Takes a line that a program printed; false when it is enough, after which the program is ended and no other line is handed over. */
export type TakeLine = (text: string) => boolean;

/** Runs a job by ffmpeg in WebAssembly, which no hostile file can break out of, for at most `milliseconds`; null where it is not built. */
export async function runMediaJob(job: MediaJob, milliseconds: number, line: TakeLine): Promise<Ended | null> {
  const script = childProgram('media-child');
  if (!script) return null;
  const folder = await mkdtemp(join(tmpdir(), 'media-'));
  try {
    const path = join(folder, 'job.json');
    await writeFile(path, JSON.stringify(job), { mode: 0o600 });
    return await run({ program: runtime(), arguments: ['--max-old-space-size=256', script, path] }, milliseconds, line);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a program that starts another ends with when it cannot (POSIX, Shell Command Language, 2.8.2). */
const [notExecutable, notFound] = [126, 127];

/** Starts a program, gives each line that it prints to `line`, and ends it when its time is over; null when it cannot be started. */
export async function run(command: Command, milliseconds: number, line: TakeLine): Promise<Ended | null> {
  const child = start('decoder', command.program, command.arguments, { milliseconds });
  let isEnough = false;
  const take = (text: string) => {
    if (isEnough || line(text)) return;
    isEnough = true;
    child.kill();
  };
  const read = [readLines(child.output, take), readLines(child.errors, take)];
  const { code, reason } = await child.done;
  if (reason === 'error' || code === notFound || code === notExecutable) return null;
  await Promise.all(read);
  return { code, isOver: reason === 'time', isEnough };
}

async function readLines(stream: Readable | null, line: (text: string) => void): Promise<void> {
  if (!stream) return;
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) line(text);
}
