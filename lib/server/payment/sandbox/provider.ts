import 'server-only';
import { createHmac } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import { sandboxWebhookSchema } from '../../../contract/requests/sandbox';
import { ok } from '../../../contract/result';
import { check } from '../../base/check';
import { digest } from '../../base/ids';
import { refuse } from '../../base/refusal';
import type { Context } from '../../context';
import { sandboxPayments } from '../../db/schema';
import type { Order } from '../../sales/change-order';
import { planTitleOf } from '../../sales/order-title';
import type { PaymentProvider } from '../port';
import { announce } from './send-webhook';
import { isSigned, SIGNATURE_HEADER } from './signature';

/**
 * The embedded test provider: a hosted page of our own that takes test cards. It behaves as a real one does: it keeps
 * its own record of each payment and tells of it by signed webhooks alone.
 */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  describe: () => 'Payment: sandbox, test cards only',
  check: async () => null,
  async openCheckout(ctx, order, origin) {
    // Derived from the order, so that asking again finds the same page without the key being stored.
    const key = createHmac('sha256', ctx.secrets.paymentWebhook)
      .update(`checkout:${order.id}`)
      .digest('hex')
      .slice(0, 32);
    const reference = digest(key);
    await ctx.db
      .insert(sandboxPayments)
      .values({ ...pageOf(ctx, order, reference), status: 'open' })
      .onConflictDoNothing();
    return ok({ reference, redirectUrl: `${origin}/checkout?key=${key}` });
  },
  async closeCheckout(ctx, order) {
    const ofOrder = eq(sandboxPayments.orderId, order.id);
    await ctx.db
      .update(sandboxPayments)
      .set({ status: 'cancelled' })
      .where(and(ofOrder, eq(sandboxPayments.status, 'open')));
    const [payment] = await ctx.db.select({ status: sandboxPayments.status }).from(sandboxPayments).where(ofOrder);
    return ok(payment?.status === 'pending' || payment?.status === 'succeeded' ? 'being paid' : 'closed');
  },
  async chargeAgain(ctx, tx, order) {
    const reference = digest(`renewal:${order.id}`);
    await tx
      .insert(sandboxPayments)
      .values({ ...pageOf(ctx, order, reference), status: 'succeeded' })
      .onConflictDoNothing();
    await announce(ctx, tx, {
      type: 'succeeded',
      orderId: order.id,
      reference,
      cents: order.cents,
      currency: order.currency,
    });
    return { reference };
  },
  async refund(ctx, tx, order) {
    const given = await tx
      .update(sandboxPayments)
      .set({ status: 'refunded' })
      .where(and(eq(sandboxPayments.orderId, order.id), ne(sandboxPayments.status, 'refunded')))
      .returning({ payment: sandboxPayments.keyHash });
    for (const { payment } of given) await announce(ctx, tx, { type: 'refunded', orderId: order.id, payment });
  },
  readWebhook(ctx, body, header) {
    const signature = header(SIGNATURE_HEADER) ?? '';
    if (!isSigned(ctx.secrets.paymentWebhook, ctx.now(), body, signature)) {
      return refuse('forbidden', 'The signature of this webhook is not right.');
    }
    const event = check(sandboxWebhookSchema, parse(body));
    return event.ok ? event : refuse('invalidRequest', 'This webhook can’t be read.');
  },
};

function pageOf(ctx: Context, order: Order, keyHash: string) {
  return {
    keyHash,
    orderId: order.id,
    title: planTitleOf(order),
    email: order.email,
    cents: order.cents,
    currency: order.currency,
    successUrl: order.successUrl,
    cancelUrl: order.cancelUrl,
    createdAt: ctx.now(),
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
