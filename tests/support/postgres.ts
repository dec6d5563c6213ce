import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** A real PostgreSQL of the test's own. */
export type TestPostgres = {
  /** Makes an empty database; its address. */
  newDatabase(): Promise<string>;
  /** Ends the server at once, as a power cut would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/** Folder in which PostgreSQL's programs lie; null where they are not installed. */
export function postgresFolder(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = fs.existsSync(root) ? fs.readdirSync(root).map((version) => path.join(root, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/bin', ...versions];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name)))) ?? null
  );
}

/** PostgreSQL refuses to run as root, so it gets the account that owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Starts one, or null where its programs are not installed or do not run. `settings` are those of its configuration, as `name=value`. */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<TestPostgres | null> {
  const folder = postgresFolder();
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
  const options = ['max_connections=200', ...settings].flatMap((setting) => ['-c', setting]);
  const start = () =>
    spawn(path.join(folder, 'postgres'), ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', home, ...options], {
      cwd: home,
      stdio: 'ignore',
      ...nobody,
    });
  let server = start();
  let count = 0;
  const address = (name: string) => `postgres://tester@127.0.0.1:${port}/${name}`;
  return {
    async newDatabase() {
      count += 1;
      await patiently(() => ask(address('postgres'), `create database suite_${count}`));
      return address(`suite_${count}`);
    },
    async crash() {
      await end(server, 'SIGQUIT');
      server = start();
      await patiently(() => ask(address('postgres'), 'select 1'));
    },
    async stop() {
      await end(server, 'SIGINT');
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Asks one thing over a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
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

function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}

/** A port of loopback that nobody has just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const found = probe.address();
      probe.close(() => (found && typeof found === 'object' ? resolve(found.port) : reject(new Error('no port'))));
    });
  });
}
