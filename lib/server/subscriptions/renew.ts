import 'server-only';
import { and, eq, gt, gte, isNull, lte, notExists } from 'drizzle-orm';
import { digest } from '../base/ids';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory, subscriptions, users } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import type { PaymentProvider } from '../payment/port';
import { renewalProvider } from '../payment/providers';
import type { Order } from '../sales/change-order';
import { papersOf } from '../sales/papers';
import { RENEWAL_GRACE_MS } from '../sales/period';
import { agreedOrder } from '../sales/plan-state';

const AT_ONCE = 50;

/**
 * Charges the next period of subscriptions whose date has come and which were not cancelled. Not a moment earlier, since
 * that is the moment that reminder and account name; the licence goes on meanwhile (period.ts).
 */
export const renewSubscriptions: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 60,
  repeatSeconds: 60,
  async run(ctx) {
    const due = and(
      eq(subscriptions.autoRenew, true),
      isNull(subscriptions.cancelledAt),
      isNull(subscriptions.expiredAt),
      lte(subscriptions.expiresAt, ctx.now()),
      gt(subscriptions.expiresAt, new Date(ctx.now().getTime() - RENEWAL_GRACE_MS)),
      notExists(tried(ctx)),
    );
    const ending = await ctx.db.select({ id: subscriptions.id }).from(subscriptions).where(due).limit(AT_ONCE);
    if (ending.length === 0) return null;
    return async (tx) => {
      for (const { id } of ending) {
        // Read again under a lock: a cancellation that came first is obeyed, one that comes later ends the new period.
        const [row] = await tx
          .select()
          .from(subscriptions)
          .where(and(eq(subscriptions.id, id), due))
          .for('update');
        if (row) await chargeNextPeriod(ctx, tx, row);
      }
    };
  },
};

/** The order that charges the period which begins at the date of the subscription, once it was made. */
function tried(ctx: Context) {
  return ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.renewalOf, subscriptions.id),
        eq(orders.requestHash, ''),
        gte(orders.createdAt, subscriptions.expiresAt),
      ),
    );
}

/** One order for each period: its key is made of the subscription and the date that it prolongs. */
async function chargeNextPeriod(ctx: Context, tx: Transaction, row: typeof subscriptions.$inferSelect): Promise<void> {
  // Not locked: everything else locks an order before its subscription, and the other way round could stand still.
  const agreed = agreedOrder(row, await papersOf(tx, [row]));
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.ownerId));
  const provider = renewalProvider(ctx.env, agreed?.provider ?? null);
  if (!agreed || !owner || !provider) return;
  const now = ctx.now();
  const [made] = await tx
    .insert(orders)
    .values({
      ...agreed,
      id: ctx.ids.order(),
      createdBy: row.ownerId,
      email: owner.email,
      status: 'created',
      idempotencyKey: digest(`renewal:${row.id}:${row.expiresAt?.toISOString()}`),
      requestHash: '',
      provider: null,
      providerReference: null,
      paymentReference: null,
      reversedBy: null,
      renewalOf: row.id,
      createdAt: now,
      paidAt: null,
      withdrawnAt: null,
      expiresAt: new Date((row.expiresAt ?? now).getTime() + RENEWAL_GRACE_MS),
    })
    .onConflictDoNothing({ target: orders.idempotencyKey })
    .returning();
  if (!made) return;
  await tx
    .insert(stateHistory)
    .values({ subject: 'order', subjectId: made.id, from: null, to: 'created', reason: 'renewal', at: now });
  await charge(ctx, tx, provider, made);
}

async function charge(ctx: Context, tx: Transaction, provider: PaymentProvider, order: Order): Promise<void> {
  const { reference } = await provider.chargeAgain(ctx, tx, order);
  await tx.update(orders).set({ provider: provider.name, providerReference: reference }).where(eq(orders.id, order.id));
}
