import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { migrate } from '@/lib/server/db/migrate';
import { openPostgres } from '@/lib/server/db/postgres';
import { openMigrated } from '../api/harness/template';

/** A database that the whole suite must pass on. `open` gives a fresh, migrated one. */
export type Adapter = { name: string; open(): Promise<DatabaseHandle>; stop(): Promise<void> };

/** A server of the test's own, for what needs several connections or processes. */
export type Server = Adapter & { urlOf(handle: DatabaseHandle): string; newDatabase(): Promise<string> };

/** The embedded database, in memory. */
export const embedded: Adapter = { name: 'embedded', open: openMigrated, stop: async () => undefined };

/** Folders in which PostgreSQL's programs may lie. */
function binaries(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = fs.existsSync(root) ? fs.readdirSync(root).map((version) => path.join(root, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/bin', ...versions];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name)))) ?? null
  );
}

/** PostgreSQL refuses to run as root, so it gets the account that owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** A real PostgreSQL of the test's own, or null where its programs are not installed or do not run. */
export async function postgresql(): Promise<Server | null> {
  const folder = binaries();
  if (!folder) return null;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-pg-'));
  if (nobody) fs.chownSync(home, nobody.uid, nobody.gid);
  const data = path.join(home, 'data');
  const made = spawnSync(
    path.join(folder, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { cwd: home, ...nobody },
  );
  if (made.status !== 0) {
    fs.rmSync(home, { recursive: true, force: true });
    return null;
  }
  const port = await freePort();
  const server = spawn(
    path.join(folder, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', home, '-c', 'fsync=off', '-c', 'max_connections=200'],
    { cwd: home, stdio: 'ignore', ...nobody },
  );
  let count = 0;
  const urls = new Map<DatabaseHandle, string>();
  const newDatabase = async () => {
    const root = await patiently(() => openPostgres(`postgres://tester@127.0.0.1:${port}/postgres`, 1));
    count += 1;
    const name = `suite_${count}`;
    await root.query({ text: `create database ${name}` });
    await root.close();
    return `postgres://tester@127.0.0.1:${port}/${name}`;
  };
  return {
    name: 'PostgreSQL',
    newDatabase,
    urlOf: (handle) => urls.get(handle) ?? '',
    async open() {
      const url = await newDatabase();
      const handle = await openPostgres(url, 10);
      urls.set(handle, url);
      await migrate(handle);
      return handle;
    },
    stop: () => end(server, home),
  };
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function end(server: ChildProcess, home: string): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => {
      fs.rmSync(home, { recursive: true, force: true });
      resolve();
    });
    server.kill('SIGINT');
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
