import 'server-only';
import { eq } from 'drizzle-orm';
import { productLines } from '../../catalog/brands';
import type { OrderStatus } from '../../contract/order-statuses';
import { momentInWords } from '../../utils/moment-words';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { subscriptions } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import { isRenewalCharge, type Order } from '../sales/change-order';
import { planTitleOf } from '../sales/order-title';
import { RENEWAL_GRACE_MS } from '../sales/period';

type Unpaid = Extract<OrderStatus, 'failed' | 'cancelled' | 'expired'>;

const reasons: Record<Unpaid, string> = {
  failed: 'did not go through',
  cancelled: 'was cancelled',
  expired: 'was not confirmed in time',
};

function isUnpaid(status: OrderStatus): status is Unpaid {
  return status in reasons;
}

/**
 * Tells by mail how a payment ended that somebody waits for and that brought no licence: one that was pending, and one
 * for the next period of a plan. `order` is as it was before; a declined card on the open payment page says so there.
 */
export async function mailResult(ctx: Context, tx: Transaction, order: Order, to: OrderStatus): Promise<void> {
  // The address goes with the account.
  if (!isUnpaid(to) || order.email === '') return;
  const isCharge = isRenewalCharge(order);
  const isNews = isCharge ? !isUnpaid(order.status) : order.status === 'pending';
  if (!isNews) return;
  if (isCharge) return mailFailedRenewal(ctx, tx, order, to);
  const { store } = productLines[order.website];
  await writeMail(ctx, tx, {
    to: order.email,
    product: order.productName,
    subject: `Your payment for ${order.productName} ${reasons[to]}`,
    parts: [
      `The payment for ${planTitleOf(order)}, order ${order.id}, ${reasons[to]}. You were not charged.`,
      'If you still want it, you can buy it again, also with another card:',
      { link: `${ctx.env.SITE_URL}${store}?ufrom=${order.os}` },
    ],
  });
}

async function mailFailedRenewal(ctx: Context, tx: Transaction, order: Order, to: Unpaid): Promise<void> {
  const [row] = await tx
    .select({ expiresAt: subscriptions.expiresAt, autoRenew: subscriptions.autoRenew })
    .from(subscriptions)
    .where(eq(subscriptions.id, order.renewalOf ?? ''));
  // A plan that was ended meanwhile: its holder knows, and waits for no renewal.
  if (!row?.expiresAt || !row.autoRenew) return;
  const until = new Date(row.expiresAt.getTime() + RENEWAL_GRACE_MS);
  const life =
    until > ctx.now()
      ? `Your licence works until ${momentInWords(until)}. To keep it, press Renew beside the plan in your account before then, and pay with another card:`
      : 'Your licence has ended. To have it again, press Renew beside the plan in your account, and pay with another card:';
  await writeMail(ctx, tx, {
    to: order.email,
    product: order.productName,
    subject: `Your subscription to ${order.productName} could not be renewed`,
    parts: [
      `The payment for the next period of ${planTitleOf(order)} ${reasons[to]}. You were not charged.`,
      life,
      { link: `${ctx.env.SITE_URL}/account` },
      'If you don’t want to go on, there is nothing to do.',
    ],
  });
}
