import { inflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { OpenedOrder, OrderRow, Withdrawal } from '@/lib/contract/orders';
import type { PayInfo } from '@/lib/contract/pay';
import { mails, orders, sandboxPayments, subscriptions, users } from '@/lib/server/db/schema';
import { addPeriodicJobs } from '@/lib/server/jobs/prepare';
import { dateInWords } from '@/lib/server/mail/date-in-words';
import { withdraw } from '@/lib/server/orders/withdrawal';
import { handlers } from '@/lib/server/run/handlers';
import { applyPaymentEvent } from '@/lib/server/settlement/apply-event';
import { cents, price } from '../support/prices';
import { startApi, type TestApi } from './harness/api';
import { anyEmail, lastMail, mailCount, type Person, signedIn } from './harness/people';
import { buy, daysToRenewal, order, statusOf } from './harness/shop';

const DAY = 86_400_000;
let api: TestApi;
let owner: Person;
let stranger: Person;

beforeEach(async () => {
  api = await startApi();
  await addPeriodicJobs(api.ctx, handlers);
  owner = await signedIn(api, anyEmail('owner'));
  stranger = await signedIn(api, anyEmail('stranger'));
});
afterEach(() => api.close());

const owned = async () => (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token })).obj;
const ordersOf = async () => (await api.ask<OrderRow[]>('GET', '/user/orders', { token: owner.token })).obj;
/**
 * The letters of a PDF of ours, whose strings are in hexadecimal digits. Its lines end with a line feed: a carriage
 * return before one is a byte of what is packed.
 */
const textOf = async (answer: Response) => {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const streams = [...bytes.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)];
  const contents = streams.map(([, packed = '']) => inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'));
  const strings = [...contents.join('\n').matchAll(/<([0-9a-f]+)> Tj/gi)];
  return strings.map(([, digits = '']) => Buffer.from(digits, 'hex').toString('latin1')).join('\n');
};
/** Moves the clock and lets the jobs catch up; periodic ones come twice, as they would. */
const live = async (days: number) => {
  api.pass(days * DAY);
  await api.jobs(['light']);
  api.pass(3_601_000);
  await api.jobs(['light']);
};

describe('a subscription over time', () => {
  it('renews on its date, once for each period, with an order and a mail of its own', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const [first] = await owned();
    await live((await daysToRenewal(api)) - 2);
    await live(2);
    const [second] = await owned();
    expect(second?.expirationDate).not.toBe(first?.expirationDate);
    expect(new Date(second?.expirationDate ?? 0).getTime() - Date.now()).toBeGreaterThan(55 * DAY);
    expect(second).toMatchObject({ status: 'activate', autoRenew: true, licenceCode: first?.licenceCode });
    expect(await ordersOf()).toHaveLength(2);
    expect((await lastMail(api, owner.email)).subject).toContain('was renewed');
    await live(await daysToRenewal(api));
    expect(await ordersOf()).toHaveLength(3);
    expect(await owned()).toHaveLength(1);
  });

  it('ends at its date when it was cancelled, without another charge', async () => {
    await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const [row] = await owned();
    await api.ask('PUT', `/user/cancel/subscription/${row?.id}`, { token: owner.token });
    await live((await daysToRenewal(api)) - 1);
    expect((await owned())[0]?.status).toBe('unsubscribe');
    await live(3);
    expect((await owned())[0]?.status).toBe('expired');
    expect(await ordersOf()).toHaveLength(1);
    expect((await lastMail(api, owner.email)).subject).toContain('has expired');
  });

  it('announces a yearly renewal in time, once', async () => {
    await buy(api, { productsId: 'recovery-win-pro' }, owner.token);
    await live(340);
    expect((await lastMail(api, owner.email)).subject).toContain('Your licence');
    await live(13);
    const mail = await lastMail(api, owner.email);
    expect(mail.subject).toContain('will renew');
    expect(mail.text).toContain(`$${price.pro}`);
    const count = await mailCount(api, owner.email);
    await live(1);
    expect(await mailCount(api, owner.email)).toBe(count);
  });

  it('keeps a perpetual licence for good', async () => {
    await buy(api, { productsId: 'recovery-win-ultimate' }, owner.token);
    await live(4000);
    const [row] = await api.ctx.db.select().from(subscriptions);
    expect(row).toMatchObject({ expiredAt: null, expiresAt: null });
  });
});

describe('papers', () => {
  it('are a PDF for the owner, and nothing for anyone else', async () => {
    const orderId = await buy(api, {}, owner.token);
    const receipt = await api.send('GET', `/user/orders/${orderId}/receipt`, { token: owner.token });
    expect(receipt.headers.get('content-type')).toBe('application/pdf');
    expect(receipt.headers.get('content-disposition')).toContain(`receipt-${orderId}.pdf`);
    expect(Buffer.from(await receipt.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-');
    const foreign = await api.ask('GET', `/user/orders/${orderId}/receipt`, { token: stranger.token });
    const unknown = await api.ask('GET', '/user/orders/MDX/receipt', { token: stranger.token });
    expect(foreign.envelope).toEqual(unknown.envelope);
    expect((await api.ask('GET', `/user/orders/${orderId}/receipt`)).envelope.success).toBe('10009');
    expect((await api.ask<OrderRow[]>('GET', '/user/orders', { token: stranger.token })).obj).toEqual([]);
  });

  it('name the last day of the withdrawal as it is kept: 30 days for Data Recovery for Windows, 14 for others', async () => {
    for (const [productsId, days] of [
      ['recovery-win-pro', 30],
      ['recovery-mac-pro', 14],
    ] as const) {
      const orderId = await buy(api, { productsId }, owner.token);
      const [row] = (await ordersOf()).filter((one) => one.orderId === orderId);
      const lastDay = new Date(row?.withdrawableUntil ?? 0);
      expect(lastDay.getTime() - new Date(row?.paidAt ?? 0).getTime()).toBe(days * DAY);
      const text = async () => textOf(await api.send('GET', `/user/orders/${orderId}/receipt`, { token: owner.token }));
      expect(await text()).toContain(`until ${dateInWords(lastDay)}, in your account`);
      await withdraw(api.ctx, orderId);
      expect(await text()).not.toContain('in your account');
    }
  });

  it('come to guests by a mailed link, for a day, and to nobody who only knows the number', async () => {
    const email = anyEmail('guest');
    const orderId = await buy(api, { email });
    const wrong = await api.ask('POST', '/orders/lookup', { body: { orderId, email: stranger.email } });
    await api.jobs(['light']);
    expect(await mailCount(api, stranger.email)).toBe(0);
    const right = await api.ask('POST', '/orders/lookup', { body: { orderId: orderId.toLowerCase(), email } });
    expect(right.envelope).toEqual(wrong.envelope);
    await api.jobs(['light']);
    const key = /order-lookup#([\w-]+)/.exec((await lastMail(api, email)).text)?.[1];
    const opened = await api.ask<OpenedOrder>('GET', `/orders/link/${key}`);
    expect(opened.obj).toMatchObject({ orderId, status: 'success' });
    expect(opened.obj.licenceCode).toMatch(/^[0-9A-Z-]{23}$/);
    const receipt = await api.send('GET', `/orders/link/${key}/receipt`);
    expect(receipt.headers.get('content-type')).toBe('application/pdf');
    api.pass(DAY + 1000);
    expect((await api.ask('GET', `/orders/link/${key}`)).status).toBe(410);
  });
});

describe('withdrawal', () => {
  const ask = (orderId: string, body: object, token?: string) =>
    api.ask<Withdrawal>('POST', `/orders/${orderId}/withdraw`, { body, token });

  it('takes two steps, ends the licence, gives the money back and sends a receipt, once', async () => {
    const orderId = await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    const preview = await ask(orderId, {}, owner.token);
    expect(preview.obj).toMatchObject({ orderId, amount: price.monthly, withdrawnAt: null });
    expect(new Date(preview.obj.deadline).getTime() - Date.now()).toBeGreaterThan(29 * DAY);
    expect((await owned())[0]?.status).toBe('activate');
    const done = await ask(orderId, { confirm: true }, owner.token);
    expect(done.obj.withdrawnAt).not.toBeNull();
    expect((await ask(orderId, { confirm: true }, owner.token)).obj.withdrawnAt).toBe(done.obj.withdrawnAt);
    expect((await owned())[0]?.status).toBe('expired');
    expect(await statusOf(api, orderId, owner.token)).toBe('cancelled');
    const [payment] = await api.ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.orderId, orderId));
    expect(payment?.status).toBe('refunded');
    expect((await lastMail(api, owner.email)).text).toContain('Please keep this mail as your receipt.');
    const late = await applyPaymentEvent(api.ctx, 'sandbox', {
      id: 'evt_late',
      type: 'succeeded',
      orderId,
      reference: payment?.keyHash ?? '',
      cents: cents.monthly,
      currency: 'USD',
    });
    expect(late).toEqual({ ok: true, value: { applied: false } });
  });

  it('says the very time that is kept', async () => {
    const orderId = await buy(api, { productsId: 'recovery-win-monthly' }, owner.token);
    let time = api.ctx.now().getTime();
    // A clock that is read twice does not say the same twice.
    const done = await withdraw({ ...api.ctx, now: () => new Date(time++) }, orderId);
    const [kept] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    expect(done).toMatchObject({ ok: true, value: { withdrawnAt: kept?.withdrawnAt?.toISOString() } });
  });

  it('is the owner’s alone, in time, and of a paid order', async () => {
    const orderId = await buy(api, { productsId: 'whatsapp-mac-pro' }, owner.token);
    expect((await ask(orderId, { confirm: true }, stranger.token)).status).toBe(404);
    expect((await ask(orderId, { confirm: true })).status).toBe(404);
    const unpaid = await order(api, {}, owner.token);
    expect((await ask(unpaid.orderId, { confirm: true }, owner.token)).status).toBe(404);
    api.pass(15 * DAY);
    const late = await ask(orderId, { confirm: true }, owner.token);
    expect(late.envelope.msg).toContain('is over');
    expect((await api.ask<PayInfo>('GET', `/pay/info/${orderId}`, { token: owner.token })).obj.status).toBe('success');
  });
});

describe('one’s data', () => {
  it('is exported whole, without secrets', async () => {
    await buy(api, {}, owner.token);
    const { obj } = await api.ask<Record<string, unknown[]>>('POST', '/user/export', { token: owner.token });
    expect(Object.keys(obj)).toEqual([
      'exportedAt',
      'profile',
      'signInProviders',
      'sessions',
      'orders',
      'subscriptions',
      'history',
      'mails',
      'messages',
    ]);
    expect(obj.orders).toHaveLength(1);
    const text = JSON.stringify(obj);
    for (const secret of ['passwordHash', 'tokenHash', 'argon2', 'providerReference', stranger.email]) {
      expect(text).not.toContain(secret);
    }
  });

  it('is erased with the password, but for what the law keeps', async () => {
    const orderId = await buy(api, {}, owner.token);
    await order(api, {}, owner.token);
    const erase = (currentPassword: string) =>
      api.ask<{ kept: string[] }>('DELETE', '/user', { token: owner.token, body: { currentPassword } });
    expect((await erase('wrong')).status).toBe(401);
    const done = await erase(owner.password);
    expect(done.obj.kept).toEqual(['One paid order, because the law asks us to keep invoices.']);
    expect((await api.ask('GET', '/user/info', { token: owner.token })).envelope.success).toBe('10009');
    expect(await api.ctx.db.select().from(users).where(eq(users.email, owner.email))).toEqual([]);
    const kept = await api.ctx.db.select().from(orders).where(eq(orders.email, owner.email));
    expect(kept.map((row) => row.id)).toEqual([orderId]);
    const [last, ...others] = await api.ctx.db.select().from(mails).where(eq(mails.to, owner.email));
    expect(last?.subject).toBe('Your account was erased');
    expect(others).toEqual([]);
  });
});
