import 'server-only';
import { eq } from 'drizzle-orm';
import { decimal } from '../../../catalog/plans';
import { ok } from '../../../contract/result';
import type { SandboxCheckout } from '../../../contract/sandbox';
import { digest } from '../../base/ids';
import { type Outcome, refuse } from '../../base/refusal';
import type { Context } from '../../context';
import type { Transaction } from '../../db/database';
import { sandboxPayments } from '../../db/schema';

/** The sandbox's own record of a payment. */
export type SandboxPayment = typeof sandboxPayments.$inferSelect;

/** What the hosted page shows for a key. */
export async function readCheckout(ctx: Context, key: string): Promise<Outcome<SandboxCheckout>> {
  const [payment] = await ctx.db
    .select()
    .from(sandboxPayments)
    .where(eq(sandboxPayments.keyHash, digest(key)));
  if (!payment) return unknownCheckout();
  return ok({
    title: payment.title,
    email: payment.email,
    amount: decimal(payment.cents),
    currency: payment.currency,
    // Money that went back was paid once; the page is closed either way.
    status: payment.status === 'refunded' ? 'succeeded' : payment.status,
  });
}

/** Reads a payment and keeps it locked until the transaction ends. */
export async function lockPayment(tx: Transaction, key: string): Promise<SandboxPayment | null> {
  const [payment] = await tx
    .select()
    .from(sandboxPayments)
    .where(eq(sandboxPayments.keyHash, digest(key)))
    .for('update');
  return payment ?? null;
}

/** The words for a key that nobody was given. */
export function unknownCheckout(): Outcome<never> {
  return refuse('notFound', 'This payment page doesn’t exist. Please go back to the shop and start again.');
}
