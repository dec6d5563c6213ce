import { LineEnds, withoutReturns } from '../core/transfer/lineends';
import { OpenFile, removeFile } from '../host/files';
import type { Reading } from './session';
import { Sink } from './sink';
import { Source } from './source';

const stretch = 1 << 18;
/** Whether nearly every LF of the file has a CR before it, as after a transfer in text mode. Most files say no after a few bytes. */
async function isTextMode(session: Reading): Promise<boolean> {
  const { source } = session;
  const ends = new LineEnds();
  for (let at = 0; at < source.size; at += stretch) {
    if (ends.add(source.read(at, stretch)).areOwn) return false;
    await session.tell(at, 0, 0.05);
  }
  return ends.areChanged;
}

async function writeWithoutReturns(session: Reading, path: string): Promise<void> {
  const { source } = session;
  const file = await OpenFile.open(path, 'write');
  try {
    const sink = new Sink(file);
    for (let at = 0; at < source.size; at += stretch) {
      // One byte more, since the LF of the last CR may lie in the next stretch.
      const bytes = source.read(at, stretch + 1);
      sink.write(withoutReturns(bytes, Math.min(bytes.length, stretch)));
      await session.tell(at, 0.05, 0.1);
    }
    sink.flush();
  } finally {
    await file.close();
  }
}

/** A file as it was before it was sent as if it were text. */
export type Undone = { source: Source; path: string };

/**
 * Runs `act` on the file as it was before a transfer in text mode put a CR before every LF: taking them away again loses nothing. With null
 * for a file without such a transfer.
 */
export async function undoTextMode<T>(reading: Reading, act: (undone: Undone | null) => Promise<T>): Promise<T> {
  if (!(await isTextMode(reading))) return act(null);
  const path = `${reading.job.outputPath}.binary`;
  try {
    await writeWithoutReturns(reading, path);
    const file = await OpenFile.open(path, 'read');
    try {
      return await act({ source: new Source(file), path });
    } finally {
      await file.close();
    }
  } finally {
    await removeFile(path);
  }
}
