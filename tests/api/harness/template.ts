import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { openInMemory } from '@/lib/server/db/embedded';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { migrate, migrationsFolder } from '@/lib/server/db/migrate';

/** What its tables look like, so that an engine whose tables a test has changed is not used again. */
const SHAPE = `
  select md5(string_agg(line, ' ' order by line)) as shape from (
    select format('%s.%s %s %s', relname, attname, atttypid, attnotnull) as line
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and attnum > 0
    union all
    select tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all
    select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  ) as parts`;

type Engine = { handle: DatabaseHandle; shape: string; tables: string };

/** Engines that a test has closed, emptied: starting one takes most of a second of the processor. */
const free: Engine[] = [];

/** A migrated database in memory, empty. */
export async function openMigrated(): Promise<DatabaseHandle> {
  return lend(free.pop() ?? (await startEngine()));
}

/** The first image is made by initdb, which takes seconds; it is kept for the rest. */
async function startEngine(): Promise<Engine> {
  const file = path.join(os.tmpdir(), `mendara-test-image-${fingerprint()}.tar`);
  if (!fs.existsSync(file)) await makeImage(file);
  const handle = await openInMemory(new Blob([fs.readFileSync(file)]));
  const { rows } = await handle.query({
    text: "select string_agg(format('%I', tablename), ', ') as tables from pg_tables where schemaname = 'public'",
  });
  return { handle, shape: await shapeOf(handle), tables: String(rows[0]?.tables) };
}

async function shapeOf(handle: DatabaseHandle): Promise<string> {
  const { rows } = await handle.query({ text: SHAPE });
  return String(rows[0]?.shape);
}

/** An engine for one test. What still asks once the test has closed it is refused, as by one that is gone. */
function lend(engine: Engine): DatabaseHandle {
  const { handle } = engine;
  let isOpen = true;
  const insist = () => {
    if (!isOpen) throw new Error('The database is closed.');
  };
  const client = new Proxy(handle.client as object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...sent: unknown[]) => {
        insist();
        return Reflect.apply(value, target, sent) as unknown;
      };
    },
  });
  const watching: { stop(): Promise<void> }[] = [];
  return {
    ...handle,
    client,
    query: async (query) => {
      insist();
      return handle.query(query);
    },
    watchAccounts(onChange) {
      const changes = handle.watchAccounts((account) => {
        if (isOpen) onChange(account);
      });
      watching.push(changes);
      return changes;
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await Promise.all(watching.map((changes) => changes.stop()));
      if ((await shapeOf(handle)) !== engine.shape) return handle.close();
      // Nobody is told of rows that go in this way.
      await handle.query({ text: 'set session_replication_role = replica' });
      await handle.query({ text: `truncate ${engine.tables} restart identity cascade` });
      await handle.query({ text: 'reset session_replication_role' });
      free.push(engine);
    },
  };
}

async function makeImage(file: string): Promise<void> {
  const handle = await openInMemory();
  await migrate(handle);
  const image = await (handle.client as PGlite).dumpDataDir('none');
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, Buffer.from(await image.arrayBuffer()));
  fs.renameSync(draft, file);
  await handle.close();
}

function fingerprint(): string {
  const hash = createHash('sha256');
  hash.update(fs.readFileSync('node_modules/@electric-sql/pglite/package.json'));
  for (const name of fs.readdirSync(migrationsFolder).sort()) {
    if (name.endsWith('.sql')) hash.update(fs.readFileSync(path.join(migrationsFolder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
