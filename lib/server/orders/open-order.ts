import 'server-only';
import { and, eq, gt } from 'drizzle-orm';
import type { User } from '../accounts/find-session';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { orderLinks, orders } from '../db/schema';
import type { Order } from '../sales/change-order';

/** Who asks for an order's papers: its signed-in owner, or whoever holds a mailed link. */
export type Claim = { user: User | null; key: string | null };

/** A paid order that belongs to the user. Anyone else's answers like an unknown one. */
export async function ownOrder(ctx: Context, orderId: string, user: User): Promise<Order | null> {
  const [order] = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.ownerId, user.id)));
  return order ?? null;
}

/** The order that a mailed link opens, while it is valid. */
export async function linkedOrder(ctx: Context, key: string): Promise<Order | null> {
  const [row] = await ctx.db
    .select({ order: orders })
    .from(orderLinks)
    .innerJoin(orders, eq(orders.id, orderLinks.orderId))
    .where(and(eq(orderLinks.keyHash, digest(key)), gt(orderLinks.expiresAt, ctx.now())));
  return row?.order ?? null;
}

/** The order that a claim opens. */
export async function openOrder(ctx: Context, orderId: string, claim: Claim): Promise<Outcome<Order>> {
  const owned = claim.user && (await ownOrder(ctx, orderId, claim.user));
  const linked = !owned && claim.key ? await linkedOrder(ctx, claim.key) : null;
  const order = owned || (linked?.id === orderId ? linked : null);
  return order ? { ok: true, value: order } : refuse('notFound', 'There is no such order.');
}
