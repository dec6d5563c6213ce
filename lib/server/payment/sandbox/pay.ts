import 'server-only';
import { eq } from 'drizzle-orm';
import type { SandboxAction, SandboxSettle } from '../../../contract/requests/sandbox';
import { ok } from '../../../contract/result';
import type { SandboxNext } from '../../../contract/sandbox';
import { sandboxCards } from '../../../contract/sandbox-cards';
import type { Outcome } from '../../base/refusal';
import { refuse } from '../../base/refusal';
import type { Context } from '../../context';
import type { Transaction } from '../../db/database';
import { sandboxPayments } from '../../db/schema';
import type { PaymentEvent } from '../port';
import type { SandboxPayment } from './checkout';
import { lockPayment, unknownCheckout } from './checkout';
import { announce } from './send-webhook';

/** What becomes of a payment with each of the test cards. */
const outcomes = new Map<string, 'succeeded' | 'failed' | 'pending'>([
  [digits(sandboxCards.succeeds), 'succeeded'],
  [digits(sandboxCards.declines), 'failed'],
  [digits(sandboxCards.pending), 'pending'],
]);

/** Pays, or cancels, on the hosted page. A declined card leaves the page open for another one. */
export async function payInSandbox(
  ctx: Context,
  key: string,
  input: SandboxAction,
  origin: string,
): Promise<Outcome<SandboxNext>> {
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, key);
    if (!payment) return unknownCheckout();
    if (payment.status !== 'open') return whereNow(payment, origin);
    if ('action' in input) {
      await moveTo(ctx, tx, payment, 'cancelled', 'cancelled');
      return ok({ url: cancelAddress(payment) });
    }
    const outcome = outcomes.get(input.cardNumber);
    if (!outcome) return refuse('invalidRequest', 'This is a test page. Please use one of the test cards shown on it.');
    if (outcome === 'failed') {
      await announce(ctx, tx, { ...eventOf(payment), type: 'failed' });
      return refuse('paymentRefused', 'The card was declined. Please try another card.');
    }
    await moveTo(ctx, tx, payment, outcome, outcome);
    return whereNow({ ...payment, status: outcome }, origin);
  });
}

/** Settles a pending payment, as a bank would some time later; or takes a paid one back, as vendor or bank may. */
export async function settleInSandbox(
  ctx: Context,
  key: string,
  outcome: SandboxSettle['outcome'],
): Promise<Outcome<null>> {
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, key);
    if (!payment) return unknownCheckout();
    if (outcome === 'refunded' || outcome === 'disputed') {
      if (payment.status !== 'succeeded') return refuse('conflict', 'Only a paid payment can be taken back.');
      await tx.update(sandboxPayments).set({ status: 'refunded' }).where(eq(sandboxPayments.keyHash, payment.keyHash));
      await announce(ctx, tx, { type: outcome, orderId: payment.orderId, payment: payment.keyHash });
      return ok(null);
    }
    if (payment.status !== 'pending') return refuse('conflict', 'Only a pending payment can be settled.');
    // A payment that failed late leaves the page open for another card.
    await moveTo(ctx, tx, payment, outcome === 'failed' ? 'open' : outcome, outcome);
    return ok(null);
  });
}

async function moveTo(
  ctx: Context,
  tx: Transaction,
  payment: SandboxPayment,
  status: SandboxPayment['status'],
  type: PaymentEvent['type'],
): Promise<void> {
  await tx.update(sandboxPayments).set({ status }).where(eq(sandboxPayments.keyHash, payment.keyHash));
  await announce(ctx, tx, { ...eventOf(payment), type });
}

function eventOf(payment: SandboxPayment): Omit<PaymentEvent, 'id' | 'type'> {
  return {
    orderId: payment.orderId,
    reference: payment.keyHash,
    cents: payment.cents,
    currency: payment.currency,
  };
}

/** A page that was settled already, as after a reload or a double click, leads to where it led before. */
function whereNow(payment: SandboxPayment, origin: string): Outcome<SandboxNext> {
  if (payment.status === 'succeeded') return ok({ url: withQuery(payment.successUrl, { orderId: payment.orderId }) });
  if (payment.status === 'pending') {
    // The pending page gets what the success page would have got: the query keeps.
    return ok({
      url: withQuery(`${origin}/pending${new URL(payment.successUrl).search}`, { orderId: payment.orderId }),
    });
  }
  if (payment.status === 'cancelled') return ok({ url: cancelAddress(payment) });
  return refuse('conflict', 'This payment is closed. Please go back to the shop and start again.');
}

/** The cancel address carries codes that the page turns into words (lib/contract/README.md, 70). */
function cancelAddress(payment: SandboxPayment): string {
  return withQuery(payment.cancelUrl, { toast: 'error', tip: 'payment_cancelled' });
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function digits(cardNumber: string): string {
  return cardNumber.replace(/\D/g, '');
}
