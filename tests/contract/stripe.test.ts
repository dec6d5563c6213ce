import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrderCreated, PayAnswer, PayProvider } from '@/lib/contract/pay';
import { parseEnv } from '@/lib/server/config/env';
import { orders, subscriptions } from '@/lib/server/db/schema';
import { addPeriodicJobs } from '@/lib/server/jobs/prepare';
import { refundOrder } from '@/lib/server/operations/change-purchase';
import { renewalProvider } from '@/lib/server/payment/providers';
import { readStripeEvent } from '@/lib/server/payment/stripe/events';
import { isStripeSigned } from '@/lib/server/payment/stripe/signature';
import { handlers } from '@/lib/server/run/handlers';
import type { TestApi } from '../api/harness/api';
import { SITE, startApi } from '../api/harness/api';
import type { Person } from '../api/harness/people';
import { anyEmail, signedIn } from '../api/harness/people';
import { daysToRenewal, orderPayload, statusOf } from '../api/harness/shop';
import { cents } from '../support/prices';
import { stripeAdapter } from './payment-adapters';

type Recorded = { secret: string; timestamp: number; samples: { header: string; payload: string }[] };

/** Webhooks signed by Stripe's own library, so that our check is held to theirs. */
const recorded: Recorded = JSON.parse(readFileSync('tests/fixtures/stripe/webhooks.json', 'utf8'));
const then = new Date(recorded.timestamp * 1000);
const bytes = (text: string) => new TextEncoder().encode(text);

describe('recorded webhooks', () => {
  it('are taken as they are, and not a byte or a second otherwise', () => {
    for (const { header, payload } of recorded.samples) {
      const check = (change: { secret?: string; at?: Date; body?: string; header?: string }) =>
        isStripeSigned(
          change.secret ?? recorded.secret,
          change.at ?? then,
          bytes(change.body ?? payload),
          change.header ?? header,
        );
      expect(check({})).toBe(true);
      expect(check({ at: new Date(then.getTime() + 299_000) })).toBe(true);
      expect(check({ at: new Date(then.getTime() + 301_000) })).toBe(false);
      expect(check({ at: new Date(then.getTime() - 301_000) })).toBe(false);
      expect(check({ secret: 'whsec_another' })).toBe(false);
      expect(check({ body: `${payload} ` })).toBe(false);
      expect(check({ body: payload.replace('1999', '1') }) && payload.includes('1999')).toBe(false);
      expect(check({ header: header.replace('v1=', 'v0=') })).toBe(false);
      expect(check({ header: header.replace(/t=\d+/, `t=${recorded.timestamp + 1}`) })).toBe(false);
      expect(check({ header: '' })).toBe(false);
      // While a secret is being replaced there are two signatures.
      expect(check({ header: header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) })).toBe(true);
    }
  });

  it('are read in the port’s terms; what moves no order is nobody’s', () => {
    const first = {
      orderId: 'MDRECORDED0000000000000001',
      reference: 'cs_test_a1B2c3D4e5F6',
      cents: 1999,
      currency: 'USD',
      payment: 'pi_3T1a2b3c4d5e6f',
    };
    const renewal = {
      orderId: 'MDRECORDED0000000000000002',
      reference: 'pi_3T9z8y7x6w5v4u',
      cents: 999,
      currency: 'USD',
    };
    expect(recorded.samples.map(({ payload }) => readStripeEvent(JSON.parse(payload)))).toEqual([
      { id: 'evt_1T1completed', type: 'succeeded', ...first },
      { id: 'evt_1T1unpaid', type: 'pending', ...first },
      { id: 'evt_1T1asyncfailed', type: 'failed', ...first },
      null,
      { id: 'evt_3T1renewed', type: 'succeeded', ...renewal },
      { id: 'evt_3T1declined', type: 'failed', ...renewal },
      null,
      null,
    ]);
    expect(readStripeEvent({ hello: 1 })).toBeUndefined();
  });
});

describe('the configuration', () => {
  it('needs all three keys, and says which are missing', () => {
    expect(() => parseEnv({ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk' })).toThrow(
      /PAYMENT_PROVIDER=stripe needs STRIPE_PUBLISHABLE_KEY\n.*needs STRIPE_WEBHOOK_SECRET/,
    );
    expect(() => parseEnv({ PAYMENT_PROVIDER: 'cash' })).toThrow(/must be sandbox or stripe/);
  });

  it('renews what the sandbox sold only while the sandbox sells', () => {
    const sandbox = parseEnv({});
    const keys = { STRIPE_SECRET_KEY: 'sk', STRIPE_PUBLISHABLE_KEY: 'pk', STRIPE_WEBHOOK_SECRET: 'wh' };
    const stripe = parseEnv({ PAYMENT_PROVIDER: 'stripe', ...keys });
    expect(renewalProvider(sandbox, 'sandbox')?.name).toBe('sandbox');
    expect(renewalProvider(stripe, 'sandbox')).toBeUndefined();
    expect(renewalProvider(stripe, 'stripe')?.name).toBe('stripe');
    expect(renewalProvider(sandbox, 'stripe')?.name).toBe('stripe');
    expect(renewalProvider(stripe, null)).toBeUndefined();
  });
});

const adapter = await stripeAdapter();
const { stub } = adapter;

describe('against its API', () => {
  let api: TestApi;
  let buyer: Person;
  beforeEach(async () => {
    api = await startApi(adapter.variables);
    const own = api.ctx.fetch;
    api.ctx.fetch = (input, init) => (String(input).startsWith(SITE) ? own(input, init) : fetch(input, init));
    await addPeriodicJobs(api.ctx, handlers);
    buyer = await signedIn(api, anyEmail('card'));
    stub.trouble = null;
  });
  afterEach(() => api.close());
  afterAll(() => adapter.stop());

  const make = async (productsId: string) =>
    (await api.ask<OrderCreated>('POST', '/pay/create', { body: orderPayload({ productsId }), token: buyer.token })).obj
      .orderId;
  const open = (orderId: string) =>
    api.ask<PayAnswer>('POST', '/pay', { body: { orderId, payExtend: '{}' }, token: buyer.token });

  it('asks for exactly the order’s amount, keeps the card for renewals only, and hides the secret in the fragment', async () => {
    const monthly = await make('recovery-win-monthly');
    const { obj } = await open(monthly);
    const [session] = stub.sessions.slice(-1);
    expect(new URL(obj.redirectUrl).hash).toBe(`#${session?.id}_secret_x`);
    expect(Object.fromEntries(session?.fields ?? [])).toEqual({
      mode: 'payment',
      ui_mode: 'embedded',
      return_url: `${SITE}/packge-loading?orderId=${monthly}`,
      client_reference_id: monthly,
      customer_email: buyer.email,
      customer_creation: 'always',
      'payment_method_types[0]': 'card',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': String(cents.monthly),
      'line_items[0][price_data][product_data][name]': 'Mendara Data Recovery for Windows, Monthly',
      'metadata[orderId]': monthly,
      'payment_intent_data[metadata][orderId]': monthly,
      'payment_intent_data[metadata][purpose]': 'purchase',
      'payment_intent_data[setup_future_usage]': 'off_session',
    });
    await open(await make('recovery-win-ultimate'));
    expect(stub.sessions.at(-1)?.fields.has('payment_intent_data[setup_future_usage]')).toBe(false);
    expect((await api.ask<PayProvider>('GET', '/pay/provider')).obj).toEqual({
      name: 'stripe',
      publishableKey: 'pk_test_stub',
    });
  });

  it('says so when Stripe is in trouble, and goes on with the same order later', async () => {
    const quiet = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const orderId = await make('recovery-win-pro');
    stub.trouble = 503;
    const refused = await open(orderId);
    expect(refused.status).toBe(503);
    expect(refused.envelope.msg).toContain('The payment provider can’t be reached right now.');
    stub.trouble = 401;
    expect((await open(orderId)).status).toBe(503);
    stub.trouble = null;
    expect((await open(orderId)).status).toBe(200);
    expect(await statusOf(api, orderId, buyer.token)).toBe('created');
    for (const [text] of quiet.mock.calls) expect(String(text)).not.toContain(stub.secretKey);
    quiet.mockRestore();
  });

  it('a declined renewal fails, and the licence ends at its date', async () => {
    const orderId = await make('recovery-win-monthly');
    await open(orderId);
    await adapter.say(api, orderId, 'succeeded');
    stub.declineNext = true;
    const before = stub.intents.length;
    api.pass((await daysToRenewal(api)) * 86_400_000 + 60_000);
    for (let turn = 0; turn < 2; turn += 1) {
      await api.jobs(['light']);
      api.pass(61_000);
    }
    expect(stub.intents.length).toBe(before + 1);
    await adapter.sayRenewals(api);
    const [renewal] = (await api.ctx.db.select().from(orders)).filter(({ renewalOf }) => renewalOf !== null);
    expect(renewal).toMatchObject({ status: 'failed', providerReference: stub.intents.at(-1)?.id });
  });

  it('charges nothing for a plan whose money went back while Stripe did not answer', async () => {
    const orderId = await make('recovery-win-monthly');
    await open(orderId);
    await adapter.say(api, orderId, 'succeeded');
    const quiet = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    stub.trouble = 503;
    const before = stub.intents.length;
    api.pass(((await daysToRenewal(api)) + 0.5) * 86_400_000);
    await api.jobs(['light']);
    await refundOrder(api.ctx, orderId);
    stub.trouble = null;
    for (let turn = 0; turn < 3; turn += 1) {
      api.pass(600_000);
      await api.jobs(['light']);
    }
    quiet.mockRestore();
    expect(stub.intents.length).toBe(before);
    const [renewal] = (await api.ctx.db.select().from(orders)).filter(({ renewalOf }) => renewalOf !== null);
    expect(renewal).toMatchObject({ status: 'cancelled', paidAt: null });
  });

  it.each([
    ['charge.refunded', { refunded: true }, 'refund'],
    ['charge.dispute.created', { status: 'needs_response' }, 'dispute'],
  ])('%s ends the licence of a payment that is known to Stripe alone, once', async (type, fields, reversedBy) => {
    const orderId = await make('recovery-win-pro');
    await open(orderId);
    await adapter.say(api, orderId, 'succeeded');
    const [row] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    const object = { id: 'ch_1', payment_intent: row?.providerReference?.replace('cs_', 'pi_'), ...fields };
    const tell = async (change = {}) => {
      const { body, header } = stub.event(type, { ...object, ...change }, api.ctx.now());
      const headers = { 'stripe-signature': header };
      return (await api.ask<{ applied: boolean }>('POST', '/pay/webhook/stripe', { rawBody: body, headers })).obj;
    };
    const harmless = 'refunded' in fields ? { refunded: false } : { status: 'warning_needs_response' };
    expect(await tell(harmless)).toEqual({ applied: false });
    expect(await statusOf(api, orderId, buyer.token)).toBe('success');
    expect(await tell()).toEqual({ applied: true });
    expect(await tell()).toEqual({ applied: false });
    expect(await statusOf(api, orderId, buyer.token)).toBe('cancelled');
    const [closed] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    expect(closed?.reversedBy).toBe(reversedBy);
    const [licence] = await api.ctx.db.select().from(subscriptions).where(eq(subscriptions.orderId, orderId));
    expect(licence).toMatchObject({ endedBy: reversedBy, autoRenew: false });
  });

  it('a withdrawal is refunded to the payment of the session, once', async () => {
    const orderId = await make('recovery-win-pro');
    await open(orderId);
    await adapter.say(api, orderId, 'succeeded');
    const body = { confirm: true };
    await api.ask('POST', `/orders/${orderId}/withdraw`, { body, token: buyer.token });
    stub.trouble = 500;
    await api.jobs(['light']);
    expect(await adapter.refunds(api, orderId)).toBe(0);
    stub.trouble = null;
    for (let turn = 0; turn < 3; turn += 1) {
      api.pass(600_000);
      await api.jobs(['light']);
    }
    expect(await adapter.refunds(api, orderId)).toBe(1);
    const [row] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    const payment = row?.providerReference?.replace('cs_', 'pi_');
    expect(stub.refunds.at(-1)?.fields.get('payment_intent')).toBe(payment);
  });
});
