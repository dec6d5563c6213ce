import 'server-only';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { takeRightsOfOthers } from '../base/private-folder';
import { startError } from '../base/start-error';
import { flush, flushTree } from './flush';
import type { DatabaseHandle } from './handle';
import { lockDirectory } from './lock';

/** The first line of a backup; behind it the cluster's files as a tar, packed by gzip, with this length and SHA-256. */
const headSchema = z.object({
  mendara: z.literal(1),
  madeAt: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  secrets: z.nullable(z.string()),
});

const NEWLINE = 0x0a;

/**
 * Writes the embedded database and the secrets of `dataDir` into one new file, for the owner alone. The database goes on meanwhile: its
 * files are read between two statements, with its log, so that what was committed is in the backup and what was not is not.
 */
export async function backUp(handle: DatabaseHandle, dataDir: string, file: string, now: Date): Promise<number> {
  const client = handle.client as PGlite;
  await client.query('checkpoint');
  const cluster = Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer());
  const secretsFile = path.join(dataDir, 'secrets.json');
  const head: z.infer<typeof headSchema> = {
    mendara: 1,
    madeAt: now.toISOString(),
    bytes: cluster.length,
    sha256: sha256(cluster),
    secrets: fs.existsSync(secretsFile) ? fs.readFileSync(secretsFile, 'utf8') : null,
  };
  // Aside first: half a backup must not be taken for a whole one.
  const draft = `${file}.part`;
  try {
    fs.writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), cluster]), {
      mode: 0o600,
      flush: true,
    });
    fs.renameSync(draft, file);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return cluster.length;
}

/**
 * Puts a backup in the place of the database of `dataDir`, while no server runs on it. It is checked and opened before anything changes;
 * what was there is kept beside it. Returns where. Throws a `StartError` with words for a person.
 */
export async function restore(dataDir: string, file: string, now: Date): Promise<string | null> {
  const { head, cluster } = readBackup(file);
  const directory = path.join(dataDir, 'database');
  const unlock = await lockDirectory(directory, 0);
  try {
    const draft = path.join(directory, 'cluster.restored');
    fs.rmSync(draft, { recursive: true, force: true });
    await unpack(draft, cluster, file);
    const current = path.join(directory, 'cluster');
    const aside = `${current}.before-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
    const hadOne = fs.existsSync(current);
    if (hadOne) fs.renameSync(current, aside);
    fs.renameSync(draft, current);
    flush(directory);
    if (head.secrets !== null) putSecrets(dataDir, head.secrets);
    return hadOne ? aside : null;
  } finally {
    unlock();
  }
}

function readBackup(file: string): { head: z.infer<typeof headSchema>; cluster: Buffer } {
  const whole = readWhole(file);
  const end = whole.indexOf(NEWLINE);
  const read = z.safeParse(headSchema, parse(whole.subarray(0, Math.max(end, 0)).toString('utf8')));
  if (!read.success) throw startError(`${file} is no backup of Mendara. Nothing was changed.`);
  const cluster = whole.subarray(end + 1);
  if (cluster.length !== read.data.bytes || sha256(cluster) !== read.data.sha256) {
    throw startError(`${file} is damaged or was cut off. Nothing was changed: take another backup.`);
  }
  return { head: read.data, cluster };
}

function readWhole(file: string): Buffer {
  if (!fs.existsSync(file)) throw startError(`There is no file ${file}.`);
  if (!fs.statSync(file).isFile()) throw startError(`${file} is not a file. Name the file of the backup.`);
  try {
    return fs.readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`${file} can’t be read (${reason}). Nothing was changed.`);
  }
}

/** Unpacks the cluster and opens it once, which also brings it in order after its log. */
async function unpack(draft: string, cluster: Buffer, file: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  try {
    const loadDataDir = new Blob([new Uint8Array(cluster)], { type: 'application/x-gzip' });
    const client = await PGlite.create({ dataDir: draft, loadDataDir });
    await client.query('select count(*) from users');
    await client.close();
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`The database in ${file} can’t be opened (${reason}). Nothing was changed.`);
  }
  takeRightsOfOthers(draft);
  flushTree(draft);
}

function putSecrets(dataDir: string, text: string): void {
  const file = path.join(dataDir, 'secrets.json');
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text, { mode: 0o600, flush: true });
  fs.renameSync(draft, file);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
