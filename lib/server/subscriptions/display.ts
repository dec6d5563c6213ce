import 'server-only';
import type { OwnedProduct, SubscriptionStatus } from '../../contract/account';
import type { subscriptions } from '../db/schema';

/** A row of `subscriptions`. */
export type Subscription = typeof subscriptions.$inferSelect;

/** The state of specification section 4 that a subscription is in at `now`. */
export function statusAt(row: Subscription, now: Date): SubscriptionStatus {
  if (row.expiredAt || (row.expiresAt && row.expiresAt <= now)) return 'expired';
  if (row.cancelledAt) return 'unsubscribe';
  return row.activatedAt ? 'normal' : 'activate';
}

/** A subscription as the wire shows it. */
export function ownedProduct(row: Subscription, now: Date): OwnedProduct {
  const status = statusAt(row, now);
  return {
    id: row.id,
    product: row.productName,
    currentPlan: row.plan,
    type: row.planType,
    expirationDate: row.expiresAt?.toISOString() ?? null,
    status,
    licenceCode: row.licenceCode,
    autoRenew: row.autoRenew && (status === 'normal' || status === 'activate'),
  };
}
