import 'server-only';
import { eq, or } from 'drizzle-orm';
import { dollars } from '../../catalog/plans';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, paymentEvents } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import type { PaymentProvider, Reversal } from '../payment/port';
import { changeOrder, lockOrder, type Order } from '../sales/change-order';
import { planTitleOf } from '../sales/order-title';
import { endEarly } from '../subscriptions/end-early';

/**
 * Applies a refund or a dispute that happened at the provider, once: the order is closed, its licence ends and the buyer
 * is told by mail. What the buyer withdrew from is closed already: there the refund only shows that the money has gone.
 * One that comes before the word of the payment is refused, so that the provider sends it again: taken now, it would find
 * nothing to end, and the payment told later would give a licence for money that is back.
 */
export async function applyReversal(
  ctx: Context,
  provider: PaymentProvider,
  event: Reversal,
): Promise<Outcome<{ applied: boolean }>> {
  const orderId = event.orderId ?? (await orderOf(ctx, provider, event.payment));
  if (!orderId) return refuse('notFound', 'There is no such order yet.');
  const by = event.type === 'refunded' ? 'refund' : 'dispute';
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || order.provider !== provider.name) return refuse('notFound', 'There is no such order yet.');
    if (order.status !== 'success' && !order.withdrawnAt && !order.reversedBy) {
      return refuse('conflict', 'The payment of this order was not told of yet.');
    }
    const recorded = await tx
      .insert(paymentEvents)
      .values({
        provider: provider.name,
        eventId: event.id,
        orderId: order.id,
        type: event.type,
        applied: order.status === 'success',
        at: ctx.now(),
      })
      .onConflictDoNothing()
      .returning({ eventId: paymentEvents.eventId });
    if (by === 'refund' && order.withdrawnAt && !order.reversedBy) {
      await tx.update(orders).set({ reversedBy: by }).where(eq(orders.id, order.id));
    }
    const applied = recorded.length > 0 && (await takeBack(ctx, tx, order, by, `${provider.name}: ${event.type}`));
    return ok({ applied });
  });
}

/** Closes a paid order whose money goes back, ends its licence and tells the buyer. False, and nothing changes, where it is not paid. */
export async function takeBack(
  ctx: Context,
  tx: Transaction,
  order: Order,
  by: 'refund' | 'dispute',
  reason: string,
): Promise<boolean> {
  if (!(await changeOrder(ctx, tx, order, 'cancelled', reason, 'reversal'))) return false;
  await tx.update(orders).set({ reversedBy: by }).where(eq(orders.id, order.id));
  await endEarly(ctx, tx, order, by, `${by} of order ${order.id}`);
  await writeMail(ctx, tx, {
    to: order.email,
    product: order.productName,
    subject: by === 'refund' ? `Order ${order.id} was refunded` : `The payment of order ${order.id} is disputed`,
    parts: [
      ...reasons(order)[by],
      'If that is not what you expected, answer here with your order number:',
      { link: `${ctx.env.SITE_URL}/contact-us` },
    ],
  });
  return true;
}

function reasons(order: Order): Record<'refund' | 'dispute', string[]> {
  const title = planTitleOf(order);
  const amount = `${dollars(order.cents)} ${order.currency}`;
  return {
    refund: [
      `${amount} for ${title} go back to the means of payment that you used.`,
      'The licence of this order no longer works, and nothing is charged again.',
    ],
    dispute: [
      `Your bank asked for the ${amount} that were paid for ${title} back, as it does when a payment is disputed.`,
      'The licence of this order no longer works, and nothing is charged again.',
    ],
  };
}

/** The order of a payment: by its name here, else as the provider knows it. */
async function orderOf(ctx: Context, provider: PaymentProvider, payment: string): Promise<string | null> {
  const [found] = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(or(eq(orders.paymentReference, payment), eq(orders.providerReference, payment)));
  return found?.id ?? (await provider.orderOf?.(ctx, payment)) ?? null;
}
