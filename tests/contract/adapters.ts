import type { DatabaseHandle } from '@/lib/server/db/handle';
import { migrate } from '@/lib/server/db/migrate';
import { openPostgres } from '@/lib/server/db/postgres';
import { openMigrated } from '../api/harness/template';
import { startPostgres } from '../support/postgres';

/** A database that the whole suite must pass on. `open` gives a fresh, migrated one. */
export type Adapter = { name: string; open(): Promise<DatabaseHandle>; stop(): Promise<void> };

/** A server of the test's own, for what needs several connections or processes. */
export type Server = Adapter & { urlOf(handle: DatabaseHandle): string };

/** The embedded database, in memory. */
export const embedded: Adapter = { name: 'embedded', open: openMigrated, stop: async () => undefined };

/** A real PostgreSQL of the test's own, or null where its programs are not installed or do not run. */
export async function postgresql(): Promise<Server | null> {
  const server = await startPostgres();
  if (!server) return null;
  const urls = new Map<DatabaseHandle, string>();
  return {
    name: 'PostgreSQL',
    urlOf: (handle) => urls.get(handle) ?? '',
    async open() {
      const url = await server.newDatabase();
      const handle = await openPostgres(url, 10);
      urls.set(handle, url);
      await migrate(handle);
      return handle;
    },
    stop: () => server.stop(),
  };
}
