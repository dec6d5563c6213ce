import 'server-only';
import { and, eq, exists, inArray, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import { logWarning } from '../base/log';
import type { Context } from '../context';
import { orders, stateHistory, subscriptions, users } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { writeMail } from '../mail/write-mail';
import { ERASED } from './close-open-orders';

const DAY_MS = 86_400_000;
/** Longest list of one kind in the mail. */
const NAMED = 50;
/** So long after its date a renewal is charged or the licence ends; later, something is stuck. */
const RENEWAL_LATE_MS = 4 * DAY_MS;
/** So long after a withdrawal the provider has told that the money has gone; later, it has not. */
const REFUND_LATE_MS = 3 * DAY_MS;

/** What should never be, each by the numbers of the orders or licences. */
export type OrderFaults = {
  paidWithoutLicence: string[];
  licenceWithoutAddress: string[];
  renewalOfNobody: string[];
  refundUnconfirmed: string[];
};

async function idsOf(rows: Promise<{ id: string }[]>): Promise<string[]> {
  return (await rows).map(({ id }) => id);
}

/** Looks for paid orders that gave nothing, licences that cannot be told to anybody, and renewals nobody can cancel. */
export async function findOrderFaults(ctx: Context): Promise<OrderFaults> {
  const { db } = ctx;
  // Nobody is missing the licence of an account that was erased.
  const erased = db
    .select({ one: sql`1` })
    .from(stateHistory)
    .where(
      and(eq(stateHistory.subject, 'order'), eq(stateHistory.subjectId, orders.id), eq(stateHistory.reason, ERASED)),
    );
  const licence = db
    .select({ one: sql`1` })
    .from(subscriptions)
    .where(or(eq(subscriptions.orderId, orders.id), eq(subscriptions.id, orders.renewalOf)));
  const renewed = db
    .select({ one: sql`1` })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, orders.renewalOf), isNull(subscriptions.expiredAt)));
  const owner = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, subscriptions.ownerId), eq(users.email, '')));
  const overdue = new Date(ctx.now().getTime() - RENEWAL_LATE_MS);
  const [paidWithoutLicence, licenceWithoutAddress, refundUnconfirmed, openRenewals, stuckRenewals] = await Promise.all(
    [
      idsOf(
        db
          .select({ id: orders.id })
          .from(orders)
          .where(and(eq(orders.status, 'success'), notExists(licence), notExists(erased)))
          .limit(NAMED),
      ),
      idsOf(db.select({ id: subscriptions.id }).from(subscriptions).where(exists(owner)).limit(NAMED)),
      unconfirmedRefunds(ctx),
      idsOf(
        db
          .select({ id: orders.id })
          .from(orders)
          .where(
            and(
              eq(orders.requestHash, ''),
              isNotNull(orders.renewalOf),
              inArray(orders.status, ['created', 'pending']),
              notExists(renewed),
            ),
          )
          .limit(NAMED),
      ),
      idsOf(
        db
          .select({ id: subscriptions.id })
          .from(subscriptions)
          .where(
            and(
              eq(subscriptions.autoRenew, true),
              isNull(subscriptions.cancelledAt),
              isNull(subscriptions.expiredAt),
              lte(subscriptions.expiresAt, overdue),
            ),
          )
          .limit(NAMED),
      ),
    ],
  );
  const renewalOfNobody = [...openRenewals, ...stuckRenewals];
  return { paidWithoutLicence, licenceWithoutAddress, renewalOfNobody, refundUnconfirmed };
}

/** Orders that their buyers withdrew from and whose money, by the provider's word, has not gone back. */
function unconfirmedRefunds(ctx: Context): Promise<string[]> {
  const late = new Date(ctx.now().getTime() - REFUND_LATE_MS);
  return idsOf(
    ctx.db
      .select({ id: orders.id })
      .from(orders)
      .where(and(isNull(orders.reversedBy), isNotNull(orders.paidAt), lte(orders.withdrawnAt, late)))
      .limit(NAMED),
  );
}

const words: Record<keyof OrderFaults, string> = {
  paidWithoutLicence: 'Paid orders without a licence',
  licenceWithoutAddress: 'Licences whose owner has no address',
  renewalOfNobody: 'Renewals that run although nobody can cancel them any more',
  refundUnconfirmed: 'Withdrawals of which the payment provider has not said that the money went back',
};

/** Once a day: tells the operator, in the log and by mail, of what {@link findOrderFaults} found. */
export const checkOrders: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 120,
  repeatSeconds: DAY_MS / 1000,
  async run(ctx) {
    const faults = await findOrderFaults(ctx);
    const found = (Object.keys(words) as (keyof OrderFaults)[]).filter((kind) => faults[kind].length > 0);
    if (found.length === 0) return null;
    const lines = found.map((kind) => `${words[kind]}: ${faults[kind].join(', ')}.`);
    logWarning('orders.check', `The daily check of orders found something to look into. ${lines.join(' ')}`);
    return async (tx) => {
      await writeMail(ctx, tx, {
        to: ctx.env.CONTACT_TO,
        subject: 'Orders that need somebody to look at them',
        parts: ['The daily check of orders found what should never be:', ...lines],
      });
    };
  },
};
