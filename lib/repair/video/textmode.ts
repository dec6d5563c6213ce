import { Buffer } from '../host/bytes';
import { OpenFile, removeFile } from '../host/files';
import type { Reading } from './session';
import { Sink } from './sink';
import { Source } from './source';

const stretch = 1 << 18;
/** Line feeds that must be seen before their carriage returns are no accident: by chance one in 256 has one. */
const least = 12;

/** Whether every LF of the file has a CR before it, as after a transfer in text mode. Most files say no after a few bytes. */
async function isTextMode(session: Reading): Promise<boolean> {
  const { source } = session;
  let lines = 0;
  let last = 0;
  for (let at = 0; at < source.size; at += stretch) {
    const bytes = source.read(at, stretch);
    for (let line = bytes.indexOf(10); line >= 0; line = bytes.indexOf(10, line + 1)) {
      if ((line > 0 ? bytes[line - 1] : last) !== 13) return false;
      lines++;
    }
    last = bytes[bytes.length - 1] ?? 0;
    await session.tell(at, 0, 0.05);
  }
  return lines >= least;
}

async function writeWithoutReturns(session: Reading, path: string): Promise<void> {
  const { source } = session;
  const file = await OpenFile.open(path, 'write');
  try {
    const sink = new Sink(file);
    for (let at = 0; at < source.size; at += stretch) {
      // One byte more, since the LF of the last CR may lie in the next stretch.
      const bytes = source.read(at, stretch + 1);
      const end = Math.min(bytes.length, stretch);
      const kept = Buffer.allocUnsafe(end);
      let length = 0;
      for (let index = 0; index < end; index++)
        if (bytes[index] !== 13 || bytes[index + 1] !== 10) kept[length++] = bytes[index] ?? 0;
      sink.write(kept.subarray(0, length));
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
