import 'server-only';
import { eq } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { orders, subscriptions } from '../db/schema';
import { findProvider } from '../payment/providers';
import { lockOrder } from '../sales/change-order';
import { takeBack } from '../settlement/apply-reversal';
import { endEarly } from '../subscriptions/end-early';

/** Gives the money of a paid order back by its provider, ends its licence and tells the buyer. Once. */
export async function refundOrder(ctx: Context, orderId: string): Promise<Outcome<unknown>> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId.toUpperCase());
    if (!order) return refuse('notFound', 'There is no such order.');
    if (order.withdrawnAt || order.reversedBy) return refuse('conflict', 'The money of this order went back already.');
    if (!(await takeBack(ctx, tx, order, 'refund', 'refunded by the operator'))) {
      return refuse('conflict', 'This order was not paid, so there is nothing to give back.');
    }
    await findProvider(order.provider ?? '')?.refund(ctx, tx, order);
    return ok({ refunded: order.id, by: order.provider });
  });
}

/** Ends a licence now, by its code or its order's number; no money goes back and its holder is not told. */
export async function endLicence(ctx: Context, asked: string): Promise<Outcome<unknown>> {
  const [owned] = await ctx.db
    .select({ orderId: subscriptions.orderId })
    .from(subscriptions)
    .where(eq(subscriptions.licenceCode, asked.toUpperCase()));
  return ctx.db.transaction(async (tx) => {
    const [order] = await tx
      .select()
      .from(orders)
      .where(eq(orders.id, owned?.orderId ?? asked.toUpperCase()))
      .for('update');
    const isEnded = order && (await endEarly(ctx, tx, order, null, 'ended by the operator'));
    return isEnded ? ok({ ended: order.id }) : refuse('notFound', 'There is no licence of it that still runs.');
  });
}
