import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, subscriptions } from '../db/schema';
import { findProvider } from '../payment/providers';
import { changeOrder, type Order } from '../sales/change-order';

/** True when nobody is left who could get what an order pays for: its account was erased. */
export async function isForNobody(tx: Transaction, order: Order): Promise<boolean> {
  if (!order.renewalOf) return order.createdBy === null && order.email === '';
  const [row] = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.id, order.renewalOf));
  return row === undefined;
}

/** Gives the money of an order that was just paid back to its payer, as nobody is there who could use the licence. */
export async function giveBack(ctx: Context, tx: Transaction, orderId: string): Promise<void> {
  const [paid] = await tx.select().from(orders).where(eq(orders.id, orderId));
  if (!paid) return;
  await changeOrder(ctx, tx, paid, 'cancelled', 'account erased: the money goes back', 'withdrawal');
  await findProvider(paid.provider ?? '')?.refund(ctx, tx, paid);
}
