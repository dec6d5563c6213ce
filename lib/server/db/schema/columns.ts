import { timestamp } from 'drizzle-orm/pg-core';

/** A UTC instant in milliseconds, read as `Date`. */
export function instant() {
  return timestamp({ withTimezone: true, precision: 3, mode: 'date' });
}
