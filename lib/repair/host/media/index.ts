import type { Source } from 'mediabunny';
import { ownDecoder } from '../programs';
import { type Ended, run, type TakeLine } from './process';

/** A file as the library mediabunny reads it. */
export async function mediaSource(path: string): Promise<Source> {
  const { FilePathSource } = await import('mediabunny');
  return new FilePathSource(path);
}

export { runMediaJob } from './decoder';
export type { Ended, TakeLine } from './process';

/** Runs the decoder that the owner of this machine named instead of our own, with these options; undefined where none is named. */
export function runOwnDecoder(
  options: string[],
  milliseconds: number,
  line: TakeLine,
): Promise<Ended | null> | undefined {
  const program = ownDecoder();
  return program ? run({ program, arguments: options }, milliseconds, line) : undefined;
}
