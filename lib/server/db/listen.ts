import 'server-only';
import pg from 'pg';
import { logWarning } from '../base/log';
import type { DatabaseHandle } from './handle';

/** Waits before a lost connection is tried again: half a second, then longer, at most ten. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** So long the listening connection may take to answer; one that does not is taken for lost. */
const ANSWER_MS = 2000;

/** A connection that waits for what others tell. */
export type Listening = {
  /** False while the connection is lost: what is told meanwhile is missed. */
  isHeard(): boolean;
  /** True once all that was told before this call has come to `onNotice`; false when the connection is lost or does not answer. */
  isCaughtUp(): Promise<boolean>;
  stop(): Promise<void>;
};

/**
 * Listens on a channel of PostgreSQL over a connection of its own, for as long as it takes; a lost one is opened again. `onNotice` gets
 * what was told, and null once it is heard again after a gap, in which anything may have been.
 */
export function listenTo(
  handle: DatabaseHandle,
  channel: string,
  onNotice: (payload: string | null) => void,
): Listening {
  const { options } = handle.client as pg.Pool;
  let client: pg.Client | null = null;
  let isHeard = false;
  let isStopped = false;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  const lost = (made: pg.Client) => {
    if (client !== made) return;
    client = null;
    isHeard = false;
    made.end().catch(() => undefined);
    if (isStopped) return;
    timer = setTimeout(() => void open(), pause);
    timer.unref();
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const open = async () => {
    // Kept alive, so that a server that went away without a word is noticed.
    const made = new pg.Client({ ...options, keepAlive: true });
    client = made;
    made.on('error', () => lost(made));
    made.on('end', () => lost(made));
    made.on('notification', ({ payload }) => onNotice(payload ?? ''));
    try {
      await made.connect();
      await made.query(`listen ${pg.escapeIdentifier(channel)}`);
      isHeard = true;
      pause = FIRST_PAUSE_MS;
      onNotice(null);
    } catch (error) {
      if (client === made && !isStopped) {
        logWarning('database.listen', 'What other processes tell is not heard just now; work is looked for instead.', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
      lost(made);
    }
  };
  void open();
  const isCaughtUp = async (): Promise<boolean> => {
    const asked = client;
    if (!asked || !isHeard) return false;
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error('The listening connection does not answer.')), ANSWER_MS);
    });
    try {
      await Promise.race([asked.query('select 1'), patience]);
      return client === asked && isHeard;
    } catch {
      lost(asked);
      return false;
    } finally {
      clearTimeout(late);
    }
  };
  return {
    isHeard: () => isHeard,
    isCaughtUp,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const open = client;
      client = null;
      isHeard = false;
      await open?.end().catch(() => undefined);
    },
  };
}
