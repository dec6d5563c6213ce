import { longestRepeat, repeatIn } from '../core/transfer/twice';
import { OpenFile } from '../host/files';
import type { Deadline } from '../report';
import { Sink } from './sink';
import { Source } from './source';

/** Bytes that are searched at once; what follows begins with so many of them again that no repeat lies across. */
const searchedBytes = 1 << 22;
const overlap = 4 * longestRepeat;

/** Where in a file the second of two equal stretches begins, and how long it is; null where there is none (`core/transfer/twice.ts`). */
async function repeatOf(source: Source, deadline: Deadline): Promise<{ from: number; length: number } | null> {
  for (let at = 0; at < source.size; at += searchedBytes - overlap) {
    const found = repeatIn(source.read(at, searchedBytes));
    if (found) return { from: at + found.from, length: found.length };
    await source.pause(deadline);
  }
  return null;
}

/**
 * Writes a video without the second of two equal stretches that follow each other; how many bytes that took out, or null where no stretch
 * is repeated and nothing was written. Fails with the file system's error.
 */
export async function writeOnce(inputPath: string, path: string, deadline: Deadline): Promise<number | null> {
  const input = await OpenFile.open(inputPath, 'read');
  try {
    const source = new Source(input);
    const repeat = await repeatOf(source, deadline);
    if (!repeat) return null;
    const output = await OpenFile.open(path, 'write');
    try {
      const sink = new Sink(output);
      sink.take(source, 0, repeat.from);
      sink.take(source, repeat.from + repeat.length, source.size);
      sink.flush();
    } finally {
      await output.close();
    }
    return repeat.length;
  } finally {
    await input.close();
  }
}
