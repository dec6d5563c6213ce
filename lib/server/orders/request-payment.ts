import 'server-only';
import { eq } from 'drizzle-orm';
import type { PayAnswer } from '../../contract/pay';
import type { PayRequest } from '../../contract/requests/pay';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { orders } from '../db/schema';
import type { PaymentProvider } from '../payment/port';
import { lockOrder, type Order } from '../sales/change-order';
import { findOrder } from './find-order';

/**
 * Asks the provider for the page on which an order is paid. Asked again for the same order, it answers the same page.
 * `origin` is where the client reached us.
 */
export async function requestPayment(
  ctx: Context,
  provider: PaymentProvider,
  input: PayRequest,
  user: User | null,
  origin: string,
): Promise<Outcome<PayAnswer>> {
  const order = await findOrder(ctx.db, input.orderId, user);
  if (!order) return refuse('notFound', 'There is no such order.');
  const payable = mayBePaid(order);
  if (!payable.ok) return payable;
  // The provider is asked outside the transaction: a slow answer must not hold the database up.
  const checkout = await provider.openCheckout(ctx, order, origin);
  if (!checkout.ok) return checkout;
  const { reference, redirectUrl } = checkout.value;
  return ctx.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, order.id);
    const stillPayable = locked ? mayBePaid(locked) : refuse('notFound', 'There is no such order.');
    if (!stillPayable.ok) return stillPayable;
    await tx
      .update(orders)
      .set({ provider: provider.name, providerReference: reference, payExtend: input.payExtend })
      .where(eq(orders.id, order.id));
    return ok({ redirectUrl });
  });
}

/** Refuses an order that is paid, being paid or closed. */
function mayBePaid({ status }: Order): Outcome<null> {
  if (status === 'success') return refuse('conflict', 'This order is already paid.');
  if (status === 'pending') {
    return refuse('conflict', 'The payment of this order is still being processed. The result is sent by e-mail.');
  }
  if (status === 'cancelled' || status === 'expired') {
    return refuse('conflict', 'This order is closed. Please choose the product again.');
  }
  return ok(null);
}
