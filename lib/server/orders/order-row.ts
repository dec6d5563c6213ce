import 'server-only';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { decimal } from '../../catalog/plans';
import type { OpenedOrder, OrderRow } from '../../contract/orders';
import type { Context } from '../context';
import { preparedOnce } from '../db/prepared';
import { orders, subscriptions } from '../db/schema';
import type { Order } from '../sales/change-order';
import { withdrawalDeadline } from './withdrawal';

/** Describes an order to its owner. */
function orderRow(order: Order, now: Date): OrderRow {
  const deadline = withdrawalDeadline(order);
  const canWithdraw = deadline !== null && deadline > now && !order.withdrawnAt && !order.reversedBy;
  return {
    orderId: order.id,
    productName: order.productName,
    plan: order.plan,
    amount: decimal(order.cents),
    currency: order.currency,
    status: order.status,
    paidAt: order.paidAt?.toISOString() ?? null,
    withdrawableUntil: canWithdraw ? deadline.toISOString() : null,
    withdrawnAt: order.withdrawnAt?.toISOString() ?? null,
  };
}

const paidOrders = preparedOnce('paid_orders', (db) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.ownerId, sql.placeholder('owner')), isNotNull(orders.paidAt)))
    .orderBy(desc(orders.paidAt), desc(orders.id)),
);

/** The user's paid orders, the newest first. */
export async function listOrders(ctx: Context, userId: string): Promise<OrderRow[]> {
  const rows = await paidOrders(ctx.db).execute({ owner: userId });
  return rows.map((row) => orderRow(row, ctx.now()));
}

/** Describes an order with its licence, to whoever holds the mailed link. */
export async function openedOrder(ctx: Context, order: Order): Promise<OpenedOrder> {
  const [licence] = await ctx.db
    .select({ code: subscriptions.licenceCode })
    .from(subscriptions)
    .where(order.renewalOf ? eq(subscriptions.id, order.renewalOf) : eq(subscriptions.orderId, order.id));
  return { ...orderRow(order, ctx.now()), licenceCode: licence?.code ?? null };
}
