import 'server-only';
import { inArray, or } from 'drizzle-orm';
import type { Executor } from '../db/database';
import { orders } from '../db/schema';
import type { Order } from './change-order';
import type { Subscription } from './plan-state';

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
