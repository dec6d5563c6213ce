import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { withoutOthers } from '../base/private-folder';
import { inPlainWords, startError } from '../base/start-error';
import { ACCOUNTS_CHANNEL } from './changes';
import { EngineTurns, type Lane, laneOf } from './engine-turns';
import type { DatabaseHandle } from './handle';
import { lockDirectory } from './lock';
import { LogFlusher } from './log-flusher';
import { createCluster } from './new-cluster';
import { keepStatementsReady } from './ready-statements';

type PGliteModule = typeof import('@electric-sql/pglite');
type Transaction = import('@electric-sql/pglite').Transaction;
/** What of Emscripten's node file system is changed here. */
type Stream = { nfd?: number; path?: string };
type NodeFileSystem = {
  stream_ops: {
    fsync?: (stream: Stream) => number;
    write: (stream: Stream, buffer: Int8Array, offset: number, length: number, position: number) => number;
    close: (stream: Stream) => void;
  };
  node_ops: {
    setattr: (node: unknown, attributes: { mode?: number; size?: number }) => void;
    rename: (...what: unknown[]) => void;
    unlink: (...what: unknown[]) => void;
  };
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
    const { client, flusher } = await openCluster(data);
    await proveDurability(client, flusher, directory);
    return handleOf(client, `Database: embedded, in ${directory}`, unlock, flusher);
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
  const library = await import('@electric-sql/pglite');
  const client = await library.PGlite.create(template ? { loadDataDir: template } : {});
  keepStatementsReady(client);
  return handleOf(client, 'Database: in memory', () => undefined);
}

async function openCluster(data: string): Promise<{ client: PGliteInstance; flusher: LogFlusher }> {
  const [library, { NodeFS }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/nodefs'),
  ]);
  const { PGlite } = library;
  const flusher = new LogFlusher();
  /** Emscripten's node file system has no fsync; without one PostgreSQL's calls return at once. */
  class DurableNodeFS extends NodeFS {
    override async init(...[pg, options]: Parameters<InstanceType<typeof NodeFS>['init']>) {
      const { emscriptenOpts } = await super.init(pg, options);
      const hook = (module: unknown) => hookFileSystem((module as { NODEFS: NodeFileSystem }).NODEFS, flusher);
      return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
    }
  }
  const client = await PGlite.create({
    fs: new DurableNodeFS(data),
    startParams: durableStartParams(PGlite.defaultStartParams),
  });
  keepStatementsReady(client);
  takeTurns(client, flusher);
  flusher.group();
  return { client, flusher };
}

/** Tells the flusher of what the engine does to its files, in the order in which it does it. */
function hookFileSystem({ stream_ops: streams, node_ops: nodes }: NodeFileSystem, flusher: LogFlusher): void {
  const { write, close } = streams;
  streams.fsync = ({ nfd, path: file = '' }) => {
    if (nfd !== undefined) flusher.sync(file, nfd);
    return 0;
  };
  streams.write = (stream, buffer, offset, length, position) => {
    flusher.beforeWrite(stream.path ?? '', new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length));
    return write(stream, buffer, offset, length, position);
  };
  streams.close = (stream) => {
    if (stream.nfd !== undefined) flusher.beforeClose(stream.nfd);
    close(stream);
  };
  const { setattr, rename, unlink } = nodes;
  // Emscripten gives each new file the rights that were asked for, past the process's umask.
  nodes.setattr = (node, attributes) => {
    if (attributes.size !== undefined) flusher.flushNow();
    const { mode } = attributes;
    setattr(node, mode === undefined ? attributes : { ...attributes, mode: withoutOthers(mode) });
  };
  nodes.rename = (...what) => {
    flusher.flushNow();
    rename(...what);
  };
  nodes.unlink = (...what) => {
    flusher.flushNow();
    unlink(...what);
  };
}

/**
 * Everybody takes turns at the engine, and nobody is told anything of the database before all that it then holds is on the disk.
 *
 * Put on the instance: what the client calls of itself inside a transaction goes past it, so nobody waits for a flush while holding it.
 */
function takeTurns(client: PGliteInstance, flusher: LogFlusher): void {
  const turns = new EngineTurns();
  const settled = async <Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await turns.take(lane, work);
    } finally {
      const flushed = flusher.settled();
      if (flushed) await flushed;
    }
  };
  const { query, exec, transaction } = client;
  client.query = ((...sent: Parameters<typeof query>) =>
    settled(laneOf(sent[0]), () => query.apply(client, sent))) as typeof query;
  client.exec = (...sent) => settled('write', () => exec.apply(client, sent));
  client.transaction = ((work: Parameters<typeof transaction>[0]) =>
    settled('write', () => transaction.call(client, (tx) => work(withPauses(tx, turns))))) as typeof transaction;
}

/** A transaction whose statements leave the event loop its turn. */
function withPauses(tx: Transaction, turns: EngineTurns): Transaction {
  const { query } = tx;
  tx.query = (async (...sent: Parameters<typeof query>) => {
    await turns.pause();
    return query.apply(tx, sent);
  }) as typeof query;
  return tx;
}

/** A later PGlite may drop the hook above without a word: one commit must cause at least one fsync. */
async function proveDurability(client: PGliteInstance, flusher: LogFlusher, directory: string): Promise<void> {
  await client.exec('create table if not exists durability_check (at timestamptz)');
  const before = flusher.flushes;
  await client.exec('delete from durability_check; insert into durability_check values (now())');
  if (flusher.flushes > before) return;
  await client.close();
  throw startError(`The embedded database in ${directory} does not write through to the disk. It was not opened.`);
}

function handleOf(client: PGliteInstance, describe: string, unlock: () => void, flusher?: LogFlusher): DatabaseHandle {
  return {
    kind: 'embedded',
    client,
    describe,
    async query(query) {
      const result = await client.query<Record<string, unknown>>(query.text, query.values);
      return { rows: result.rows, rowCount: Math.max(result.rows.length, result.affectedRows ?? 0) };
    },
    watchAccounts(onChange) {
      // Told within the query that commits the change, so before anybody is answered.
      let isWatching = false;
      const begun = client.listen(ACCOUNTS_CHANNEL, onChange).then((end) => {
        isWatching = true;
        return end;
      });
      return {
        areTold: () => isWatching,
        stop: async () => {
          isWatching = false;
          await (await begun)();
        },
      };
    },
    async close() {
      flusher?.ungroup();
      await client.close();
      unlock();
    },
  };
}
