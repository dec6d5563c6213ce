import 'server-only';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { ok } from '../../contract/result';
import type { PayAnswer } from '../../contract/store';
import type { User } from '../accounts/find-session';
import type { Context } from '../context';
import { orders } from '../db/schema';
import type { PaymentProvider } from '../payment/port';
import { type Outcome, refuse } from '../refusal';
import { lockOrder } from './change-order';
import { findOrder } from './find-order';
import { extendField } from './order-fields';

/** Payload of `POST /pay`. */
export const payRequestSchema = z.object({ orderId: z.string().max(64), payExtend: extendField('payExtend') });

/**
 * Asks the provider for the page on which an order is paid. Asked again for the same order, it answers the same page.
 * `origin` is where the client reached us.
 */
export async function requestPayment(
  ctx: Context,
  provider: PaymentProvider,
  input: z.output<typeof payRequestSchema>,
  user: User | null,
  origin: string,
): Promise<Outcome<PayAnswer>> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, input.orderId);
    const order = locked && (await findOrder(tx, input.orderId, user));
    if (!order) return refuse('notFound', 'There is no such order.');
    if (order.status === 'success') return refuse('conflict', 'This order is already paid.');
    if (order.status === 'pending') {
      return refuse('conflict', 'The payment of this order is still being processed. The result is sent by e-mail.');
    }
    if (order.status === 'cancelled' || order.status === 'expired') {
      return refuse('conflict', 'This order is closed. Please choose the product again.');
    }
    const checkout = await provider.openCheckout(ctx, tx, order, origin);
    await tx
      .update(orders)
      .set({ provider: provider.name, providerReference: checkout.reference, payExtend: input.payExtend })
      .where(eq(orders.id, order.id));
    return ok({ redirectUrl: checkout.redirectUrl });
  });
}
