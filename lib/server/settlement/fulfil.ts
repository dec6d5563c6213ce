import 'server-only';
import { eq } from 'drizzle-orm';
import type { Preset } from '../accounts/preset';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { orders, stateHistory, subscriptions, users } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import type { Order } from '../sales/change-order';
import { addPeriod } from '../sales/period';
import { purchaseMail } from './purchase-mail';

/**
 * Gives what a paid order promises: the account (lib/contract/README.md, 77: a new buyer gets a preset password), the
 * licence with its subscription, and the mail that brings them. `preset` is null where people sign in elsewhere. Part of the transaction that marks the order paid.
 */
export async function fulfil(ctx: Context, tx: Transaction, order: Order, preset: Preset | null): Promise<void> {
  const now = ctx.now();
  const account = await accountFor(ctx, tx, order, preset);
  const licenceCode = ctx.ids.licence();
  const subscriptionId = ctx.ids.row();
  const expiresAt = addPeriod(now, order.planType);
  await tx.insert(subscriptions).values({
    id: subscriptionId,
    ownerId: account.id,
    orderId: order.id,
    licenceCode,
    productName: order.productName,
    plan: order.plan,
    planType: order.planType,
    pcs: order.pcs,
    autoRenew: order.planType !== 'perpetual',
    startsAt: now,
    expiresAt,
  });
  await tx.update(orders).set({ ownerId: account.id }).where(eq(orders.id, order.id));
  await tx.insert(stateHistory).values({
    subject: 'subscription',
    subjectId: subscriptionId,
    from: null,
    to: 'activate',
    reason: `order ${order.id} paid`,
    at: now,
  });
  await writeMail(ctx, tx, purchaseMail(ctx, order, { licenceCode, expiresAt, isNew: account.isNew, preset }));
}

async function accountFor(
  ctx: Context,
  tx: Transaction,
  order: Order,
  preset: Preset | null,
): Promise<{ id: string; isNew: boolean }> {
  if (order.createdBy) return { id: order.createdBy, isNew: false };
  const [made] = await tx
    .insert(users)
    .values({
      id: ctx.ids.row(),
      email: order.email,
      passwordHash: preset?.passwordHash ?? null,
      mustChangePassword: preset !== null,
      presetEndsAt: preset?.endsAt ?? null,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (made) return { id: made.id, isNew: true };
  const [existing] = await tx.select({ id: users.id }).from(users).where(eq(users.email, order.email));
  if (!existing) throw new Error('An account disappeared while an order was fulfilled.');
  return { id: existing.id, isNew: false };
}
