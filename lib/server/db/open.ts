import 'server-only';
import path from 'node:path';
import { startError } from '../base/start-error';
import type { Env } from '../config/env';
import { openEmbedded } from './embedded';
import type { DatabaseHandle } from './handle';
import { migrate } from './migrate';
import { openPostgres } from './postgres';

/** Where the process keeps its one handle: two bundles share it, and development's hot reload keeps it. */
const slot = Symbol.for('mendara.database');
const shared = globalThis as { [slot]?: Promise<DatabaseHandle> | undefined };

/** The process's database, opened and migrated at the first call. A failed opening is tried again at the next call. */
export function openDatabase(env: Env): Promise<DatabaseHandle> {
  shared[slot] ??= open(env).catch((error: unknown) => {
    shared[slot] = undefined;
    throw error;
  });
  return shared[slot];
}

/** Closes the process's database, if it is open. */
export async function closeDatabase(): Promise<void> {
  const opened = shared[slot];
  shared[slot] = undefined;
  await (await opened)?.close();
}

async function open(env: Env): Promise<DatabaseHandle> {
  if (process.env.NEXT_PHASE === 'phase-production-build') throw new Error('The database is not opened in a build.');
  const handle = env.DATABASE_URL
    ? await openPostgres(env.DATABASE_URL, env.DATABASE_POOL)
    : await openEmbedded(path.join(env.DATA_DIR, 'database'));
  try {
    await migrate(handle);
    return handle;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw startError(
      `The tables could not be brought up to this version (${error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)}). ${handle.describe}. It is damaged, or a newer version has written it: put back a backup, or start that version.`,
    );
  }
}
