import 'server-only';
import type { Outcome } from '../base/refusal';
import type { Env } from '../config/env';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import type { Order } from '../sales/change-order';

/** A provider's message, its signature already checked. `cents` and `currency` are compared with the order's. */
export type PaymentEvent = {
  id: string;
  type: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  orderId: string;
  reference: string;
  cents: number;
  currency: string;
  /** The provider's name of the payment itself, where it differs from the reference. */
  payment?: string | undefined;
};

/** Money that went back at the provider: given back by the vendor there, or asked back by the buyer's bank. */
export type Reversal = { id: string; type: 'refunded' | 'disputed'; payment: string; orderId: string | null };

/** True for a message that takes money back. */
export function isReversal(event: PaymentEvent | Reversal): event is Reversal {
  return event.type === 'refunded' || event.type === 'disputed';
}

/** The port behind which a payment provider stands. */
export type PaymentProvider = {
  name: string;
  /** What the start says of it. */
  describe(env: Env): string;
  /** Asks it once, at the start. Throws a `StartError` when it can never work so; a sentence when it does not work just now. */
  check(ctx: Context): Promise<string | null>;
  /**
   * Opens, or finds again, the page on which an order is paid. May take as long as the provider does, so it runs in no
   * transaction; asked twice at once for one order it opens one page.
   */
  openCheckout(
    ctx: Context,
    order: Order,
    origin: string,
  ): Promise<Outcome<{ reference: string; redirectUrl: string }>>;
  /**
   * Closes the page of an unpaid order for good. `being paid`: it is too late, a payment is under way or done. Asks the
   * provider, so it runs in no transaction.
   */
  closeCheckout(ctx: Context, order: Order): Promise<Outcome<'closed' | 'being paid'>>;
  /**
   * Has a renewal charged with the means of payment of the first purchase. The result comes by webhook; the reference
   * is null where the provider gives it later.
   */
  chargeAgain(ctx: Context, tx: Transaction, order: Order): Promise<{ reference: string | null }>;
  /**
   * Has the money of a paid order given back: at most once for an order, however often it is asked for. The webhook tells when it has
   * gone.
   */
  refund(ctx: Context, tx: Transaction, order: Order): Promise<void>;
  /** `header` reads a header of the request. Checks the signature over the raw body, and that it is fresh. Null: a message that moves no order of ours. */
  readWebhook(
    ctx: Context,
    body: Uint8Array,
    header: (name: string) => string | null,
  ): Outcome<PaymentEvent | Reversal | null>;
  /** The order of a payment that we have no name of; for providers that can be asked. */
  orderOf?(ctx: Context, payment: string): Promise<string | null>;
};
