import 'server-only';
import { and, eq, inArray, isNull, lte, ne } from 'drizzle-orm';
import { keptDays } from '../../catalog/retention';
import type { Transaction } from '../db/database';
import {
  auditLog,
  contactMessages,
  events,
  healthChecks,
  jobs,
  mails,
  orderLinks,
  orders,
  paymentEvents,
  rateLimits,
  registrations,
  resetCodes,
  sandboxPayments,
  sessions,
  signInAttempts,
  stateHistory,
  tickets,
} from '../db/schema';
import type { JobHandler } from '../jobs/types';

const DAY_MS = 86_400_000;

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
      await tx.delete(signInAttempts).where(lte(signInAttempts.expiresAt, now));
      await tx.delete(tickets).where(lte(tickets.expiresAt, now));
      await tx.delete(orderLinks).where(lte(orderLinks.expiresAt, now));
      await tx.delete(registrations).where(lte(registrations.expiresAt, now));
      await tx.delete(resetCodes).where(lte(resetCodes.expiresAt, now));
      await tx.delete(rateLimits).where(lte(rateLimits.expire, now.getTime()));
      await tx.delete(events).where(lte(events.at, before(keptDays.events)));
      await tx.delete(mails).where(and(ne(mails.status, 'kept'), lte(mails.createdAt, before(keptDays.mails))));
      await tx.delete(jobs).where(and(eq(jobs.status, 'dead'), lte(jobs.createdAt, before(keptDays.jobs))));
      await tx.delete(auditLog).where(lte(auditLog.at, before(keptDays.audit)));
      await tx.delete(contactMessages).where(lte(contactMessages.createdAt, before(keptDays.messages)));
      await tx.delete(healthChecks).where(lte(healthChecks.at, before(keptDays.healthChecks)));
      await sweepUnpaidOrders(tx, before(keptDays.unpaidOrders));
    };
  },
};

/** Orders that ended without a payment, with what tells of them. By then no provider has a page on which they could still be paid. */
async function sweepUnpaidOrders(tx: Transaction, before: Date): Promise<void> {
  const gone = await tx
    .delete(orders)
    .where(
      and(
        isNull(orders.paidAt),
        inArray(orders.status, ['failed', 'cancelled', 'expired']),
        lte(orders.createdAt, before),
      ),
    )
    .returning({ id: orders.id });
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await tx.delete(paymentEvents).where(inArray(paymentEvents.orderId, ids));
  await tx.delete(sandboxPayments).where(inArray(sandboxPayments.orderId, ids));
  await tx.delete(stateHistory).where(and(eq(stateHistory.subject, 'order'), inArray(stateHistory.subjectId, ids)));
}
