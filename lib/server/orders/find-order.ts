import 'server-only';
import { eq } from 'drizzle-orm';
import type { User } from '../accounts/find-session';
import type { Executor } from '../db/database';
import { orders } from '../db/schema';
import type { Order } from '../sales/change-order';

/**
 * An order that `user` may see. One made by a guest opens to whoever has its unguessable number; one made by somebody
 * signed in opens to that user alone, and answers everyone else as if it did not exist.
 */
export async function findOrder(db: Executor, orderId: string, user: User | null): Promise<Order | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order || (order.createdBy !== null && order.createdBy !== user?.id)) return null;
  return order;
}
