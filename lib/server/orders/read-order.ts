import 'server-only';
import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { decimal } from '../../catalog/plans';
import type { PayInfo } from '../../contract/pay';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { preparedOnce } from '../db/prepared';
import { orders, subscriptions } from '../db/schema';
import { isOpenTo } from './find-order';

const renewed = alias(subscriptions, 'renewed');

/** An order with its licences: the one that it began, and the one that it prolongs. */
const orderWithLicences = preparedOnce('order_with_licences', (db) =>
  db
    .select({ order: orders, begun: subscriptions.licenceCode, prolonged: renewed.licenceCode })
    .from(orders)
    .leftJoin(subscriptions, eq(subscriptions.orderId, orders.id))
    .leftJoin(renewed, eq(renewed.id, orders.renewalOf))
    .where(eq(orders.id, sql.placeholder('id'))),
);

/** How an order stands. The licence is shown to its signed-in owner alone. */
export async function readOrder(ctx: Context, orderId: string, user: User | null): Promise<Outcome<PayInfo>> {
  const [row] = await orderWithLicences(ctx.db).execute({ id: orderId });
  const order = row?.order;
  if (!order || !isOpenTo(order, user)) return refuse('notFound', 'There is no such order.');
  const isOwner = user !== null && order.ownerId === user.id;
  return ok({
    orderId: order.id,
    status: order.status,
    productName: order.productName,
    plan: order.plan,
    amount: decimal(order.cents),
    currency: order.currency,
    paidAt: order.paidAt?.toISOString() ?? null,
    licenceCode: isOwner ? (order.renewalOf ? row.prolonged : row.begun) : null,
  });
}
