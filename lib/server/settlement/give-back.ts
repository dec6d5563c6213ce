import 'server-only';
import { eq } from 'drizzle-orm';
import { dollars } from '../../catalog/plans';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, subscriptions } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import { findProvider } from '../payment/providers';
import { changeOrder, isRenewalCharge, type Order } from '../sales/change-order';
import { planTitleOf } from '../sales/order-title';

/**
 * Why the money of an order that is being paid can only go back: its account was erased, or the plan that we charged the next period of
 * was ended meanwhile, by a refund, a dispute, a withdrawal or the operator. Null where it gives what it pays for.
 */
export async function whyForNobody(tx: Transaction, order: Order): Promise<'account erased' | 'plan ended' | null> {
  if (!order.renewalOf) return order.createdBy === null && order.email === '' ? 'account erased' : null;
  const [row] = await tx
    .select({ autoRenew: subscriptions.autoRenew })
    .from(subscriptions)
    .where(eq(subscriptions.id, order.renewalOf))
    .for('update');
  if (!row) return 'account erased';
  return isRenewalCharge(order) && !row.autoRenew ? 'plan ended' : null;
}

/** Gives the money of an order that was just paid back to its payer, as there is nobody, or no plan, that it could be for. */
export async function giveBack(
  ctx: Context,
  tx: Transaction,
  orderId: string,
  why: 'account erased' | 'plan ended',
): Promise<void> {
  const [paid] = await tx.select().from(orders).where(eq(orders.id, orderId));
  if (!paid) return;
  await changeOrder(ctx, tx, paid, 'cancelled', `${why}: the money goes back`, 'withdrawal');
  await findProvider(paid.provider ?? '')?.refund(ctx, tx, paid);
  // The address goes with the account.
  if (paid.email === '') return;
  await writeMail(ctx, tx, {
    to: paid.email,
    product: paid.productName,
    subject: `Your payment for ${paid.productName} goes back`,
    parts: [
      `The next period of ${planTitleOf(paid)} was charged, order ${paid.id}, while the plan was being ended. ${dollars(paid.cents)} ${paid.currency} go back to the means of payment that you used, and nothing is charged again.`,
      'If that is not what you expected, answer here with your order number:',
      { link: `${ctx.env.SITE_URL}/contact-us` },
    ],
  });
}
