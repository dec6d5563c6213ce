import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { OrderRow } from '@/lib/contract/orders';
import type { PayInfo } from '@/lib/contract/pay';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import { jobs, orders, subscriptions } from '@/lib/server/db/schema';
import { addPeriodicJobs } from '@/lib/server/jobs/prepare';
import { refundOrder } from '@/lib/server/operations/change-purchase';
import { handlers } from '@/lib/server/run/handlers';
import { addPeriod } from '@/lib/server/sales/period';
import { applyPaymentEvent } from '@/lib/server/settlement/apply-event';
import { momentInWords } from '@/lib/utils/moment-words';
import { price } from '../support/prices';
import { startApi, type TestApi } from './harness/api';
import { anyEmail, lastMail, mailCount, type Person, signedIn } from './harness/people';
import { buy, order, orderPayload, statusOf } from './harness/shop';

const MINUTE = 60_000;
const DAY = 86_400_000;
let api: TestApi;
let owner: Person;

beforeEach(async () => {
  api = await startApi();
  await addPeriodicJobs(api.ctx, handlers);
  owner = await signedIn(api, anyEmail('owner'));
});
afterEach(() => api.close());

const owned = async () => (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token })).obj;
const only = async () => {
  const [row] = await owned();
  if (!row) throw new Error('Nothing is owned.');
  return row;
};
const charges = async () =>
  (await api.ctx.db.select().from(orders)).filter((row) => row.renewalOf !== null && row.status === 'success').length;
const put = (step: string, id: string) =>
  api.ask<OwnedProduct>('PUT', `/user/${step}/subscription/${id}`, { token: owner.token });
const subjects = async () => {
  const { obj } = await api.ask<{ to: string; subject: string }[]>('GET', '/outbox');
  return obj.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
};
/** Moves the clock to a moment and lets every job that is due by then run. */
const liveUntil = async (moment: Date | string, plus = 0) => {
  api.pass(new Date(moment).getTime() + plus - api.ctx.now().getTime());
  await api.jobs(['light']);
};
/** Tells how the charge ended. */
const tellOfCharge = async (type: 'failed' | 'succeeded') => {
  const [made] = (await api.ctx.db.select().from(orders)).filter(({ renewalOf }) => renewalOf !== null);
  if (!made) throw new Error('Nothing was charged.');
  const { id: orderId, cents, currency, providerReference } = made;
  const event = { id: `evt_${type}`, type, orderId, cents, currency };
  return applyPaymentEvent(api.ctx, 'sandbox', { ...event, reference: providerReference ?? '' });
};
/** Lets the next charge be told as failed, as a refused card is. */
const declineCharge = () => tellOfCharge('failed');
/** Charges the next period, but keeps the provider's good news back. */
const chargeWithoutNews = async (row: OwnedProduct) => {
  const kept = api.ctx.fetch;
  api.ctx.fetch = () => Promise.reject(new Error('lost'));
  await liveUntil(row.expirationDate ?? '', MINUTE);
  api.ctx.fetch = kept;
  await api.ctx.db.delete(jobs).where(eq(jobs.kind, 'sandbox.webhook'));
};

describe('the moment of a renewal', () => {
  it('is the one that the account, the reminder and the charge name, and not a minute earlier', async () => {
    await buy(api, { productsId: 'recovery-win-pro' }, owner.token);
    const row = await only();
    const at = row.nextCharge?.at ?? '';
    expect(row.nextCharge).toEqual({ amount: price.pro, currency: 'USD', at: row.expirationDate });
    await liveUntil(at, -13 * DAY);
    const reminder = await lastMail(api, owner.email);
    expect(reminder.subject).toContain('will renew');
    expect(reminder.text).toContain(`It renews on ${momentInWords(at)} for $${price.pro}.`);
    await liveUntil(at, -MINUTE);
    expect(await charges()).toBe(0);
    await liveUntil(at, MINUTE);
    await api.jobs(['light']);
    expect(await charges()).toBe(1);
    const [kept] = await api.ctx.db.select().from(subscriptions);
    expect(kept?.expiresAt).toEqual(addPeriod(new Date(at), 'year'));
  });

  it('a monthly plan is told in the account, not by mail', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await liveUntil(row.expirationDate ?? '', -MINUTE);
    expect((await only()).nextCharge).toEqual({ amount: price.monthly, currency: 'USD', at: row.expirationDate });
    expect(await subjects()).toEqual([expect.stringContaining('Your licence for')]);
  });

  it('cancelling in its last minute is in time', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await liveUntil(row.expirationDate ?? '', -MINUTE);
    expect((await put('cancel', row.id)).obj).toMatchObject({ status: 'unsubscribe', nextCharge: null });
    await liveUntil(row.expirationDate ?? '', 2 * MINUTE);
    expect(await charges()).toBe(0);
    expect(await only()).toMatchObject({ status: 'expired', expirationDate: row.expirationDate });
  });

  it('the licence goes on while the charge is under way', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await chargeWithoutNews(row);
    expect(await only()).toMatchObject({ status: 'activate', expirationDate: row.expirationDate });
  });

  it('is not cancelled any more while the charge is under way, and is once that is done', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await chargeWithoutNews(row);
    const mails = await mailCount(api, owner.email);
    const late = await put('cancel', row.id);
    expect([late.status, late.envelope.msg]).toEqual([
      409,
      'The next period is being charged right now. As soon as the payment is confirmed you can cancel here, or withdraw from it.',
    ]);
    expect(await mailCount(api, owner.email)).toBe(mails);
    await tellOfCharge('succeeded');
    const renewed = await only();
    expect((await put('cancel', row.id)).obj).toMatchObject({
      status: 'unsubscribe',
      expirationDate: renewed.expirationDate,
    });
    expect((await lastMail(api, owner.email)).text).toContain(
      `The licence works until ${momentInWords(renewed.expirationDate ?? '')}.`,
    );
  });

  it('cancelled after a refused charge, is over, and no mail names a day that has passed', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await chargeWithoutNews(row);
    await tellOfCharge('failed');
    expect((await put('cancel', row.id)).obj).toMatchObject({ status: 'expired', autoRenew: false });
    const { text } = await lastMail(api, owner.email);
    expect(text).toContain('nothing more is charged. The licence has ended.');
    expect(text).not.toContain('works until');
  });

  it('charges what was agreed, whatever the store asks for today', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    await api.ctx.db.update(orders).set({ cents: 499 });
    const row = await only();
    expect(row.nextCharge?.amount).toBe('4.99');
    await liveUntil(row.expirationDate ?? '', MINUTE);
    await api.jobs(['light']);
    const made = (await api.ctx.db.select().from(orders)).find(({ renewalOf }) => renewalOf === row.id);
    expect(made).toMatchObject({ cents: 499, status: 'success' });
  });

  it('keeps the day of the month on which it began', () => {
    const start = new Date('2027-01-31T10:00:00Z');
    const february = addPeriod(start, 'month', start) as Date;
    expect(february.toISOString()).toBe('2027-02-28T10:00:00.000Z');
    expect(addPeriod(february, 'month', start)?.toISOString()).toBe('2027-03-31T10:00:00.000Z');
  });
});

describe('the result of a payment that somebody waits for comes by mail', () => {
  const pending = async () => {
    const { orderId, key } = await order(api, { productsId: 'duplicate-mac-pro' }, owner.token);
    await api.ask('POST', `/sandbox/checkout/${key}`, { body: { cardNumber: sandboxCards.pending } });
    await api.jobs(['light']);
    expect(await statusOf(api, orderId, owner.token)).toBe('pending');
    return { orderId, key };
  };
  const settle = async (key: string, outcome: string) => {
    await api.ask('POST', `/sandbox/settle/${key}`, { body: { outcome } });
    await api.jobs(['light']);
  };

  it('when it succeeds', async () => {
    const { key } = await pending();
    await settle(key, 'succeeded');
    expect((await lastMail(api, owner.email)).subject).toContain('Your licence for');
  });

  it('when it fails, once, with the way back to the store of the product', async () => {
    const { orderId, key } = await pending();
    await settle(key, 'failed');
    const mail = await lastMail(api, owner.email);
    expect(mail.subject).toContain('did not go through');
    expect(mail.text).toContain(`order ${orderId}, did not go through. You were not charged.`);
    expect(mail.text).toContain('/duplicate-files-store?ufrom=mac');
    api.pass(30 * DAY);
    await api.jobs(['light']);
    expect(await mailCount(api, owner.email)).toBe(1);
  });

  it('when it never comes', async () => {
    const { orderId } = await pending();
    api.pass(8 * DAY);
    await api.jobs(['light']);
    expect(await statusOf(api, orderId, owner.token)).toBe('expired');
    expect((await lastMail(api, owner.email)).subject).toContain('was not confirmed in time');
  });

  it('a card declined on the open page says so there alone', async () => {
    const { key } = await order(api, {}, owner.token);
    await api.ask('POST', `/sandbox/checkout/${key}`, { body: { cardNumber: sandboxCards.declines } });
    await api.jobs(['light']);
    api.pass(2 * DAY);
    await api.jobs(['light']);
    expect(await mailCount(api, owner.email)).toBe(0);
  });

  it('when a renewal fails, with what to do and until when', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await chargeWithoutNews(row);
    expect((await declineCharge()).ok).toBe(true);
    const until = new Date(new Date(row.expirationDate ?? '').getTime() + 3 * DAY);
    const mail = await lastMail(api, owner.email);
    expect(mail.subject).toContain('could not be renewed');
    expect(mail.text).toContain(`Your licence works until ${momentInWords(until)}.`);
    expect(mail.text).toContain('Renew');
    expect(mail.text).toContain('/account');
    expect(await only()).toMatchObject({ status: 'activate', nextCharge: null, graceUntil: until.toISOString() });
    const count = await mailCount(api, owner.email);
    await liveUntil(until, MINUTE);
    expect(await only()).toMatchObject({ status: 'expired', graceUntil: null });
    expect(await mailCount(api, owner.email)).toBe(count + 1);
  });

  it('when a subscription is resumed, with the next charge', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await put('cancel', row.id);
    expect((await put('resume', row.id)).obj.nextCharge?.at).toBe(row.expirationDate);
    const mail = await lastMail(api, owner.email);
    expect(mail.subject).toContain('goes on');
    expect(mail.text).toContain(`It renews on ${momentInWords(row.expirationDate ?? '')} for $${price.monthly}.`);
    const count = await mailCount(api, owner.email);
    await put('resume', row.id);
    expect(await mailCount(api, owner.email)).toBe(count);
  });
});

describe('Renew', () => {
  const renew = (id: string, productsId: string, token: string | undefined = owner.token) =>
    api.ask<{ orderId: string }>('POST', '/pay/create', {
      body: orderPayload({ productsId, transparentExtend: JSON.stringify({ renew: id }) }),
      token,
    });

  it('prolongs the plan that it stands beside, with its licence code', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const row = await only();
    await put('cancel', row.id);
    await liveUntil(row.expirationDate ?? '', 5 * DAY);
    expect((await only()).status).toBe('expired');
    const extend = { transparentExtend: JSON.stringify({ renew: row.id }) };
    const orderId = await buy(api, { productsId: 'recovery-win-monthly', ...extend }, owner.token);
    const again = await owned();
    expect(again).toHaveLength(1);
    expect(again[0]).toMatchObject({ id: row.id, licenceCode: row.licenceCode, status: 'activate', autoRenew: true });
    const left = new Date(again[0]?.expirationDate ?? 0).getTime() - api.ctx.now().getTime();
    expect(left).toBeGreaterThan(27 * DAY);
    const info = await api.ask<PayInfo>('GET', `/pay/info/${orderId}`, { token: owner.token });
    expect(info.obj.licenceCode).toBe(row.licenceCode);
  });

  it('is refused for another plan, for somebody else’s, and while the plan runs', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const { id } = await only();
    const stranger = await signedIn(api, anyEmail('stranger'));
    expect((await renew(id, 'recovery-win-monthly')).status).toBe(409);
    expect((await renew(id, 'recovery-win-pro')).status).toBe(404);
    expect((await renew(id, 'recovery-win-monthly', stranger.token)).status).toBe(404);
    expect((await renew(id, 'recovery-win-monthly', '')).status).toBe(404);
  });
});

describe('money that goes back at the provider', () => {
  it.each([
    ['refunded', 'refund', /was refunded/],
    ['disputed', 'dispute', /is disputed/],
  ])('%s: the licence ends, nothing renews, and the buyer is told', async (outcome, endedBy, subject) => {
    const { orderId, key } = await order(api, { productsId: 'recovery-win-pro' }, owner.token);
    await api.ask('POST', `/sandbox/checkout/${key}`, { body: { cardNumber: sandboxCards.succeeds } });
    await api.jobs(['light']);
    const running = await only();
    api.pass(10 * DAY);
    await api.ask('POST', `/sandbox/settle/${key}`, { body: { outcome } });
    await api.jobs(['light']);
    const row = await only();
    expect(row).toMatchObject({ status: 'expired', endedBy, autoRenew: false, nextCharge: null });
    // No date to come beside a plan that has ended.
    expect(new Date(row.expirationDate ?? 0).getTime()).toBeLessThanOrEqual(api.ctx.now().getTime());
    expect((await lastMail(api, owner.email)).subject).toMatch(subject);
    expect(await statusOf(api, orderId, owner.token)).toBe('cancelled');
    const code = { licenceCode: row.licenceCode };
    expect((await api.ask('POST', '/licences/activate', { body: code })).status).toBe(410);
    const count = await mailCount(api, owner.email);
    const [paper] = (await api.ask<OrderRow[]>('GET', '/user/orders', { token: owner.token })).obj;
    expect(paper?.withdrawableUntil).toBeNull();
    await liveUntil(running.expirationDate ?? '', DAY);
    expect(await charges()).toBe(0);
    expect(await mailCount(api, owner.email)).toBe(count);
  });

  it('while the next period is being charged: that money goes back too, and the plan stays ended', async () => {
    const orderId = await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    await chargeWithoutNews(await only());
    expect((await refundOrder(api.ctx, orderId)).ok).toBe(true);
    await tellOfCharge('succeeded');
    await api.jobs(['light']);
    expect(await only()).toMatchObject({ status: 'expired', endedBy: 'refund', autoRenew: false, nextCharge: null });
    const [charged] = (await api.ctx.db.select().from(orders)).filter(({ renewalOf }) => renewalOf !== null);
    expect(charged).toMatchObject({ status: 'cancelled', reversedBy: 'refund' });
    const { subject, text } = await lastMail(api, owner.email);
    expect(subject).toContain('goes back');
    expect(text).toContain(`$${price.monthly} USD go back to the means of payment that you used`);
    expect((await subjects()).join()).not.toContain('was renewed');
  });

  it('while the next period is being charged: nobody is told to renew what was ended', async () => {
    const orderId = await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    await chargeWithoutNews(await only());
    await refundOrder(api.ctx, orderId);
    const count = await mailCount(api, owner.email);
    await declineCharge();
    await liveUntil(api.ctx.now(), 5 * DAY);
    expect(await mailCount(api, owner.email)).toBe(count);
  });

  it('a withdrawn perpetual licence has the day of its end, and is renewed as what it was', async () => {
    const orderId = await buy(api, { productsId: 'recovery-win-ultimate' }, owner.token);
    await api.ask('POST', `/orders/${orderId}/withdraw`, { body: { confirm: true }, token: owner.token });
    const row = await only();
    expect(row).toMatchObject({ status: 'expired', endedBy: 'withdrawal', autoRenew: false });
    expect(row.expirationDate).not.toBeNull();
    const extend = { transparentExtend: JSON.stringify({ renew: row.id }) };
    await buy(api, { productsId: 'recovery-win-ultimate', ...extend }, owner.token);
    expect(await owned()).toHaveLength(1);
    expect(await only()).toMatchObject({ status: 'activate', expirationDate: null, endedBy: null });
    const [kept] = await api.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, row.id));
    expect(kept).toMatchObject({ expiredAt: null, autoRenew: false });
  });
});
