import { bigint, bigserial, index, integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
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
    /** The request that made it, to find it in the log; null for periodic jobs. */
    requestId: text(),
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

/** The event log (lib/contract/README.md, 46), kept for a limited time. */
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

/** What operators did on the command line: who by their account on the machine, what, to what; never a secret or an address. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: instant().notNull(),
    /** Name of the account on the machine. */
    actor: text().notNull(),
    act: text().notNull(),
    /** Number of the order, the job, the task or the account; empty where there is none. */
    subject: text().notNull(),
    result: text().notNull(),
  },
  (table) => [index().on(table.at)],
);

/** How repairs ended, counted once each in the transaction that ends them; the tasks themselves are soon deleted. */
export const repairCounts = pgTable(
  'repair_counts',
  {
    format: text().notNull(),
    verdict: text().notNull(),
    repairs: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.format, table.verdict] })],
);

/** A row for each machine, written over to find out whether the database can be written to. */
export const healthChecks = pgTable('health_checks', {
  node: text().primaryKey(),
  at: instant().notNull(),
});

/** What one process tells the others of this database, such as the public address that web nodes are served under. */
export const announcements = pgTable('announcements', {
  name: text().primaryKey(),
  value: text().notNull(),
  at: instant().notNull(),
});
