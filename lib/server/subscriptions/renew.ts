import 'server-only';
import { and, eq, isNull, lte } from 'drizzle-orm';
import { currency, findPlan } from '../../catalog/plans';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory, subscriptions, users } from '../db/schema';
import { digest, newOrderId } from '../ids';
import type { JobHandler } from '../jobs/types';
import type { Order } from '../orders/change-order';
import type { PaymentProvider } from '../payment/port';
import { renewalProvider } from '../payment/providers';

const DAY_MS = 86_400_000;
/** The charge is tried a day before the end, so that a licence does not stop between two periods. */
const AHEAD_MS = DAY_MS;
const AT_ONCE = 50;

/** Charges the next period of subscriptions that are about to end and were not cancelled. */
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
      lte(subscriptions.expiresAt, new Date(ctx.now().getTime() + AHEAD_MS)),
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

/** One order for each period: its key is made of the subscription and the date that it prolongs. */
async function chargeNextPeriod(ctx: Context, tx: Transaction, row: typeof subscriptions.$inferSelect): Promise<void> {
  // Not locked: everything else locks an order before its subscription, and the other way round could stand still.
  const [first] = await tx.select().from(orders).where(eq(orders.id, row.orderId));
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.ownerId));
  const provider = renewalProvider(ctx.env, first?.provider ?? null);
  if (!first || !owner || !provider) return;
  const now = ctx.now();
  const [made] = await tx
    .insert(orders)
    .values({
      ...first,
      id: newOrderId(),
      createdBy: row.ownerId,
      email: owner.email,
      status: 'created',
      // The price is today's, as the store shows it; the one that was paid first stands where the plan is gone.
      cents: findPlan(first.productsId)?.cents ?? first.cents,
      currency,
      idempotencyKey: digest(`renewal:${row.id}:${row.expiresAt?.toISOString()}`),
      requestHash: '',
      provider: null,
      providerReference: null,
      renewalOf: row.id,
      createdAt: now,
      paidAt: null,
      withdrawnAt: null,
      expiresAt: new Date(now.getTime() + 7 * DAY_MS),
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
