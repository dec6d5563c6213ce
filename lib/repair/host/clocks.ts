import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

/** Milliseconds since 1970. */
export const now = (): number => Date.now();

/** Milliseconds since some moment; never goes back. */
export const elapsed = (): number => performance.now();

/** Lets other work of this process run. */
export const nextTurn = (): Promise<void> => turn();

/** Waits for so many milliseconds. */
export const pause = (milliseconds: number): Promise<void> => wait(milliseconds);

/** Does something after so many milliseconds, once what already waits was dealt with: a machine may have been busy. Gives back what calls it off. */
export function later(milliseconds: number, act: () => void): () => void {
  const clock = setTimeout(() => setImmediate(act), milliseconds);
  return () => clearTimeout(clock);
}
