import 'server-only';
import type { OrderStatus } from '../../contract/order-statuses';

/** What moves an order: the provider's word or time, the buyer's withdrawal, or money that the provider took back. */
export type Cause = 'payment' | 'withdrawal' | 'reversal';

/**
 * The one table of what an order may become. A paid order stays paid, unless its buyer withdraws or its money went back. A payment that arrives after the order was given
 * up still counts, since the money was taken: no paid order is lost.
 */
const orderTransitions: Record<Cause, Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  payment: {
    created: ['pending', 'success', 'failed', 'cancelled', 'expired'],
    pending: ['success', 'failed', 'cancelled', 'expired'],
    failed: ['pending', 'success', 'cancelled', 'expired'],
    cancelled: ['success'],
    expired: ['success'],
  },
  withdrawal: { success: ['cancelled'] },
  reversal: { success: ['cancelled'] },
};

/** True when the table allows the step. */
export function mayBecome(from: OrderStatus, to: OrderStatus, cause: Cause = 'payment'): boolean {
  return orderTransitions[cause][from]?.includes(to) ?? false;
}
