import 'server-only';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import type { Order } from '../orders/change-order';
import type { Outcome } from '../refusal';

/** What a provider can tell of a payment. */
export const paymentEventTypes = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

/** A provider's message, its signature already checked. `cents` and `currency` are compared with the order's. */
export type PaymentEvent = {
  id: string;
  type: (typeof paymentEventTypes)[number];
  orderId: string;
  reference: string;
  cents: number;
  currency: string;
};

/** The port behind which a payment provider stands. */
export type PaymentProvider = {
  name: string;
  /** Opens, or finds again, the hosted page of an order. Runs in the caller's transaction. */
  openCheckout(
    ctx: Context,
    tx: Transaction,
    order: Order,
    origin: string,
  ): Promise<{ reference: string; redirectUrl: string }>;
  /** Charges a renewal with the means of payment of the first purchase. The result comes by webhook. */
  chargeAgain(ctx: Context, tx: Transaction, order: Order): Promise<{ reference: string }>;
  /** Gives the money of a paid order back. */
  refund(ctx: Context, tx: Transaction, order: Order): Promise<void>;
  /** Checks the signature over the raw body, and that it is fresh. */
  readWebhook(ctx: Context, body: Uint8Array, headers: Headers): Outcome<PaymentEvent>;
};
