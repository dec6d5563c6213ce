import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type ProcessEnded, start } from '../processes';

/** A program to start, with its arguments. */
export type Command = { program: string; arguments: string[] };

/** How a process ended: by itself with this code, because its time was over, or because enough of its lines had come. */
export type Ended = { code: number | null; isOver: boolean; isEnough: boolean };

/** Takes a line that a program printed; false when it is enough, after which the program is ended and no other line is handed over. */
export type TakeLine = (text: string) => boolean;

/** What a program that starts another ends with when it cannot (POSIX, Shell Command Language, 2.8.2). */
const notStarted = [126, 127];
/** Whether a process never ran the program that it is of. */
export const neverRan = ({ code, reason }: ProcessEnded): boolean =>
  reason === 'error' || (code !== null && notStarted.includes(code));

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
  const ended = await child.done;
  if (neverRan(ended)) return null;
  await Promise.all(read);
  return { code: ended.code, isOver: ended.reason === 'time', isEnough };
}

async function readLines(stream: Readable | null, line: (text: string) => void): Promise<void> {
  if (!stream) return;
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) line(text);
}
