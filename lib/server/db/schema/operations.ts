import { bigint, bigserial, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import type { EventLog } from '../../../contract/requests/events';
import { instant } from './columns';

/** Mails, written in the transaction of what they tell of. `kept` stays in the outbox, `queued` waits for SMTP. */
export const mails = pgTable(
  'mails',
  {
    id: text().primaryKey(),
    to: text().notNull(),
    replyTo: text(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    status: text().$type<'kept' | 'queued' | 'sent' | 'failed'>().notNull(),
    createdAt: instant().notNull(),
    sentAt: instant(),
  },
  (table) => [index().on(table.createdAt)],
);

/** Work to be done at least once, with effect exactly once: see lib/server/jobs. */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** At most one job with the same key exists; null for jobs that need no such rule. */
    uniqueKey: text().unique(),
    status: text().$type<'waiting' | 'running' | 'dead'>().notNull(),
    /** Times it was taken up; with the worker's name it fences the effect. */
    attempts: integer().notNull().default(0),
    /** Attempts that failed for a reason of the job itself; a killed server or a full disk counts none. */
    failures: integer().notNull().default(0),
    /** Whom the work is for, so that nobody's many jobs stand before somebody else's one; empty where that does not matter. */
    owner: text().notNull().default(''),
    /** The round of the queue in which it comes: one job for each owner in every round (start-time fair queueing). */
    turn: bigint({ mode: 'number' }).notNull().default(0),
    runAt: instant().notNull(),
    lockedBy: text(),
    leaseUntil: instant(),
    lastError: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.status, table.kind, table.runAt),
    index().on(table.status, table.kind, table.turn, table.runAt),
    index().on(table.owner),
  ],
);

/** Counters of rate-limiter-flexible, in the columns that it expects. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: varchar({ length: 255 }).primaryKey(),
    points: integer().notNull().default(0),
    expire: bigint({ mode: 'number' }),
  },
  (table) => [index().on(table.expire)],
);

/** The event log (specification section 3), kept for a limited time. */
export const events = pgTable(
  'events',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: instant().notNull(),
    event: jsonb().$type<EventLog>().notNull(),
  },
  (table) => [index().on(table.at)],
);

/** What visitors write on the contact page. */
export const contactMessages = pgTable('contact_messages', {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  subject: text().notNull(),
  message: text().notNull(),
  createdAt: instant().notNull(),
});
