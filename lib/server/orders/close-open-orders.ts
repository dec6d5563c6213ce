import 'server-only';
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders } from '../db/schema';
import { findProvider } from '../payment/providers';
import { changeOrder, isRenewalCharge, type Order } from '../sales/change-order';

/** The history's mark of an order or a licence whose account was erased. */
export const ERASED = 'account erased';

const OPEN = ['created', 'pending', 'failed'] as const;
/** Longer than any provider keeps a page open after it was given up (Stripe: 24 hours). */
const PAGE_LIFE_MS = 8 * 86_400_000;

function unpaidBy(userId: string) {
  return and(eq(orders.createdBy, userId), isNull(orders.paidAt));
}

/** The words for a payment that nobody can stop any more. */
function stillRunning(order: Order): Outcome<never> {
  return refuse(
    'conflict',
    `The payment of order ${order.id} is still being processed, so nothing was erased yet. Its result comes by e-mail. Please erase the account after that.`,
  );
}

/** A pending payment has left the buyer's hands; that of a renewal is under way as soon as it is ordered. */
function isUnderWay(order: Order): boolean {
  return order.status === 'pending' || (isRenewalCharge(order) && order.status === 'created');
}

/**
 * Has the payment pages of a user's unpaid orders closed by their providers, so that nobody can pay there any more.
 * Asks providers, so it runs in no transaction. Refuses while a payment is under way.
 */
export async function closePaymentPages(ctx: Context, userId: string): Promise<Outcome<null>> {
  const recent = or(
    inArray(orders.status, [...OPEN]),
    gt(orders.createdAt, new Date(ctx.now().getTime() - PAGE_LIFE_MS)),
  );
  const unpaid = await ctx.db
    .select()
    .from(orders)
    .where(and(unpaidBy(userId), recent));
  for (const order of unpaid) {
    if (isUnderWay(order)) return stillRunning(order);
    const provider = findProvider(order.provider ?? '');
    if (!provider || isRenewalCharge(order)) continue;
    const page = await provider.closeCheckout(ctx, order);
    if (!page.ok) return page;
    if (page.value === 'being paid') return stillRunning(order);
  }
  return ok(null);
}

/**
 * Closes the unpaid orders of a user whose pages {@link closePaymentPages} closed, and takes the address from them.
 * Refuses, and changes nothing, when a payment began meanwhile.
 */
export async function closeOpenOrders(ctx: Context, tx: Transaction, userId: string): Promise<Outcome<null>> {
  const unpaid = await tx.select().from(orders).where(unpaidBy(userId)).for('update');
  const running = unpaid.find(isUnderWay);
  if (running) return stillRunning(running);
  for (const order of unpaid) {
    await changeOrder(ctx, tx, order, 'cancelled', ERASED);
    await tx.update(orders).set({ email: '', userExtend: '' }).where(eq(orders.id, order.id));
  }
  return ok(null);
}
