import 'server-only';
import { desc, eq, inArray } from 'drizzle-orm';
import { decimal } from '../../catalog/plans';
import type { Context } from '../context';
import { orders, stateHistory, subscriptions } from '../db/schema';

const SHOWN = 100;

/** The orders of a number or an e-mail address, with licences and history, the newest first. */
export async function lookAtOrders(ctx: Context, asked: string) {
  const which = asked.includes('@') ? eq(orders.email, asked.toLowerCase()) : eq(orders.id, asked.toUpperCase());
  const rows = await ctx.db.select().from(orders).where(which).orderBy(desc(orders.createdAt)).limit(SHOWN);
  const ids = rows.map(({ id }) => id);
  const [licences, history] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([
          ctx.db.select().from(subscriptions).where(inArray(subscriptions.orderId, ids)),
          ctx.db.select().from(stateHistory).where(inArray(stateHistory.subjectId, ids)).orderBy(stateHistory.id),
        ]);
  return rows.map((order) => ({
    number: order.id,
    status: order.status,
    product: `${order.productName}, ${order.plan}`,
    amount: `${decimal(order.cents)} ${order.currency}`,
    email: order.email,
    provider: order.provider,
    payment: order.paymentReference ?? order.providerReference,
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    withdrawnAt: order.withdrawnAt,
    reversedBy: order.reversedBy,
    renewalOf: order.renewalOf,
    licences: licences
      .filter(({ orderId }) => orderId === order.id)
      .map(({ licenceCode, autoRenew, expiresAt, expiredAt, endedBy }) => ({
        licenceCode,
        autoRenew,
        expiresAt,
        expiredAt,
        endedBy,
      })),
    history: history
      .filter(({ subjectId }) => subjectId === order.id)
      .map(({ from, to, reason, at }) => ({ from, to, reason, at })),
  }));
}
