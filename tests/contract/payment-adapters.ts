import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { orders, sandboxPayments } from '@/lib/server/db/schema';
import { SIGNATURE_HEADER, sign } from '@/lib/server/payment/sandbox/signature';
import type { TestApi } from '../api/harness/api';
import { type StripeStub, startStripeStub } from '../support/stripe-stub';

/** What a provider can say of a payment, and how the test may spoil it. */
export type Word = 'pending' | 'succeeded' | 'failed';
export type Spoil = { cents?: number; currency?: string; reference?: string; at?: Date; secret?: string };

/** A provider that the whole suite must pass on. */
export type PaymentAdapter = {
  name: string;
  variables: Record<string, string>;
  /** Says something about an order's payment, by a signed webhook; returns its status and whether it moved anything. */
  say(api: TestApi, orderId: string, word: Word, spoil?: Spoil): Promise<{ status: number; applied: boolean | null }>;
  /** The buyer has paid on the page; the webhook that tells of it is still on its way. */
  pay(api: TestApi, orderId: string): Promise<void>;
  /** True while somebody can pay on the order's page. */
  isPayable(api: TestApi, orderId: string): Promise<boolean>;
  /** Lets the charges of renewals be told of. */
  sayRenewals(api: TestApi): Promise<void>;
  /** Lets the provider tell of the refunds that were asked for, as often as it likes. */
  sayRefunds(api: TestApi, orderId: string): Promise<void>;
  /** Tells that the money of an order went back, always by the same message, whether or not it was paid by our knowledge. */
  takeBack(api: TestApi, orderId: string): Promise<{ status: number; applied: boolean | null }>;
  /** How often the order's money was given back. */
  refunds(api: TestApi, orderId: string): Promise<number>;
  stop(): Promise<void>;
};

async function post(api: TestApi, name: string, body: string, headers: Record<string, string>) {
  const { status, obj } = await api.ask<{ applied: boolean } | null>('POST', `/pay/webhook/${name}`, {
    rawBody: body,
    headers,
  });
  return { status, applied: obj?.applied ?? null };
}

function postSandbox(api: TestApi, event: object, { at, secret }: Pick<Spoil, 'at' | 'secret'> = {}) {
  const body = JSON.stringify(event);
  const bytes = new TextEncoder().encode(body);
  const signature = sign(secret ?? api.ctx.secrets.paymentWebhook, at ?? api.ctx.now(), bytes);
  return post(api, 'sandbox', body, { [SIGNATURE_HEADER]: signature });
}

/** The embedded test provider. */
export const sandboxAdapter: PaymentAdapter = {
  name: 'sandbox',
  variables: {},
  async say(api, orderId, word, { at, secret, ...change } = {}) {
    const [row] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    const event = { reference: row?.providerReference, cents: row?.cents, currency: row?.currency, ...change };
    return postSandbox(api, { id: `evt_${randomUUID()}`, type: word, orderId, ...event }, { at, secret });
  },
  async pay(api, orderId) {
    await api.ctx.db.update(sandboxPayments).set({ status: 'succeeded' }).where(eq(sandboxPayments.orderId, orderId));
  },
  async isPayable(api, orderId) {
    const [row] = await api.ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.orderId, orderId));
    return row?.status === 'open';
  },
  // Its charges are told of by a job of ours.
  sayRenewals: async () => undefined,
  sayRefunds: async (api) => void (await api.jobs(['light'])),
  async takeBack(api, orderId) {
    const [row] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    return postSandbox(api, { id: `evt_${orderId}`, type: 'refunded', orderId, payment: row?.providerReference });
  },
  async refunds(api, orderId) {
    const rows = await api.ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.orderId, orderId));
    return rows.filter(({ status }) => status === 'refunded').length;
  },
  stop: async () => undefined,
};

const sessionEvents: Record<Word, { type: string; paid: string }> = {
  pending: { type: 'checkout.session.completed', paid: 'unpaid' },
  succeeded: { type: 'checkout.session.completed', paid: 'paid' },
  failed: { type: 'checkout.session.async_payment_failed', paid: 'unpaid' },
};

/** Stripe, its API stood in for on loopback. */
export async function stripeAdapter(): Promise<PaymentAdapter & { stub: StripeStub }> {
  const stub = await startStripeStub();
  const pageOf = (orderId: string) =>
    stub.sessions.findLast(({ fields }) => fields.get('metadata[orderId]') === orderId);
  return {
    name: 'stripe',
    stub,
    variables: {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: stub.secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_stub',
      STRIPE_WEBHOOK_SECRET: stub.webhookSecret,
      STRIPE_API_URL: stub.url,
    },
    async say(api, orderId, word, { at, secret, cents, currency, reference } = {}) {
      const { type, paid } = sessionEvents[word];
      const session = pageOf(orderId);
      if (!session) throw new Error(`Stripe knows no page of ${orderId}`);
      const object = {
        ...stub.sessionObject(session, paid),
        ...(cents === undefined ? {} : { amount_total: cents }),
        ...(currency === undefined ? {} : { currency: currency.toLowerCase() }),
        ...(reference === undefined ? {} : { id: reference }),
      };
      const kept = stub.webhookSecret;
      stub.webhookSecret = secret ?? kept;
      const { body, header } = stub.event(type, object, at ?? api.ctx.now());
      stub.webhookSecret = kept;
      session.status = word === 'failed' ? 'complete' : session.status;
      return post(api, 'stripe', body, { 'stripe-signature': header });
    },
    async pay(_api, orderId) {
      const session = pageOf(orderId);
      if (session) session.status = 'complete';
    },
    isPayable: async (_api, orderId) => pageOf(orderId)?.status === 'open',
    async sayRenewals(api) {
      for (const intent of stub.intents) {
        const type = intent.status === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed';
        const { body, header } = stub.event(type, stub.intentObject(intent), api.ctx.now());
        await post(api, 'stripe', body, { 'stripe-signature': header });
      }
    },
    async sayRefunds(api, orderId) {
      for (const { fields } of stub.refunds.filter((made) => made.fields.get('metadata[orderId]') === orderId)) {
        const object = { id: 'ch_1', payment_intent: fields.get('payment_intent'), refunded: true };
        const { body, header } = stub.event('charge.refunded', object, api.ctx.now());
        await post(api, 'stripe', body, { 'stripe-signature': header });
      }
    },
    async takeBack(api, orderId) {
      const refunded = { id: 'ch_1', payment_intent: 'pi_early', refunded: true, metadata: { orderId } };
      const { header, body } = stub.event('charge.refunded', refunded, api.ctx.now(), `evt_${orderId}`);
      return post(api, 'stripe', body, { 'stripe-signature': header });
    },
    refunds: async (_api, orderId) =>
      stub.refunds.filter(({ fields }) => fields.get('metadata[orderId]') === orderId).length,
    stop: () => stub.stop(),
  };
}
