import 'server-only';
import pg from 'pg';
import { startError } from '../base/start-error';
import { type Changes, watchPostgres } from './changes';
import type { DatabaseHandle } from './handle';

/** Number that every process of this product takes as its migration lock. */
const MIGRATION_LOCK = 6_231_947;

/** Opens a pool on a PostgreSQL server and proves that it answers. Throws a `StartError` in plain words otherwise. */
export async function openPostgres(url: string, connections: number): Promise<DatabaseHandle> {
  const pool = new pg.Pool({ connectionString: url, max: connections, connectionTimeoutMillis: 10_000 });
  // An idle connection that the server drops must not end the process; the next query gets a fresh one.
  pool.on('error', () => undefined);
  const place = new URL(url);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message : String(error);
    throw startError(`The database at ${place.host}${place.pathname} does not answer: ${reason}`);
  }
  const watching: Changes[] = [];
  const handle: DatabaseHandle = {
    kind: 'postgresql',
    client: pool,
    describe: `Database: PostgreSQL at ${place.host}${place.pathname}`,
    async query(query) {
      const result = await pool.query(query.text, query.values ?? []);
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    },
    watchAccounts(onChange) {
      const changes = watchPostgres(handle, onChange);
      watching.push(changes);
      return changes;
    },
    async close() {
      await Promise.all(watching.map((changes) => changes.stop()));
      await pool.end();
    },
  };
  return handle;
}

/** Runs `work` while this process alone holds the migration lock. */
export async function underMigrationLock(handle: DatabaseHandle, work: () => Promise<void>): Promise<void> {
  const connection = await (handle.client as pg.Pool).connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await work();
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    connection.release();
  }
}
