import 'server-only';
import path from 'node:path';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { connect } from './connect';
import type { DatabaseHandle } from './handle';
import { underMigrationLock } from './postgres';
import type * as schema from './schema';

/** Where drizzle-kit writes the migrations, seen from the folder the server is started in. */
export const migrationsFolder = path.join('lib', 'server', 'db', 'migrations');

/** Brings the tables to this version; several nodes may start at once. */
export async function migrate(handle: DatabaseHandle): Promise<void> {
  const config = { migrationsFolder: path.resolve(/* turbopackIgnore: true */ migrationsFolder) };
  const db = connect(handle);
  if (handle.kind === 'embedded') {
    await migratePglite(db as PgliteDatabase<typeof schema>, config);
    return;
  }
  await underMigrationLock(handle, () => migratePostgres(db as NodePgDatabase<typeof schema>, config));
}
