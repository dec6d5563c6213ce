import 'server-only';
import { eq } from 'drizzle-orm';
import type { EndedBy } from '../../contract/account';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { stateHistory, subscriptions } from '../db/schema';
import type { Order } from '../sales/change-order';
import { statusAt } from '../sales/plan-state';

/**
 * Ends the licence that an order paid for, since its money goes back. An order that prolonged a subscription ends it
 * too: what is paid back is the period that it would run on. False when there is none that still runs.
 */
export async function endEarly(
  ctx: Context,
  tx: Transaction,
  order: Order,
  endedBy: EndedBy | null,
  reason: string,
): Promise<boolean> {
  const belongs = order.renewalOf ? eq(subscriptions.id, order.renewalOf) : eq(subscriptions.orderId, order.id);
  const [row] = await tx.select().from(subscriptions).where(belongs).for('update');
  if (!row || row.expiredAt) return false;
  const now = ctx.now();
  await tx.update(subscriptions).set({ expiredAt: now, autoRenew: false, endedBy }).where(eq(subscriptions.id, row.id));
  await tx.insert(stateHistory).values({
    subject: 'subscription',
    subjectId: row.id,
    from: statusAt(row, now),
    to: 'expired',
    reason,
    at: now,
  });
  return true;
}
