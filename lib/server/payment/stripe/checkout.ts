import 'server-only';
import { z } from 'zod';
import { ok } from '../../../contract/result';
import { logError, logWarning } from '../../base/log';
import type { Outcome } from '../../base/refusal';
import type { Context } from '../../context';
import type { Order } from '../../sales/change-order';
import { planTitleOf } from '../../sales/order-title';
import { type Fields, getFromStripe, postToStripe, stripeUnavailable } from './call';

const sessionSchema = z.object({
  id: z.string(),
  status: z.enum(['open', 'complete', 'expired']).nullish(),
  client_secret: z.string().nullish(),
});
type Session = z.output<typeof sessionSchema>;

/**
 * Opens an embedded Checkout Session for an order: Stripe's form in a frame on our `/checkout` page. Its secret stands
 * in the fragment, which no server and no referrer gets to see.
 */
export async function openStripeCheckout(
  ctx: Context,
  order: Order,
  origin: string,
): Promise<Outcome<{ reference: string; redirectUrl: string }>> {
  try {
    const session = (await openAlready(ctx, order)) ?? (await newSession(ctx, order));
    if (!session?.client_secret) return stripeUnavailable();
    return ok({
      reference: session.id,
      redirectUrl: `${origin}/checkout?provider=stripe#${session.client_secret}`,
    });
  } catch (error) {
    logError('stripe.open', 'Stripe did not open a checkout.', error);
    return stripeUnavailable();
  }
}

/** Expires the Checkout Session of an unpaid order, so that nobody can pay on it; one that is complete is being paid. */
export async function closeStripeCheckout(ctx: Context, order: Order): Promise<Outcome<'closed' | 'being paid'>> {
  if (!order.providerReference) return ok('closed');
  const path = `/v1/checkout/sessions/${encodeURIComponent(order.providerReference)}`;
  try {
    const expired = await postToStripe(ctx, `${path}/expire`, {}, `expire:${order.providerReference}`);
    if (expired.status === 200) return ok('closed');
    // Only an open session can be expired: the others say themselves what became of them.
    const session = sessionSchema.safeParse((await getFromStripe(ctx, path)).body);
    if (!session.success) return stripeUnavailable();
    // A complete session whose payment failed later is over too; its order is told so by a webhook.
    return ok(session.data.status === 'complete' && order.status !== 'failed' ? 'being paid' : 'closed');
  } catch (error) {
    logError('stripe.close', 'Stripe did not close a checkout.', error);
    return stripeUnavailable();
  }
}

/** The order's page, while it can still be paid. */
async function openAlready(ctx: Context, order: Order): Promise<Session | null> {
  if (order.provider !== 'stripe' || !order.providerReference) return null;
  const { body } = await getFromStripe(ctx, `/v1/checkout/sessions/${encodeURIComponent(order.providerReference)}`);
  const session = sessionSchema.safeParse(body);
  return session.success && session.data.status === 'open' ? session.data : null;
}

async function newSession(ctx: Context, order: Order): Promise<Session | null> {
  // One page for each that came before it: two requests at once get the same one.
  const key = `checkout:${order.id}:${order.providerReference ?? ''}`;
  const { status, body } = await postToStripe(ctx, '/v1/checkout/sessions', sessionFields(order), key);
  const session = sessionSchema.safeParse(body);
  if (session.success) return session.data;
  logWarning('stripe.refused', 'Stripe refused a checkout.', { status });
  return null;
}

function sessionFields(order: Order): Fields {
  const returnUrl = new URL(order.successUrl);
  returnUrl.searchParams.set('orderId', order.id);
  return {
    mode: 'payment',
    ui_mode: 'embedded',
    return_url: returnUrl.href,
    client_reference_id: order.id,
    customer_email: order.email,
    // A renewal is charged with the same card, which Stripe keeps with its customer.
    customer_creation: order.planType === 'perpetual' ? 'if_required' : 'always',
    // Nothing here depends on the time, so that a repeated request is the same one. Cards only: other means lead the frame to a bank's page, which refuses to be framed.
    payment_method_types: { 0: 'card' },
    line_items: {
      0: {
        quantity: 1,
        price_data: {
          currency: order.currency.toLowerCase(),
          unit_amount: order.cents,
          product_data: { name: planTitleOf(order) },
        },
      },
    },
    metadata: { orderId: order.id },
    payment_intent_data: {
      metadata: { orderId: order.id, purpose: 'purchase' },
      ...(order.planType === 'perpetual' ? {} : { setup_future_usage: 'off_session' }),
    },
  };
}
