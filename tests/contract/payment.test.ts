import { randomUUID } from 'node:crypto';
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { OrderCreated, PayAnswer } from '@/lib/contract/pay';
import { mails, orders, paymentEvents, stateHistory, subscriptions, users } from '@/lib/server/db/schema';
import { addPeriodicJobs } from '@/lib/server/jobs/prepare';
import { findOrderFaults } from '@/lib/server/orders/check-orders';
import { findProvider } from '@/lib/server/payment/providers';
import { handlers } from '@/lib/server/run/handlers';
import { SITE, startApi, type TestApi } from '../api/harness/api';
import { anyEmail, mailCount, type Person, signedIn } from '../api/harness/people';
import { daysToRenewal, orderPayload, statusOf } from '../api/harness/shop';
import { sandboxAdapter, stripeAdapter } from './payment-adapters';

const DAY = 86_400_000;
const noFaults = { paidWithoutLicence: [], licenceWithoutAddress: [], renewalOfNobody: [], refundUnconfirmed: [] };
const stripe = await stripeAdapter();

/** The API with a network that ends at loopback: our own address is answered here, everything else is really asked. */
async function startWith(variables: Record<string, string>): Promise<TestApi> {
  const api = await startApi(variables);
  const own = api.ctx.fetch;
  api.ctx.fetch = (input, init) => (String(input).startsWith(SITE) ? own(input, init) : fetch(input, init));
  await addPeriodicJobs(api.ctx, handlers);
  return api;
}

describe.each([sandboxAdapter, stripe])('payment by $name', (adapter) => {
  let api: TestApi;
  let buyer: Person;
  beforeEach(async () => {
    api = await startWith(adapter.variables);
    buyer = await signedIn(api, anyEmail('payer'));
  });
  afterEach(() => api.close());
  afterAll(() => adapter.stop());

  const make = async (productsId = 'recovery-win-monthly') =>
    (
      await api.ask<OrderCreated>('POST', '/pay/create', {
        body: orderPayload({ productsId }),
        token: buyer.token,
        headers: { 'idempotency-key': randomUUID() },
      })
    ).obj.orderId;
  const open = (orderId: string) =>
    api.ask<PayAnswer>('POST', '/pay', { body: { orderId, payExtend: '{}' }, token: buyer.token });
  const bought = async (productsId?: string) => {
    const orderId = await make(productsId);
    await open(orderId);
    expect(await adapter.say(api, orderId, 'succeeded')).toEqual({ status: 200, applied: true });
    await api.jobs(['light']);
    return orderId;
  };
  const owned = async () => (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: buyer.token })).obj;
  const stateOf = (orderId: string) => statusOf(api, orderId, buyer.token);
  const live = async (days: number) => {
    api.pass(days * DAY);
    await api.jobs(['light']);
    api.pass(3_601_000);
    await api.jobs(['light']);
    await adapter.sayRenewals(api);
    await api.jobs(['light']);
  };

  it('opens one page of our own for an order, however often and at once it is asked for', async () => {
    const orderId = await make();
    const answers = await Promise.all([open(orderId), open(orderId), open(orderId)]);
    const again = await open(orderId);
    const pages = new Set([...answers, again].map(({ obj }) => obj.redirectUrl));
    expect(pages.size).toBe(1);
    expect([...pages][0]).toMatch(new RegExp(`^${SITE}/checkout\\?`));
  });

  it('pays by webhook, once', async () => {
    const orderId = await bought();
    expect(await adapter.say(api, orderId, 'succeeded')).toEqual({ status: 200, applied: false });
    expect(await stateOf(orderId)).toBe('success');
    expect(await owned()).toHaveLength(1);
    expect(await mailCount(api, buyer.email)).toBe(1);
    expect((await open(orderId)).status).toBe(409);
  });

  it('50 webhooks at once pay once', async () => {
    const orderId = await make();
    await open(orderId);
    const told = await Promise.all(Array.from({ length: 50 }, () => adapter.say(api, orderId, 'succeeded')));
    expect(told.every(({ status }) => status === 200)).toBe(true);
    expect(told.filter(({ applied }) => applied)).toHaveLength(1);
    expect(await owned()).toHaveLength(1);
  });

  it('asks again for a refund that overtook the word of the payment, so that no licence outlives the money', async () => {
    const orderId = await make();
    await open(orderId);
    for (const word of ['nothing yet', 'pending', 'failed'] as const) {
      if (word !== 'nothing yet') await adapter.say(api, orderId, word);
      expect(await adapter.takeBack(api, orderId)).toEqual({ status: 409, applied: null });
    }
    await open(orderId);
    expect(await adapter.say(api, orderId, 'succeeded')).toEqual({ status: 200, applied: true });
    expect(await adapter.takeBack(api, orderId)).toEqual({ status: 200, applied: true });
    expect(await adapter.takeBack(api, orderId)).toEqual({ status: 200, applied: false });
    expect(await stateOf(orderId)).toBe('cancelled');
    expect((await owned()).map(({ status }) => status)).toEqual(['expired']);
    expect(await adapter.say(api, orderId, 'succeeded')).toEqual({ status: 200, applied: false });
    expect(await stateOf(orderId)).toBe('cancelled');
  });

  it('stays pending until it is decided; what failed may be paid on a new page', async () => {
    const orderId = await make();
    await open(orderId);
    await adapter.say(api, orderId, 'pending');
    expect(await stateOf(orderId)).toBe('pending');
    expect((await open(orderId)).status).toBe(409);
    await adapter.say(api, orderId, 'failed');
    expect(await stateOf(orderId)).toBe('failed');
    expect((await open(orderId)).status).toBe(200);
    await adapter.say(api, orderId, 'succeeded');
    expect(await stateOf(orderId)).toBe('success');
    const history = await api.ctx.db.select().from(stateHistory).where(eq(stateHistory.subjectId, orderId));
    expect(history.map(({ to }) => to)).toEqual(['created', 'pending', 'failed', 'success']);
  });

  it('refuses a webhook that is forged, old, or fits another payment', async () => {
    const orderId = await make();
    await open(orderId);
    const late = new Date(api.ctx.now().getTime() - 301_000);
    expect((await adapter.say(api, orderId, 'succeeded', { secret: 'guessed by somebody' })).status).toBe(403);
    expect((await adapter.say(api, orderId, 'succeeded', { at: late })).status).toBe(403);
    for (const spoil of [{ cents: 1 }, { currency: 'EUR' }, { reference: 'another' }]) {
      expect((await adapter.say(api, orderId, 'succeeded', spoil)).status).toBe(409);
    }
    expect(await stateOf(orderId)).toBe('created');
  });

  it('charges each period again, once', async () => {
    await bought();
    const [first] = await owned();
    await live((await daysToRenewal(api)) - 1);
    await live(1);
    const [second] = await owned();
    expect(new Date(second?.expirationDate ?? 0).getTime()).toBeGreaterThan(
      new Date(first?.expirationDate ?? 0).getTime() + 27 * DAY,
    );
    const renewals = (await api.ctx.db.select().from(orders)).filter(({ renewalOf }) => renewalOf !== null);
    expect(renewals).toMatchObject([{ status: 'success', provider: adapter.name }]);
    expect(renewals[0]?.providerReference).not.toBeNull();
  });

  it('gives the money back once when the buyer withdraws, from a renewal too', async () => {
    const orderId = await bought();
    await live(await daysToRenewal(api));
    // A month may be shorter than the 30 days in which the first order can be withdrawn.
    api.pass(3 * DAY);
    const [row] = await api.ctx.db.select().from(subscriptions);
    const [renewal] = await api.ctx.db
      .select()
      .from(orders)
      .where(eq(orders.renewalOf, row?.id ?? ''));
    for (const id of [orderId, renewal?.id ?? '']) {
      const body = { confirm: true };
      const done = await api.ask('POST', `/orders/${id}/withdraw`, { body, token: buyer.token });
      expect(done.status, done.envelope.msg).toBe(id === orderId ? 409 : 200);
      await api.ask('POST', `/orders/${id}/withdraw`, { body, token: buyer.token });
      await api.jobs(['light']);
      expect(await adapter.refunds(api, id)).toBe(id === orderId ? 0 : 1);
    }
    expect((await owned())[0]?.status).toBe('expired');
  });

  const erase = () =>
    api.ask<{ kept: string[] }>('DELETE', '/user', { token: buyer.token, body: { currentPassword: buyer.password } });
  const orderOf = async (orderId: string) => (await api.ctx.db.select().from(orders).where(eq(orders.id, orderId)))[0];

  it('closes the pages of an account that is erased, so that nobody can pay there', async () => {
    const opened = await make();
    await open(opened);
    const failed = await make();
    await open(failed);
    await adapter.say(api, failed, 'failed');
    const neverAsked = await make();
    expect((await erase()).status).toBe(200);
    expect(await adapter.isPayable(api, opened)).toBe(false);
    for (const orderId of [opened, failed, neverAsked]) {
      expect(await orderOf(orderId)).toMatchObject({ status: 'cancelled', email: '', createdBy: null });
    }
  });

  it.each(['told of', 'not told of yet'] as const)(
    'does not erase an account whose payment is under way, %s',
    async (known) => {
      const orderId = await make();
      await open(orderId);
      if (known === 'told of') await adapter.say(api, orderId, 'pending');
      else await adapter.pay(api, orderId);
      const waits = await erase();
      expect(waits.status).toBe(409);
      expect(waits.envelope.msg).toContain(`The payment of order ${orderId} is still being processed`);
      expect(await adapter.say(api, orderId, 'succeeded')).toEqual({ status: 200, applied: true });
      expect(await owned()).toHaveLength(1);
      expect((await erase()).status).toBe(200);
      expect(await findOrderFaults(api.ctx)).toEqual(noFaults);
    },
  );

  it('gives the money of a withdrawal back once, however often it is asked; the webhook says that it has gone', async () => {
    const orderId = await bought();
    const withdraw = () =>
      api.ask('POST', `/orders/${orderId}/withdraw`, { body: { confirm: true }, token: buyer.token });
    const answers = await Promise.all([withdraw(), withdraw(), withdraw()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await orderOf(orderId)).toMatchObject({ status: 'cancelled', reversedBy: null });
    const again = await orderOf(orderId);
    const provider = findProvider(adapter.name);
    if (again) await api.ctx.db.transaction(async (tx) => provider?.refund(api.ctx, tx, again));
    await api.jobs(['light']);
    expect(await adapter.refunds(api, orderId)).toBe(1);
    await adapter.sayRefunds(api, orderId);
    await adapter.sayRefunds(api, orderId);
    expect(await orderOf(orderId)).toMatchObject({ status: 'cancelled', reversedBy: 'refund' });
    expect((await withdraw()).status).toBe(200);
    expect(await mailCount(api, buyer.email)).toBe(2);
    expect(await adapter.refunds(api, orderId)).toBe(1);
  });

  it('tells the operator of a withdrawal whose money does not go back', async () => {
    const orderId = await bought();
    await api.ask('POST', `/orders/${orderId}/withdraw`, { body: { confirm: true }, token: buyer.token });
    expect((await findOrderFaults(api.ctx)).refundUnconfirmed).toEqual([]);
    api.pass(4 * DAY);
    expect((await findOrderFaults(api.ctx)).refundUnconfirmed).toEqual([orderId]);
    await api.jobs(['light']);
    await adapter.sayRefunds(api, orderId);
    expect((await findOrderFaults(api.ctx)).refundUnconfirmed).toEqual([]);
  });

  it('gives back what is paid for an account that was erased all the same', async () => {
    const first = await make();
    await open(first);
    await api.ctx.db.update(orders).set({ email: '', createdBy: null }).where(eq(orders.id, first));
    expect(await adapter.say(api, first, 'succeeded')).toEqual({ status: 200, applied: true });
    await api.jobs(['light']);
    expect(await adapter.refunds(api, first)).toBe(1);
    expect(await orderOf(first)).toMatchObject({ status: 'cancelled' });
    expect(await api.ctx.db.select().from(subscriptions)).toEqual([]);
  });

  it('waits for a renewal that is being charged, and gives it back when nobody is left', async () => {
    await bought();
    await live(await daysToRenewal(api));
    const renewals = await api.ctx.db.select().from(orders).where(isNotNull(orders.renewalOf));
    const renewal = renewals[0]?.id ?? '';
    // As if the word of the charge had not come yet.
    await api.ctx.db.update(orders).set({ status: 'created', paidAt: null }).where(eq(orders.id, renewal));
    await api.ctx.db.delete(paymentEvents).where(eq(paymentEvents.orderId, renewal));
    const waits = await erase();
    expect(waits.status).toBe(409);
    expect(waits.envelope.msg).toContain(renewal);
    await api.ctx.db.delete(subscriptions);
    expect((await findOrderFaults(api.ctx)).renewalOfNobody).toEqual([renewal]);
    if (adapter.name === 'stripe') await adapter.sayRenewals(api);
    else await adapter.say(api, renewal, 'succeeded');
    await api.jobs(['light']);
    expect(await orderOf(renewal)).toMatchObject({ status: 'cancelled' });
    expect(await adapter.refunds(api, renewal)).toBe(1);
  });

  it('tells the operator of what should never be, once a day', async () => {
    const orderId = await bought();
    expect(await findOrderFaults(api.ctx)).toEqual(noFaults);
    const [row] = await api.ctx.db.select().from(subscriptions);
    await api.ctx.db.update(users).set({ email: '' }).where(eq(users.id, buyer.id));
    expect((await findOrderFaults(api.ctx)).licenceWithoutAddress).toEqual([row?.id]);
    await api.ctx.db.update(subscriptions).set({ expiresAt: new Date(api.ctx.now().getTime() - 5 * DAY) });
    expect((await findOrderFaults(api.ctx)).renewalOfNobody).toEqual([row?.id]);
    await api.ctx.db.delete(subscriptions);
    expect((await findOrderFaults(api.ctx)).paidWithoutLicence).toEqual([orderId]);
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    api.pass(DAY + 1000);
    await api.jobs(['light']);
    expect(said.mock.calls.flat().join(' ')).toContain(`Paid orders without a licence: ${orderId}.`);
    said.mockRestore();
    const sent = await api.ctx.db.select().from(mails).where(eq(mails.to, api.ctx.env.CONTACT_TO));
    expect(sent.map(({ subject }) => subject)).toEqual(['Orders that need somebody to look at them']);
    expect(sent[0]?.text).toContain(orderId);
  });
});
