import 'server-only';
import { and, eq, lte, ne } from 'drizzle-orm';
import {
  events,
  jobs,
  mails,
  orderLinks,
  rateLimits,
  registrations,
  resetCodes,
  sessions,
  tickets,
} from '../db/schema';
import type { JobHandler } from '../jobs/types';

const DAY_MS = 86_400_000;
/** How long the event log, sent mails and given-up jobs are kept. */
const KEPT_DAYS = { events: 90, mails: 30, jobs: 30 };

/** Removes what has run out: sessions, tickets, codes, counters, old events, mails and given-up jobs. */
export const sweepLeftovers: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 60,
  repeatSeconds: 600,
  async run(ctx) {
    const now = ctx.now();
    const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
    return async (tx) => {
      await tx.delete(sessions).where(lte(sessions.expiresAt, now));
      await tx.delete(tickets).where(lte(tickets.expiresAt, now));
      await tx.delete(orderLinks).where(lte(orderLinks.expiresAt, now));
      await tx.delete(registrations).where(lte(registrations.expiresAt, now));
      await tx.delete(resetCodes).where(lte(resetCodes.expiresAt, now));
      await tx.delete(rateLimits).where(lte(rateLimits.expire, now.getTime()));
      await tx.delete(events).where(lte(events.at, before(KEPT_DAYS.events)));
      await tx.delete(mails).where(and(ne(mails.status, 'kept'), lte(mails.createdAt, before(KEPT_DAYS.mails))));
      await tx.delete(jobs).where(and(eq(jobs.status, 'dead'), lte(jobs.createdAt, before(KEPT_DAYS.jobs))));
    };
  },
};
