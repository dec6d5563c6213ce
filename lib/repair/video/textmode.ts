import { Buffer } from '../host/bytes';
import { copyFile, OpenFile, removeFile } from '../host/files';
import type { Outcome } from '../report';
import type { Session } from './session';
import { Sink } from './sink';
import { Source } from './source';

const stretch = 1 << 18;
/** Line feeds that must be seen before their carriage returns are no accident: by chance one in 256 has one. */
const least = 12;

/** Whether every LF of the file has a CR before it, as after a transfer in text mode. Most files say no after a few bytes. */
async function isTextMode(session: Session): Promise<boolean> {
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

async function writeWithoutReturns(session: Session, path: string): Promise<void> {
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

/**
 * Runs a repair on the file as it was before a transfer in text mode put a CR before every LF: taking them away again loses nothing.
 * A file without such a transfer is repaired as it is.
 */
export async function withoutTextMode(
  session: Session,
  repair: (session: Session) => Promise<Outcome>,
): Promise<Outcome> {
  if (!(await isTextMode(session))) return repair(session);
  const { job, draft } = session;
  const path = `${job.outputPath}.binary`;
  try {
    await writeWithoutReturns(session, path);
    draft.find('textmode', 'The file was sent as if it were text, which put a byte before every byte of value 10.');
    draft.step('textmode', 'The bytes that were added on the way were taken out again.');
    const file = await OpenFile.open(path, 'read');
    try {
      const outcome = await repair({ ...session, source: new Source(file) });
      if (outcome.output.kind !== 'input') return outcome;
      await copyFile(path, job.outputPath);
      const summary = 'The video is repaired: it is as it was before it was sent.';
      return {
        ...outcome,
        verdict: 'repaired',
        summary,
        found: draft.found,
        steps: draft.steps,
        output: { kind: 'written' },
      };
    } finally {
      await file.close();
    }
  } finally {
    await removeFile(path);
  }
}
