import 'server-only';
import { eq } from 'drizzle-orm';
import { dollars } from '../../catalog/plans';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory, subscriptions } from '../db/schema';
import { dateInWords } from '../mail/date-in-words';
import { writeMail } from '../mail/write-mail';
import type { Order } from '../orders/change-order';
import { statusAt } from './display';
import { addPeriod } from './period';

/** Prolongs a subscription by the period that a renewal order paid for. Part of the transaction that marks it paid. */
export async function prolong(ctx: Context, tx: Transaction, order: Order, subscriptionId: string): Promise<void> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)).for('update');
  // The account was erased meanwhile: the order stays paid, there is nothing to prolong.
  if (!row) return;
  const now = ctx.now();
  // A renewal that was paid late starts when it was paid.
  const from = row.expiresAt && row.expiresAt > now ? row.expiresAt : now;
  const expiresAt = addPeriod(from, row.planType);
  await tx
    .update(subscriptions)
    .set({ expiresAt, expiredAt: null, remindedAt: null })
    .where(eq(subscriptions.id, row.id));
  await tx.update(orders).set({ ownerId: row.ownerId }).where(eq(orders.id, order.id));
  await tx.insert(stateHistory).values({
    subject: 'subscription',
    subjectId: row.id,
    from: statusAt(row, now),
    to: statusAt({ ...row, expiresAt, expiredAt: null }, now),
    reason: `renewed by order ${order.id}`,
    at: now,
  });
  await writeMail(ctx, tx, {
    to: order.email,
    subject: `Your subscription to ${row.productName} was renewed`,
    parts: [
      `Your subscription to ${row.productName}, ${row.plan}, was renewed for ${dollars(order.cents)} ${order.currency}.`,
      `It now runs until ${expiresAt ? dateInWords(expiresAt) : 'you cancel it'}. Order number: ${order.id}`,
      'You find the receipt in your account, and can cancel the renewal there:',
      { link: `${ctx.env.SITE_URL}/account` },
    ],
  });
}
