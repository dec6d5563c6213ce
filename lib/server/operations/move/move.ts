import 'server-only';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { startError } from '../../base/start-error';
import type { Env } from '../../config/env';
import { readSecrets } from '../../config/secrets';
import { openEmbedded } from '../../db/embedded';
import type { DatabaseHandle } from '../../db/handle';
import { migrate } from '../../db/migrate';
import { openPostgres } from '../../db/postgres';
import { diskStore } from '../../objects/disk/store';
import { s3Settings } from '../../objects/s3/settings';
import { moveObjects } from './move-objects';
import { moveRows } from './move-rows';

/** Where to: the address of a database on PostgreSQL, and whether files go to the store that the environment names. */
export type Destination = { postgres: string | null; s3: boolean };

/**
 * Moves the embedded installation of `DATA_DIR` while no server runs on it. Every row and every file is verified; what was there stays.
 * `say` tells a person what is done. Throws a `StartError` with words; run again, it goes on.
 */
export async function move(env: Env, to: Destination, say: (words: string) => void): Promise<void> {
  const settings = to.s3 ? s3Settings(env) : null;
  if (to.s3 && !settings) {
    throw startError(
      '--to-s3 moves files to the store that S3_ENDPOINT, S3_BUCKET, S3_REGION and the two keys name: set them.',
    );
  }
  const folder = path.join(env.DATA_DIR, 'database');
  if (!fs.existsSync(folder)) {
    throw startError(`There is no database in ${env.DATA_DIR}. Set DATA_DIR to the server’s folder.`);
  }
  // Takes the lock: a server that runs is not moved under.
  const from = await openEmbedded(folder);
  try {
    await migrate(from);
    if (settings) {
      const { s3Store } = await import('../../objects/s3/store');
      const store = s3Store(settings);
      await store.open();
      const disk = diskStore(env.DATA_DIR, readSecrets(env).uploadSigning);
      const { sent, alreadyThere, begunAnew } = await moveObjects(disk, store, from);
      say(`${store.describe}: ${sent} files sent and verified, ${alreadyThere} were there already.`);
      if (begunAnew > 0) say(`${begunAnew} uploads that had not arrived as a whole begin anew.`);
    }
    // Last, since a database that holds the rows is what the new servers begin with.
    if (to.postgres) await moveDatabase(from, to.postgres, sourceOf(folder), say);
  } finally {
    await from.close();
  }
  say(`What was in ${env.DATA_DIR} is still there, and no server should run on it any more.`);
}

async function moveDatabase(
  from: DatabaseHandle,
  url: string,
  source: string,
  say: (words: string) => void,
): Promise<void> {
  const handle = await openPostgres(url, 2);
  try {
    await migrate(handle);
    const moved = await moveRows(from, handle, source);
    say(
      moved
        ? `${handle.describe}: ${moved.rows} rows of ${moved.tables} tables moved and verified.`
        : `${handle.describe}: these rows were moved there before; they are left as they are.`,
    );
  } finally {
    await handle.close();
  }
}

/** A name for this installation, kept beside its database, by which a second move knows the first. */
function sourceOf(folder: string): string {
  const file = path.join(folder, 'moved-as');
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600, flush: true });
  return fs.readFileSync(file, 'utf8');
}
