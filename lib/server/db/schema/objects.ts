import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** What lies in the store and belongs to no task, as the sweep last counted it: one row for each area. */
export const storeStrays = pgTable('store_strays', {
  area: text().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
  countedAt: instant().notNull(),
});

/**
 * Who writes to a resumable upload just now, on whichever node: one holder at a time, until a lease that it renews. `wanted` asks it to
 * let go, as when a sender comes back while its old connection only seems to be open.
 */
export const uploadLocks = pgTable('upload_locks', {
  id: text().primaryKey(),
  holder: text().notNull(),
  wanted: boolean().notNull(),
  leaseUntil: instant().notNull(),
});
