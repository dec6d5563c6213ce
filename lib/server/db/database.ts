import 'server-only';
import type { ExtractTablesWithRelations, SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import type * as schema from './schema';

type Schema = typeof schema;

/** The database behind either driver. On the embedded one a query on it inside a transaction waits for ever: pass `tx`. */
export type Database = PgDatabase<PgQueryResultHKT, Schema>;

/** An open transaction. */
export type Transaction = PgTransaction<PgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;

/** Either; for operations that do not care. */
export type Executor = Database | Transaction;

/** Runs hand-written SQL and returns its rows as objects, the same on both drivers. Instants come as text. */
export async function rowsOf<Row extends Record<string, unknown>>(db: Executor, query: SQL): Promise<Row[]> {
  const result = (await db.execute(query)) as { rows: Row[] };
  return result.rows;
}
