import 'server-only';
import { inArray, or } from 'drizzle-orm';
import type { Executor } from '../db/database';
import { orders } from '../db/schema';
import type { Order } from '../orders/change-order';
import type { Subscription } from './display';

/** Every order that bought or prolongs one of these subscriptions. */
export async function papersOf(db: Executor, rows: readonly Pick<Subscription, 'id' | 'orderId'>[]): Promise<Order[]> {
  if (rows.length === 0) return [];
  return db
    .select()
    .from(orders)
    .where(
      or(
        inArray(
          orders.id,
          rows.map(({ orderId }) => orderId),
        ),
        inArray(
          orders.renewalOf,
          rows.map(({ id }) => id),
        ),
      ),
    );
}
