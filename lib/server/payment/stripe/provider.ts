import 'server-only';
import { ok } from '../../../contract/result';
import { refuse } from '../../base/refusal';
import { enqueue } from '../../jobs/enqueue';
import type { PaymentProvider } from '../port';
import { orderOfIntent } from './charge';
import { checkStripe } from './check';
import { closeStripeCheckout, openStripeCheckout } from './checkout';
import { readStripeEvent } from './events';
import { isStripeSigned, STRIPE_SIGNATURE } from './signature';

/**
 * Stripe: embedded Checkout in a frame of our own `/checkout` page. Renewals stay ours: each is charged with the card
 * of the first purchase, so there is one table of states and one place to cancel.
 */
export const stripe: PaymentProvider = {
  name: 'stripe',
  describe: ({ STRIPE_SECRET_KEY: key = '', STRIPE_API_URL: api }) =>
    `Payment: Stripe at ${new URL(api).host}, ${/^[sr]k_live_/.test(key) ? 'real cards' : 'test mode'}`,
  check: checkStripe,
  openCheckout: openStripeCheckout,
  closeCheckout: closeStripeCheckout,
  async chargeAgain(ctx, tx, order) {
    await enqueue(ctx, tx, { kind: 'stripe.charge', payload: { orderId: order.id } });
    return { reference: null };
  },
  async refund(ctx, tx, order) {
    await enqueue(ctx, tx, { kind: 'stripe.refund', payload: { orderId: order.id } });
  },
  orderOf: orderOfIntent,
  readWebhook(ctx, body, header) {
    const secret = ctx.env.STRIPE_WEBHOOK_SECRET ?? '';
    const signature = header(STRIPE_SIGNATURE) ?? '';
    if (secret === '' || !isStripeSigned(secret, ctx.now(), body, signature)) {
      return refuse('forbidden', 'The signature of this webhook is not right.');
    }
    const event = readStripeEvent(parse(body));
    return event === undefined ? refuse('invalidRequest', 'This webhook can’t be read.') : ok(event);
  },
};

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
