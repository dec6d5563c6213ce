import 'server-only';
import { guaranteeDays } from '../../catalog/facts';
import { decimal, dollars } from '../../catalog/plans';
import { withdrawalDays } from '../../catalog/vendor';
import type { Withdrawal } from '../../contract/orders';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { writeMail } from '../mail/write-mail';
import { findProvider } from '../payment/providers';
import { changeOrder, lockOrder, type Order } from '../sales/change-order';
import { planTitleOf } from '../sales/order-title';
import { endEarly } from '../subscriptions/end-early';

const DAY_MS = 86_400_000;

/** Until when a buyer may withdraw: the money-back guarantee, and never less than the law gives. Null: not paid. */
export function withdrawalDeadline(order: Order): Date | null {
  if (!order.paidAt) return null;
  const isLong = order.website === 'recovery' && order.os === 'win';
  const days = isLong ? guaranteeDays.recoveryWindows : guaranteeDays.everythingElse;
  return new Date(order.paidAt.getTime() + Math.max(days, withdrawalDays) * DAY_MS);
}

/** The first step: what would be withdrawn from, and until when that is possible. Changes nothing. */
export function previewWithdrawal(ctx: Context, order: Order): Outcome<Withdrawal> {
  const deadline = withdrawalDeadline(order);
  if (!deadline) return refuse('conflict', 'This order was not paid, so there is nothing to withdraw from.');
  if (order.reversedBy && !order.withdrawnAt) return refuse('conflict', 'The money of this order went back already.');
  if (!order.withdrawnAt && deadline <= ctx.now()) {
    return refuse('conflict', 'The time in which you can withdraw from this purchase is over.');
  }
  return ok(withdrawalOf(order, deadline));
}

/** The second step: closes the order, ends its licence, gives the money back and mails the receipt of it. Once. */
export async function withdraw(ctx: Context, orderId: string): Promise<Outcome<Withdrawal>> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return refuse('notFound', 'There is no such order.');
    const preview = previewWithdrawal(ctx, order);
    if (!preview.ok || order.withdrawnAt) return preview;
    const now = await changeOrder(ctx, tx, order, 'cancelled', 'the buyer withdrew', 'withdrawal');
    if (!now) return refuse('conflict');
    await endEarly(ctx, tx, order, 'withdrawal', `withdrawal from order ${order.id}`);
    await findProvider(order.provider ?? '')?.refund(ctx, tx, order);
    await writeMail(ctx, tx, {
      to: order.email,
      product: order.productName,
      subject: `You withdrew from order ${order.id}`,
      parts: [
        `We received your withdrawal from the purchase of ${planTitleOf(order)} on ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
        `${dollars(order.cents)} ${order.currency} go back to the means of payment that you used. The licence no longer works.`,
        'Please keep this mail as your receipt.',
      ],
    });
    return ok({ ...preview.value, withdrawnAt: now.toISOString() });
  });
}

function withdrawalOf(order: Order, deadline: Date): Withdrawal {
  return {
    orderId: order.id,
    title: planTitleOf(order),
    amount: decimal(order.cents),
    currency: order.currency,
    deadline: deadline.toISOString(),
    withdrawnAt: order.withdrawnAt?.toISOString() ?? null,
  };
}
