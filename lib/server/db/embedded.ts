import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { start } from '../../repair/host/processes';
import { takeRightsOfOthers, withoutOthers } from '../base/private-folder';
import { inPlainWords, startError } from '../base/start-error';
import { flush, flushTree } from './flush';
import type { DatabaseHandle } from './handle';
import { lockDirectory } from './lock';

type PGliteModule = typeof import('@electric-sql/pglite');
/** What of Emscripten's node file system is changed here. */
type NodeFileSystem = {
  stream_ops: Record<string, unknown>;
  node_ops: { setattr: (node: unknown, attributes: { mode?: number }) => void };
};

type PGliteInstance = InstanceType<PGliteModule['PGlite']>;

/** As shipped, PGlite starts with `-F`, which turns fsync off; and its fdatasync is a stub, so fsync is asked for. */
function durableStartParams(defaults: readonly string[]): string[] {
  return [...defaults.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/**
 * Opens the embedded database under `directory`, so that a commit is on the disk when it is answered.
 * Throws a `StartError` when another process has it, or when a commit turns out not to reach the disk.
 */
export async function openEmbedded(directory: string): Promise<DatabaseHandle> {
  const unlock = await lockDirectory(directory);
  try {
    const data = path.join(directory, 'cluster');
    if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await createCluster(directory, data);
    const { client, countFsyncs } = await openCluster(data);
    await proveDurability(client, countFsyncs, directory);
    return handleOf(client, `Database: embedded, in ${directory}`, unlock);
  } catch (error) {
    unlock();
    throw cannotOpen(error, directory);
  }
}

/** The embedded engine ends without a reason that a person could read, so what is known is said: it does not open. */
function cannotOpen(error: unknown, directory: string): unknown {
  const plain = inPlainWords(error, directory);
  if (plain instanceof Error && plain.name === 'StartError') return plain;
  return startError(
    `The embedded database in ${directory} is damaged and can’t be opened (${error instanceof Error ? error.message : String(error)}). Nothing in it was changed on purpose. Put it back from a backup (npm run restore FILE), or move the folder away to begin with an empty one.`,
  );
}

/** An embedded database that lives in memory; `template` is a data directory as `dumpDataDir` makes it. For tests. */
export async function openInMemory(template?: Blob): Promise<DatabaseHandle> {
  const { PGlite } = await import('@electric-sql/pglite');
  const client = await PGlite.create(template ? { loadDataDir: template } : {});
  return handleOf(client, 'Database: in memory', () => undefined);
}

/** The first initdb leaves about 900 MB resident, so a child does it, aside, and the result is renamed into place. */
async function createCluster(directory: string, data: string): Promise<void> {
  const draft = path.join(directory, 'cluster.new');
  fs.rmSync(draft, { recursive: true, force: true });
  const script = `
    process.stdin.resume().on('close', () => process.exit(1)).unref();
    const { PGlite } = await import('@electric-sql/pglite');
    const database = await PGlite.create(process.argv[1]);
    await database.close();`;
  const child = start('database', process.execPath, ['--input-type=module', '-e', script, draft]);
  let said = '';
  child.output?.resume();
  child.errors?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const { code, error } = await child.done;
  if (code !== 0) {
    const lacking = /\b(ENOSPC|EROFS|EDQUOT)\b/.exec(said)?.[1];
    if (lacking) throw inPlainWords(Object.assign(new Error(said), { code: lacking }), directory);
    throw startError(`The embedded database could not be made in ${directory}: ${error?.message ?? said.trim()}`);
  }
  takeRightsOfOthers(draft);
  flushTree(draft);
  fs.rmSync(data, { recursive: true, force: true });
  fs.renameSync(draft, data);
  flush(directory);
}

async function openCluster(data: string): Promise<{ client: PGliteInstance; countFsyncs: () => number }> {
  const [{ PGlite }, { NodeFS }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/nodefs'),
  ]);
  let fsyncs = 0;
  /** Emscripten's node file system has no fsync; without one PostgreSQL's calls return at once. */
  class DurableNodeFS extends NodeFS {
    override async init(...[pg, options]: Parameters<InstanceType<typeof NodeFS>['init']>) {
      const { emscriptenOpts } = await super.init(pg, options);
      const addFsync = (module: unknown) => {
        const { NODEFS } = module as { NODEFS: NodeFileSystem };
        NODEFS.stream_ops.fsync = (stream: { nfd?: number; path?: string }) => {
          if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd);
          fsyncs += 1;
          return 0;
        };
        // Emscripten gives each new file the rights that were asked for, past the process's umask.
        const { setattr } = NODEFS.node_ops;
        NODEFS.node_ops.setattr = (node, attributes) =>
          setattr(
            node,
            attributes.mode === undefined ? attributes : { ...attributes, mode: withoutOthers(attributes.mode) },
          );
      };
      return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
    }
  }
  const client = await PGlite.create({
    fs: new DurableNodeFS(data),
    startParams: durableStartParams(PGlite.defaultStartParams),
  });
  return { client, countFsyncs: () => fsyncs };
}

/** A later PGlite may drop the hook above without a word: one commit must cause at least one fsync. */
async function proveDurability(client: PGliteInstance, countFsyncs: () => number, directory: string): Promise<void> {
  await client.exec('create table if not exists durability_check (at timestamptz)');
  const before = countFsyncs();
  await client.exec('delete from durability_check; insert into durability_check values (now())');
  if (countFsyncs() > before) return;
  await client.close();
  throw startError(`The embedded database in ${directory} does not write through to the disk. It was not opened.`);
}

function handleOf(client: PGliteInstance, describe: string, unlock: () => void): DatabaseHandle {
  return {
    kind: 'embedded',
    client,
    describe,
    async query(query) {
      const result = await client.query<Record<string, unknown>>(query.text, query.values);
      return { rows: result.rows, rowCount: Math.max(result.rows.length, result.affectedRows ?? 0) };
    },
    async close() {
      await client.close();
      unlock();
    },
  };
}
