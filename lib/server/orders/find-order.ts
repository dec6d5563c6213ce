import 'server-only';
import { eq } from 'drizzle-orm';
import type { User } from '../accounts/find-session';
import type { Executor } from '../db/database';
import { orders } from '../db/schema';
import type { Order } from '../sales/change-order';

/**
 * Whether `user` may see an order. One made by a guest opens to whoever has its unguessable number; one made by somebody
 * signed in opens to that user alone, and answers everyone else as if it did not exist.
 */
export function isOpenTo({ createdBy }: Pick<Order, 'createdBy'>, user: User | null): boolean {
  return createdBy === null || createdBy === user?.id;
}

/** An order that `user` may see. */
export async function findOrder(db: Executor, orderId: string, user: User | null): Promise<Order | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  return order && isOpenTo(order, user) ? order : null;
}
