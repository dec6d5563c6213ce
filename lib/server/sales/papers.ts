import 'server-only';
import { or, sql } from 'drizzle-orm';
import type { Executor } from '../db/database';
import { preparedOnce } from '../db/prepared';
import { orders } from '../db/schema';
import type { Order } from './change-order';
import type { Subscription } from './plan-state';

/** By lists in one value each, so that the text is the same for any number. */
const papers = preparedOnce('papers', (db) =>
  db
    .select()
    .from(orders)
    .where(
      or(
        sql`${orders.id} = any(${sql.placeholder('orderIds')}::text[])`,
        sql`${orders.renewalOf} = any(${sql.placeholder('ids')}::text[])`,
      ),
    ),
);

/** Every order that bought or prolongs one of these subscriptions. */
export async function papersOf(db: Executor, rows: readonly Pick<Subscription, 'id' | 'orderId'>[]): Promise<Order[]> {
  if (rows.length === 0) return [];
  return papers(db).execute({ orderIds: rows.map(({ orderId }) => orderId), ids: rows.map(({ id }) => id) });
}
