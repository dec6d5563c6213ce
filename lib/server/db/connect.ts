import 'server-only';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import { drizzle as onPglite } from 'drizzle-orm/pglite';
import type { Pool } from 'pg';
import type { Database } from './database';
import type { DatabaseHandle } from './handle';
import * as schema from './schema';

/** Puts drizzle on an open handle. Cheap: nothing is opened. */
export function connect(handle: DatabaseHandle): Database {
  if (handle.kind === 'postgresql') {
    return onPostgres(handle.client as Pool, { schema, casing: 'snake_case' });
  }
  return onPglite(handle.client as PGlite, { schema, casing: 'snake_case' });
}
