import 'server-only';
import { eq } from 'drizzle-orm';
import { decimal } from '../../catalog/plans';
import type { PayInfo } from '../../contract/pay';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { subscriptions } from '../db/schema';
import { findOrder } from './find-order';

/** How an order stands. The licence is shown to its signed-in owner alone. */
export async function readOrder(ctx: Context, orderId: string, user: User | null): Promise<Outcome<PayInfo>> {
  const order = await findOrder(ctx.db, orderId, user);
  if (!order) return refuse('notFound', 'There is no such order.');
  const isOwner = user !== null && order.ownerId === user.id;
  const [licence] = isOwner
    ? await ctx.db
        .select({ code: subscriptions.licenceCode })
        .from(subscriptions)
        .where(order.renewalOf ? eq(subscriptions.id, order.renewalOf) : eq(subscriptions.orderId, order.id))
    : [];
  return ok({
    orderId: order.id,
    status: order.status,
    productName: order.productName,
    plan: order.plan,
    amount: decimal(order.cents),
    currency: order.currency,
    paidAt: order.paidAt?.toISOString() ?? null,
    licenceCode: licence?.code ?? null,
  });
}
