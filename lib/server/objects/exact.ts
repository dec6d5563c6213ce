import 'server-only';
import { Transform } from 'node:stream';

/** Waits for all of them, then throws what the first of the failed ones did: the others' clearing up is over by then. */
export async function allDone(...work: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(work)) if (settled.status === 'rejected') throw settled.reason;
}

/** Passes a stream on and fails when it has more or fewer bytes than it should. */
export function exactly(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(passed > bytes ? new Error('The object is longer than it should be.') : null, chunk);
    },
    flush(done) {
      done(passed < bytes ? new Error('The object is shorter than it should be.') : null);
    },
  });
}
