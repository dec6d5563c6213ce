import 'server-only';
import { decimal } from '../../catalog/plans';
import type { OwnedProduct, SubscriptionStatus } from '../../contract/account';
import type { subscriptions } from '../db/schema';
import type { Order } from './change-order';
import { RENEWAL_GRACE_MS } from './period';

/** A row of `subscriptions`. */
export type Subscription = typeof subscriptions.$inferSelect;

/** The state that a subscription is in at `now` (lib/contract/README.md, 74). */
export function statusAt(row: Subscription, now: Date): SubscriptionStatus {
  if (row.expiredAt || (row.expiresAt && row.expiresAt <= now && !isBeingRenewed(row, now))) return 'expired';
  if (row.cancelledAt) return 'unsubscribe';
  return row.activatedAt ? 'normal' : 'activate';
}

/** Its date has come and the next period is not paid yet: the licence goes on for the time that this may take. */
function isBeingRenewed({ autoRenew, cancelledAt, expiresAt }: Subscription, now: Date): boolean {
  return autoRenew && !cancelledAt && expiresAt !== null && now.getTime() < expiresAt.getTime() + RENEWAL_GRACE_MS;
}

/** A subscription as the wire shows it; `papers` are the orders that belong to it. */
export function ownedProduct(row: Subscription, now: Date, papers: readonly Order[]): OwnedProduct {
  const status = statusAt(row, now);
  const autoRenew = row.autoRenew && (status === 'normal' || status === 'activate');
  const isDue = row.expiresAt !== null && row.expiresAt <= now;
  const unpaid = papers.some(
    (order) => order.renewalOf === row.id && isRefused(order) && row.expiresAt && order.createdAt >= row.expiresAt,
  );
  const price = agreedOrder(row, papers);
  // What ended early ended on that day, whatever its date would have been.
  const end = row.expiredAt && (!row.expiresAt || row.expiredAt < row.expiresAt) ? row.expiredAt : row.expiresAt;
  return {
    id: row.id,
    product: row.productName,
    currentPlan: row.plan,
    type: row.planType,
    expirationDate: end?.toISOString() ?? null,
    status,
    licenceCode: row.licenceCode,
    autoRenew,
    endedBy: status === 'expired' ? row.endedBy : null,
    nextCharge:
      autoRenew && row.expiresAt && price && !unpaid
        ? { amount: decimal(price.cents), currency: price.currency, at: row.expiresAt.toISOString() }
        : null,
    graceUntil:
      autoRenew && isDue && unpaid && row.expiresAt
        ? new Date(row.expiresAt.getTime() + RENEWAL_GRACE_MS).toISOString()
        : null,
  };
}

function isRefused({ status }: Order): boolean {
  return status === 'failed' || status === 'cancelled' || status === 'expired';
}

/**
 * The order in which the buyer agreed to price and means of payment: the newest paid one that was bought, not charged
 * by us. Renewals take both from it, whatever the store asks for today.
 */
export function agreedOrder(row: Pick<Subscription, 'id' | 'orderId'>, papers: readonly Order[]): Order | undefined {
  return papers
    .filter((order) => (order.id === row.orderId || order.renewalOf === row.id) && order.requestHash !== '')
    .filter((order) => order.paidAt !== null)
    .sort((a, b) => Number(b.paidAt) - Number(a.paidAt))[0];
}
