import 'server-only';
import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startError } from '../../base/start-error';
import type { DatabaseHandle } from '../../db/handle';
import { allDone } from '../../objects/exact';
import { areas, type ObjectKey, type ObjectStore, partsOf } from '../../objects/port';

/** What was done: objects that were sent, that were there already, and uploads in pieces that have to begin anew. */
export type MovedObjects = { sent: number; alreadyThere: number; begunAnew: number };

/** Names of uploads are a SHA-256 in hex; what is longer is a draft or lies beside an upload in pieces. */
const ID_LENGTH = 64;

/**
 * Copies uploads, results and installers from one store to the other, and reads each back to compare its SHA-256. What is there as it
 * should be is not sent again, so a move that broke off goes on. Nothing is removed where it was.
 */
export async function moveObjects(from: ObjectStore, to: ObjectStore, database: DatabaseHandle): Promise<MovedObjects> {
  const done: MovedObjects = { sent: 0, alreadyThere: 0, begunAnew: 0 };
  const unfinished = await unfinishedUploads(database);
  for (const area of areas) {
    for await (const { key, bytes } of from.list(area)) {
      const { name } = partsOf(key);
      if (area === 'uploads' && unfinished.has(name)) done.begunAnew += 1;
      else if (area === 'uploads' && name.length > ID_LENGTH) continue;
      else if (await moveObject(from, to, key, bytes)) done.sent += 1;
      else done.alreadyThere += 1;
    }
  }
  return done;
}

/** Uploads of which only a beginning lies there: the other store could not go on with it. */
async function unfinishedUploads(database: DatabaseHandle): Promise<Set<string>> {
  const { rows } = await database.query({
    text: 'select id from repair_tasks where resumable and uploaded_at is null',
  });
  return new Set(rows.map(({ id }) => String(id)));
}

/** Whether it had to be sent. */
async function moveObject(from: ObjectStore, to: ObjectStore, key: ObjectKey, bytes: number): Promise<boolean> {
  const wanted = await hashOf(await from.get(key));
  const there = await to.head(key);
  if (there?.bytes === bytes && (await hashOf(await to.get(key))) === wanted) return false;
  const body = await from.get(key);
  if (!body) throw startError(`${key} went away while it was moved. Is a server running on it? Run this again.`);
  const passing = new PassThrough();
  await allDone(pipeline(body, passing), to.put(key, passing, bytes));
  if ((await hashOf(await to.get(key))) !== wanted) {
    throw startError(`${key} did not arrive as it was. Nothing was removed here; run this again.`);
  }
  return true;
}

async function hashOf(body: Readable | null): Promise<string | null> {
  if (!body) return null;
  const hash = createHash('sha256');
  await pipeline(body, hash);
  return hash.digest('hex');
}
