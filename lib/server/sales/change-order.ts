import 'server-only';
import { eq } from 'drizzle-orm';
import type { OrderStatus } from '../../contract/order-statuses';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory } from '../db/schema';
import { type Cause, mayBecome } from './transitions';

/** A row of `orders`. */
export type Order = typeof orders.$inferSelect;

/** How long a payment may stay pending before the order is given up. */
const PENDING_LIFE_MS = 7 * 86_400_000;

/** True for the order of a renewal that is charged by itself; one that the owner asks for has a request to compare. */
export function isRenewalCharge(order: Pick<Order, 'renewalOf' | 'requestHash'>): boolean {
  return order.renewalOf !== null && order.requestHash === '';
}

/** Reads an order and keeps it locked until the transaction ends. */
export async function lockOrder(tx: Transaction, orderId: string): Promise<Order | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update');
  return order ?? null;
}

/** Moves a locked order to another state, with a line in the history; the time at which. Null, and no change, where the table forbids it. */
export async function changeOrder(
  ctx: Context,
  tx: Transaction,
  order: Order,
  to: OrderStatus,
  reason: string,
  cause: Cause = 'payment',
): Promise<Date | null> {
  if (!mayBecome(order.status, to, cause)) return null;
  const now = ctx.now();
  await tx
    .update(orders)
    .set({
      status: to,
      ...(to === 'success' ? { paidAt: now } : {}),
      ...(cause === 'withdrawal' ? { withdrawnAt: now } : {}),
      ...(to === 'pending' ? { expiresAt: new Date(now.getTime() + PENDING_LIFE_MS) } : {}),
    })
    .where(eq(orders.id, order.id));
  await tx
    .insert(stateHistory)
    .values({ subject: 'order', subjectId: order.id, from: order.status, to, reason, at: now });
  return now;
}
