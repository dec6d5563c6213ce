import 'server-only';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../context';
import type { Transaction } from '../../db/database';
import { orders, subscriptions } from '../../db/schema';
import type { Job, JobHandler } from '../../jobs/types';
import { changeOrder, lockOrder, type Order } from '../../sales/change-order';
import { papersOf } from '../../sales/papers';
import { agreedOrder } from '../../sales/plan-state';
import { getFromStripe, postToStripe } from './call';

const paidSession = z.object({
  payment_intent: z.object({ id: z.string(), customer: z.string().nullish(), payment_method: z.string().nullish() }),
});
const paymentIntent = z.object({ id: z.string() });
const refusedCharge = z.object({ error: z.object({ payment_intent: paymentIntent.optional() }) });

/** The payment of a Checkout Session: whose it was and with which card. */
async function paymentOf(ctx: Context, sessionId: string) {
  const { body } = await getFromStripe(
    ctx,
    `/v1/checkout/sessions/${encodeURIComponent(sessionId)}?expand[]=payment_intent`,
  );
  return paidSession.parse(body).payment_intent;
}

/** The order that a payment intent was made for: its name is in what we gave Stripe to keep. */
export async function orderOfIntent(ctx: Context, payment: string): Promise<string | null> {
  const { body } = await getFromStripe(ctx, `/v1/payment_intents/${encodeURIComponent(payment)}`);
  const intent = z.object({ metadata: z.object({ orderId: z.string().max(64) }) }).safeParse(body);
  return intent.success ? intent.data.metadata.orderId : null;
}

async function readOrder(ctx: Context, id: string): Promise<Order | undefined> {
  return (await ctx.db.select().from(orders).where(eq(orders.id, id)))[0];
}

async function closeUncharged(ctx: Context, tx: Transaction, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (order?.status === 'created') await changeOrder(ctx, tx, order, 'cancelled', 'plan ended before it was charged');
}

/**
 * Charges a renewal with the card that the buyer last paid with. The webhook alone says how it ended; a declined card is an
 * ended charge too. The key makes a repeated attempt the same charge.
 */
export const chargeByStripe: JobHandler<Job<'stripe.charge'>> = {
  lane: 'light',
  maxAttempts: 12,
  leaseSeconds: 60,
  async run(ctx, job) {
    const order = await readOrder(ctx, job.payload.orderId);
    if (!order?.renewalOf || order.status !== 'created') return null;
    const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, order.renewalOf));
    // Ended since the charge was ordered, as by a refund while Stripe did not answer: nothing is charged any more.
    if (row && !row.autoRenew) return (tx) => closeUncharged(ctx, tx, order.id);
    const agreed = row && agreedOrder(row, await papersOf(ctx.db, [row]));
    if (!agreed?.providerReference) return null;
    const { customer, payment_method: card } = await paymentOf(ctx, agreed.providerReference);
    if (!customer || !card) throw new Error('Stripe kept no card for this renewal.');
    const { status, body } = await postToStripe(
      ctx,
      '/v1/payment_intents',
      {
        amount: order.cents,
        currency: order.currency.toLowerCase(),
        customer,
        payment_method: card,
        off_session: true,
        confirm: true,
        metadata: { orderId: order.id, purpose: 'renewal' },
      },
      `renewal:${order.id}`,
    );
    const made = paymentIntent.safeParse(body);
    const refused = refusedCharge.safeParse(body);
    const reference = made.success ? made.data.id : refused.success ? refused.data.error.payment_intent?.id : undefined;
    if (!reference) throw new Error(`Stripe did not charge a renewal: status ${status}.`);
    return async (tx) => {
      await tx.update(orders).set({ providerReference: reference }).where(eq(orders.id, order.id));
    };
  },
};

/** Gives the money of an order back, once. */
export const refundByStripe: JobHandler<Job<'stripe.refund'>> = {
  lane: 'light',
  maxAttempts: 12,
  leaseSeconds: 60,
  async run(ctx, job) {
    const order = await readOrder(ctx, job.payload.orderId);
    if (!order?.providerReference) return null;
    const reference = order.providerReference;
    const payment = reference.startsWith('pi_') ? reference : (await paymentOf(ctx, reference)).id;
    const { status, body } = await postToStripe(
      ctx,
      '/v1/refunds',
      { payment_intent: payment, metadata: { orderId: order.id } },
      `refund:${order.id}`,
    );
    const code = z.object({ error: z.object({ code: z.string() }) }).safeParse(body);
    const isBackAlready = code.success && code.data.error.code === 'charge_already_refunded';
    if (status !== 200 && !isBackAlready) throw new Error(`Stripe did not refund an order: status ${status}.`);
    return null;
  },
};
