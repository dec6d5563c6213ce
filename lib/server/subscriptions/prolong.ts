import 'server-only';
import { eq } from 'drizzle-orm';
import { dollars } from '../../catalog/plans';
import { momentInWords } from '../../utils/moment-words';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory, subscriptions } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import type { Order } from '../sales/change-order';
import { addPeriod } from '../sales/period';
import { statusAt } from '../sales/plan-state';

/** Prolongs a subscription by the period that a renewal order paid for. Part of the transaction that marks it paid. */
export async function prolong(ctx: Context, tx: Transaction, order: Order, subscriptionId: string): Promise<void> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)).for('update');
  // The account was erased meanwhile: the order stays paid, there is nothing to prolong.
  if (!row) return;
  const now = ctx.now();
  // Periods follow each other without a gap, unless the licence had stopped: then the new one starts when it is paid.
  const hadStopped = statusAt(row, now) === 'expired' || !row.expiresAt;
  const from = hadStopped || !row.expiresAt ? now : row.expiresAt;
  const expiresAt = addPeriod(from, row.planType, hadStopped ? now : row.startsAt);
  const isBought = order.requestHash !== '';
  await tx
    .update(subscriptions)
    .set({
      expiresAt,
      expiredAt: null,
      remindedAt: null,
      endedBy: null,
      ...(hadStopped ? { startsAt: now } : {}),
      // Who buys the plan again wants it to go on, as the words beside the button say.
      ...(isBought ? { cancelledAt: null, autoRenew: row.planType !== 'perpetual' } : {}),
    })
    .where(eq(subscriptions.id, row.id));
  await tx.update(orders).set({ ownerId: row.ownerId }).where(eq(orders.id, order.id));
  await tx.insert(stateHistory).values({
    subject: 'subscription',
    subjectId: row.id,
    from: statusAt(row, now),
    to: statusAt({ ...row, expiresAt, expiredAt: null, ...(isBought ? { cancelledAt: null } : {}) }, now),
    reason: `renewed by order ${order.id}`,
    at: now,
  });
  await writeMail(ctx, tx, {
    to: order.email,
    product: row.productName,
    subject: `Your subscription to ${row.productName} was renewed`,
    parts: [
      `Your subscription to ${row.productName}, ${row.plan}, was renewed for ${dollars(order.cents)} ${order.currency}.`,
      `${expiresAt ? `It now runs until ${momentInWords(expiresAt)}.` : 'It does not expire.'} Order number: ${order.id}`,
      expiresAt
        ? 'You find the receipt in your account, and can cancel the renewal there:'
        : 'You find the receipt in your account:',
      { link: `${ctx.env.SITE_URL}/account` },
    ],
  });
}
