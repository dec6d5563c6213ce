import 'server-only';
import { eq } from 'drizzle-orm';
import type { OrderStatus } from '../../contract/order-statuses';
import { ok } from '../../contract/result';
import { preparePreset } from '../accounts/preset';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import { keepsPasswords } from '../config/sign-in';
import type { Context } from '../context';
import { orders, paymentEvents } from '../db/schema';
import { mailResult } from '../orders/result-mail';
import type { PaymentEvent } from '../payment/port';
import { changeOrder, lockOrder } from '../sales/change-order';
import { mayBecome } from '../sales/transitions';
import { prolong } from '../subscriptions/prolong';
import { fulfil } from './fulfil';
import { giveBack, whyForNobody } from './give-back';

const targets: Record<PaymentEvent['type'], OrderStatus> = {
  pending: 'pending',
  succeeded: 'success',
  failed: 'failed',
  cancelled: 'cancelled',
};

/**
 * Applies what a provider told us, once: the event's id, the order's state, the licence, the account and the mail are
 * one transaction. A repeated, late or overtaken event changes nothing and is answered as received. One for an order
 * that is not there yet is refused, so that the provider sends it again.
 */
export async function applyPaymentEvent(
  ctx: Context,
  provider: string,
  event: PaymentEvent,
): Promise<Outcome<{ applied: boolean }>> {
  const preset = event.type === 'succeeded' && keepsPasswords(ctx.env) ? await preparePreset(ctx) : null;
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, event.orderId);
    if (!order) return refuse('notFound', 'There is no such order yet.');
    const isOther = order.providerReference !== null && order.providerReference !== event.reference;
    if (isOther || order.cents !== event.cents || order.currency !== event.currency) {
      return refuse('conflict', 'The payment does not fit the order.');
    }
    const to = targets[event.type];
    // An order from which the buyer withdrew, or whose money was taken back, stays closed: its money went back.
    const applies = mayBecome(order.status, to) && !order.withdrawnAt && !order.reversedBy;
    const recorded = await tx
      .insert(paymentEvents)
      .values({ provider, eventId: event.id, orderId: order.id, type: event.type, applied: applies, at: ctx.now() })
      .onConflictDoNothing()
      .returning({ eventId: paymentEvents.eventId });
    if (recorded.length === 0 || !applies) return ok({ applied: false });
    // A webhook may be faster than the answer that brings the payment's name: it is needed to give money back.
    if (order.providerReference === null) {
      await tx.update(orders).set({ provider, providerReference: event.reference }).where(eq(orders.id, order.id));
    }
    if (event.payment) await tx.update(orders).set({ paymentReference: event.payment }).where(eq(orders.id, order.id));
    await changeOrder(ctx, tx, order, to, `${provider}: ${event.type}`);
    await mailResult(ctx, tx, order, to);
    const forNobody = to === 'success' ? await whyForNobody(tx, order) : null;
    if (forNobody) await giveBack(ctx, tx, order.id, forNobody);
    else if (order.renewalOf && to === 'success') await prolong(ctx, tx, order, order.renewalOf);
    else if (to === 'success') await fulfil(ctx, tx, order, preset);
    return ok({ applied: true });
  });
}
