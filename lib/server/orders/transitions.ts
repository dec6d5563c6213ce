import 'server-only';
import type { OrderStatus } from '../../contract/store';

/**
 * The one table of what an order may become. A paid order stays paid. A payment that arrives after the order was given
 * up still counts, since the money was taken: no paid order is lost.
 */
export const orderTransitions: Record<OrderStatus, readonly OrderStatus[]> = {
  created: ['pending', 'success', 'failed', 'cancelled', 'expired'],
  pending: ['success', 'failed', 'cancelled', 'expired'],
  failed: ['pending', 'success', 'cancelled', 'expired'],
  cancelled: ['success'],
  expired: ['success'],
  success: [],
};

/** True when the table allows the step. */
export function mayBecome(from: OrderStatus, to: OrderStatus): boolean {
  return orderTransitions[from].includes(to);
}
