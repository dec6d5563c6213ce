import 'server-only';
import { z } from 'zod';
import type { PaymentEvent, Reversal } from '../port';

const sessionObject = z.object({
  id: z.string(),
  amount_total: z.number().int(),
  currency: z.string(),
  payment_status: z.string(),
  payment_intent: z.string().nullish(),
  metadata: z.object({ orderId: z.string().max(64) }),
});

const intentObject = z.object({
  id: z.string(),
  amount: z.number().int(),
  currency: z.string(),
  metadata: z.object({ orderId: z.string().max(64), purpose: z.literal('renewal') }),
});

/** A charge that was given back in full, or a dispute about one; both name the payment intent. */
const reversedObject = z.object({
  payment_intent: z.string(),
  refunded: z.boolean().optional(),
  status: z.string().optional(),
  metadata: z.object({ orderId: z.string().max(64).optional() }).nullish(),
});

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});

/** What an event of a Checkout Session says of its order; null where it says nothing that the order has to know. */
function typeOfSession(type: string, paymentStatus: string): PaymentEvent['type'] | null {
  if (type === 'checkout.session.completed') return paymentStatus === 'unpaid' ? 'pending' : 'succeeded';
  if (type === 'checkout.session.async_payment_succeeded') return 'succeeded';
  return type === 'checkout.session.async_payment_failed' ? 'failed' : null;
}

const ofIntent: Record<string, PaymentEvent['type'] | undefined> = {
  'payment_intent.processing': 'pending',
  'payment_intent.succeeded': 'succeeded',
  'payment_intent.payment_failed': 'failed',
};

const reversals: Record<string, Reversal['type'] | undefined> = {
  'charge.refunded': 'refunded',
  'charge.dispute.created': 'disputed',
  'charge.dispute.funds_withdrawn': 'disputed',
};

/**
 * Reads Stripe's event in the port's terms. `undefined`: not an event at all; null: one that moves no order of ours.
 * The payment of a first purchase is told by its session, that of a renewal by its payment intent.
 */
export function readStripeEvent(value: unknown): PaymentEvent | Reversal | null | undefined {
  const event = eventSchema.safeParse(value);
  if (!event.success) return undefined;
  const { id, type, data } = event.data;
  const session = sessionObject.safeParse(data.object);
  if (session.success && type.startsWith('checkout.session.')) {
    const { id: reference, amount_total: cents, currency, payment_status: paid, metadata } = session.data;
    const told = typeOfSession(type, paid);
    const payment = session.data.payment_intent ?? undefined;
    return (
      told && { id, type: told, orderId: metadata.orderId, reference, cents, currency: currency.toUpperCase(), payment }
    );
  }
  const takesBack = reversals[type];
  if (takesBack) {
    const reversed = reversedObject.safeParse(data.object);
    // A part of the money that went back leaves the licence as it is, and so does a bank's question, which takes none (Stripe, "Dispute object", status).
    if (!reversed.success || reversed.data.refunded === false || reversed.data.status?.startsWith('warning_'))
      return null;
    return {
      id,
      type: takesBack,
      payment: reversed.data.payment_intent,
      orderId: reversed.data.metadata?.orderId ?? null,
    };
  }
  const intent = intentObject.safeParse(data.object);
  const told = ofIntent[type];
  if (!intent.success || !told) return null;
  const { id: reference, amount: cents, currency, metadata } = intent.data;
  return { id, type: told, orderId: metadata.orderId, reference, cents, currency: currency.toUpperCase() };
}
