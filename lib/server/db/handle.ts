import 'server-only';
import type { Changes } from './changes';

/** A statement with `$1` parameters, as both drivers take it. */
export type RawQuery = { text: string; values?: unknown[] };

/**
 * An open database, shared by everything in the process. Two bundles live in it (Next's routes and the server in
 * front), so the handle holds the driver's client and each bundle puts its own drizzle on it.
 */
export type DatabaseHandle = {
  kind: 'embedded' | 'postgresql';
  /** The driver's client: a PGlite or a node-postgres pool. */
  client: unknown;
  /** One line for a person: what it is and where it lies. */
  describe: string;
  query(query: RawQuery): Promise<{ rows: Record<string, unknown>[]; rowCount: number }>;
  /** Begins to tell of changed accounts; at the first use, since a worker needs none of it. */
  watchAccounts(onChange: (account: string | null) => void): Changes;
  close(): Promise<void>;
};
