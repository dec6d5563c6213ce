import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { PayInfo } from '@/lib/contract/pay';
import type { ProductRow } from '@/lib/contract/products';
import type { SandboxCheckout, SandboxNext } from '@/lib/contract/sandbox';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import type { SsoLogin } from '@/lib/contract/session';
import { jobs, orders, stateHistory } from '@/lib/server/db/schema';
import { SIGNATURE_HEADER, sign } from '@/lib/server/payment/sandbox/signature';
import { price } from '../support/prices';
import { SITE, startApi, type TestApi } from './harness/api';
import { anyEmail, codeIn, lastMail, mailCount, signedIn, signIn } from './harness/people';
import { buy, order, statusOf } from './harness/shop';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const pay = (key: string, body: object) => api.ask<SandboxNext>('POST', `/sandbox/checkout/${key}`, { body });

/** The webhooks that wait to be sent. */
async function waitingWebhooks(): Promise<Record<string, unknown>[]> {
  const rows = await api.ctx.db.select().from(jobs).where(eq(jobs.kind, 'sandbox.webhook'));
  return rows.map((row) => row.payload);
}

function postWebhook(event: object, change: { signature?: string; at?: Date; secret?: string } = {}) {
  const body = new TextEncoder().encode(JSON.stringify(event));
  const signature =
    change.signature ?? sign(change.secret ?? api.ctx.secrets.paymentWebhook, change.at ?? api.ctx.now(), body);
  return api.ask<{ applied: boolean }>('POST', '/pay/webhook/sandbox', {
    rawBody: body,
    headers: { [SIGNATURE_HEADER]: signature },
  });
}

describe('the catalogue', () => {
  it('lists plans with ids and decimal prices', async () => {
    const { obj } = await api.ask<ProductRow[]>('POST', '/products/list', { body: { website: 'whatsapp', os: 'mac' } });
    expect(obj).toHaveLength(3);
    const first = { productsId: 'whatsapp-mac-monthly', price: price.monthly, currency: 'USD', pcs: null };
    expect(obj[0]).toMatchObject(first);
  });
});

describe('a signed webhook', () => {
  it('is refused where it holds NUL, which no database keeps in a text', async () => {
    const event = { id: 'evt_1', type: 'succeeded', orderId: 'MD1', reference: 'r', cents: 1, currency: 'USD' };
    for (const spoilt of [{ id: 'evt\0' }, { orderId: 'MD\0' }, { reference: '\0' }]) {
      const answer = await postWebhook({ ...event, ...spoilt });
      expect(answer.envelope.msg).toBe('This webhook can’t be read.');
      expect(answer.status).toBe(400);
    }
  });
});

describe('buying as a guest', () => {
  it('pays by webhook, makes the account and mails licence and password', async () => {
    const email = anyEmail('buyer');
    const { orderId, key } = await order(api, { email, productsId: 'whatsapp-win-ultimate' });
    const page = await api.ask<SandboxCheckout>('GET', `/sandbox/checkout/${key}`);
    expect(page.obj).toMatchObject({ amount: price.ultimate, currency: 'USD', status: 'open' });
    const answer = await pay(key, { cardNumber: sandboxCards.succeeds });
    expect(answer.obj.url).toBe(`${SITE}/packge-loading?orderId=${orderId}`);
    // The return address proves nothing: only the webhook pays the order.
    expect(await statusOf(api, orderId)).toBe('created');
    await api.jobs(['light']);
    const info = await api.ask<PayInfo>('GET', `/pay/info/${orderId}`);
    expect(info.obj).toMatchObject({ status: 'success', amount: price.ultimate, licenceCode: null, plan: 'Ultimate' });
    const mail = await lastMail(api, email);
    const licence = /[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}/.exec(mail.text)?.[0];
    const password = /^ {4}([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})$/m.exec(mail.text)?.[1] ?? '';
    expect(mail.text).not.toContain('!');
    const token = await signIn(api, email, password);
    const detail = await api.ask<SsoLogin['userDetail']>('GET', '/user/info', { token });
    expect(detail.obj.mustChangePassword).toBe(true);
    const owned = await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token });
    expect(owned.obj).toHaveLength(1);
    expect(owned.obj[0]).toMatchObject({
      licenceCode: licence,
      status: 'activate',
      expirationDate: null,
      type: 'perpetual',
    });
    const owners = await api.ask<PayInfo>('GET', `/pay/info/${orderId}`, { token });
    expect(owners.obj.licenceCode).toBe(licence);
  });

  it('lets the mailed password in for seven days; then it takes a code, and the words say so', async () => {
    const own = await startApi();
    const email = anyEmail('buyer');
    await buy(own, { email });
    const bought = await lastMail(own, email);
    const password = /^ {4}([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})$/m.exec(bought.text)?.[1] ?? '';
    expect(bought.text).toMatch(/It works for 7 days, until \w+ \d+, 20\d\d, \d\d:\d\d UTC\./);
    const token = await signIn(own, email, password);
    own.pass(6.9 * 86_400_000);
    await expect(signIn(own, email, password)).resolves.toBeTruthy();

    own.pass(0.2 * 86_400_000);
    const attempt = (secret: string) =>
      own.ask('POST', '/sso/password', { body: { email, password: secret, redirectUri: `${SITE}/` } });
    const ended = await attempt(password);
    expect(ended.status).toBe(410);
    expect(ended.envelope.msg).toMatch(/^The password that we mailed you worked for 7 days and has ended\..*code/);
    expect((await attempt('a wrong one')).envelope.msg).toBe('The e-mail address or password is not right.');
    const info = await own.ask<SsoLogin['userDetail']>('GET', '/user/info', { token });
    expect(info.obj).toMatchObject({ mustChangePassword: true, hasPassword: false });
    const change = { currentPassword: password, newPassword: 'my own one' };
    expect((await own.ask('PUT', '/user/password/reset', { token, body: change })).status).toBe(410);

    await own.ask('POST', '/sso/code', { body: { email } });
    await own.jobs(['light']);
    const body = { email, code: codeIn(await lastMail(own, email)), newPassword: 'my own one' };
    expect((await own.ask('PUT', '/user/password/reset', { body })).status).toBe(200);
    own.pass(30 * 86_400_000);
    const later = await own.ask<SsoLogin['userDetail']>('GET', '/user/info', {
      token: await signIn(own, email, 'my own one'),
    });
    expect(later.obj).toMatchObject({ mustChangePassword: false, hasPassword: true });
    expect(later.obj).not.toHaveProperty('presetEndsAt');
    await own.close();
  });

  it('does not keep the mailed password for good: neither a change nor a code takes it as a new one', async () => {
    const own = await startApi();
    const email = 'same@example.com';
    await buy(own, { email });
    const password = /^ {4}([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})$/m.exec((await lastMail(own, email)).text)?.[1] ?? '';
    const token = await signIn(own, email, password);
    const put = (body: object, bearer?: string) => own.ask('PUT', '/user/password/reset', { token: bearer, body });
    const changed = await put({ currentPassword: password, newPassword: password }, token);
    expect(changed.status).toBe(400);
    expect(changed.envelope.msg).toBe('This is the password that you have. Please choose another one.');

    await own.ask('POST', '/sso/code', { body: { email } });
    await own.jobs(['light']);
    const code = codeIn(await lastMail(own, email));
    expect((await put({ email, code, newPassword: password })).status).toBe(400);
    const info = await own.ask<SsoLogin['userDetail']>('GET', '/user/info', { token });
    expect(info.obj).toMatchObject({ mustChangePassword: true });
    // The code is not spent by it.
    expect((await put({ email, code, newPassword: 'my own one' })).status).toBe(200);
    await own.close();
  });

  it('signs its mail with the brand that was bought, and says whose that is', async () => {
    const ending = async (productsId: string) => {
      const email = `${productsId}@example.com`;
      await buy(api, { email, productsId });
      return (await lastMail(api, email)).text.trimEnd().split('\n').at(-1);
    };
    expect(await ending('whatsapp-win-pro')).toBe('ChatFerry by Mendara');
    expect(await ending('recovery-win-pro')).toBe('Mendara');
  });

  it('attaches the licence to an account that exists, without a password', async () => {
    const owner = await signedIn(api);
    await buy(api, { email: owner.email.toUpperCase() });
    const mail = await lastMail(api, owner.email);
    expect(mail.text).not.toContain('We made an account');
    const owned = await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token });
    expect(owned.obj[0]).toMatchObject({ currentPlan: 'Pro', type: 'year', autoRenew: true });
  });
});

describe('the payment page', () => {
  it('cancels to the store with the tip', async () => {
    const { orderId, key } = await order(api);
    const { obj } = await pay(key, { action: 'cancel' });
    expect(obj.url).toBe(`${SITE}/data-recovery-store?ufrom=win&toast=error&tip=payment_cancelled`);
    await api.jobs(['light']);
    expect(await statusOf(api, orderId)).toBe('cancelled');
    expect((await api.ask('POST', '/pay', { body: { orderId, payExtend: '' } })).status).toBe(409);
  });

  it('declines, and takes another card', async () => {
    const { orderId, key } = await order(api);
    const declined = await pay(key, { cardNumber: sandboxCards.declines });
    expect(declined.envelope).toMatchObject({
      success: '10402',
      msg: 'The card was declined. Please try another card.',
    });
    await api.jobs(['light']);
    expect(await statusOf(api, orderId)).toBe('failed');
    await pay(key, { cardNumber: sandboxCards.succeeds });
    await api.jobs(['light']);
    expect(await statusOf(api, orderId)).toBe('success');
  });

  it('stays pending until it is settled', async () => {
    const { orderId, key } = await order(api);
    const { obj } = await pay(key, { cardNumber: sandboxCards.pending });
    expect(obj.url).toBe(`${SITE}/pending?orderId=${orderId}`);
    await api.jobs(['light']);
    expect(await statusOf(api, orderId)).toBe('pending');
    await api.ask('POST', `/sandbox/settle/${key}`, { body: {} });
    await api.jobs(['light']);
    expect(await statusOf(api, orderId)).toBe('success');
  });

  it('pays once on a double click', async () => {
    const email = anyEmail('double');
    const { key } = await order(api, { email });
    const answers = await Promise.all([1, 2, 3].map(() => pay(key, { cardNumber: sandboxCards.succeeds })));
    expect(new Set(answers.map((answer) => answer.obj.url)).size).toBe(1);
    expect(await waitingWebhooks()).toHaveLength(1);
    await api.jobs(['light']);
    expect(await mailCount(api, email)).toBe(1);
  });

  it('takes test cards only, and keeps no number', async () => {
    const { key } = await order(api);
    const refused = await pay(key, { cardNumber: '5555 5555 5555 4444' });
    expect(refused.status).toBe(400);
    const missing = await pay(key, {});
    expect(missing.envelope.msg).toBe('Please enter a card number.');
    await pay(key, { cardNumber: sandboxCards.succeeds });
    const { rows } = await api.ctx.handle.query({ text: 'select * from sandbox_payments' });
    // The whole number, written either way: its last four digits alone may stand in a key's hash by chance.
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(sandboxCards.succeeds);
    expect(kept).not.toContain(sandboxCards.succeeds.replace(/\D/g, ''));
    expect(Object.keys(rows[0] ?? {}).filter((column) => /card|last|number/i.test(column))).toEqual([]);
    await api.jobs(['light']);
  });

  it('serves this computer only, unless it is allowed', async () => {
    const { key } = await order(api);
    const headers = { host: 'shop.example.com' };
    expect((await api.ask('GET', `/sandbox/checkout/${key}`, { headers })).status).toBe(404);
    expect((await api.ask('GET', '/outbox', { headers })).status).toBe(404);
    const open = await startApi({ ALLOW_SANDBOX_PAYMENTS: '1' });
    expect((await open.ask('GET', '/outbox', { headers })).status).toBe(200);
    await open.close();
  });
});

describe('webhooks', () => {
  const eventFor = async (key: string, orderId: string, change: object = {}) => {
    const [row] = await api.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    return {
      id: `evt_${randomUUID()}`,
      type: 'succeeded',
      orderId,
      reference: row?.providerReference ?? key,
      cents: row?.cents,
      currency: row?.currency,
      ...change,
    };
  };

  it('change nothing twice', async () => {
    const email = anyEmail('twice');
    const { orderId, key } = await order(api, { email });
    const event = await eventFor(key, orderId);
    expect((await postWebhook(event)).obj).toEqual({ applied: true });
    expect((await postWebhook(event)).obj).toEqual({ applied: false });
    expect((await postWebhook({ ...event, id: 'evt_other' })).obj).toEqual({ applied: false });
    expect(await mailCount(api, email)).toBe(1);
    const history = await api.ctx.db.select().from(stateHistory).where(eq(stateHistory.subjectId, orderId));
    expect(history.map((row) => row.to)).toEqual(['created', 'success']);
  });

  it('may overtake one another', async () => {
    const { orderId, key } = await order(api);
    await postWebhook(await eventFor(key, orderId));
    for (const type of ['pending', 'failed', 'cancelled']) {
      expect((await postWebhook(await eventFor(key, orderId, { type }))).obj).toEqual({ applied: false });
    }
    expect(await statusOf(api, orderId)).toBe('success');
  });

  it('may come before the order, and are asked for again', async () => {
    const early = await postWebhook(await eventFor('x', 'MDUNKNOWN', { cents: 1999, currency: 'USD' }));
    expect(early.status).toBe(404);
  });

  it('are refused when forged, changed or old', async () => {
    const { orderId, key } = await order(api);
    const event = await eventFor(key, orderId);
    const forged = await postWebhook(event, { secret: 'a secret somebody guessed' });
    const unsigned = await postWebhook(event, { signature: '' });
    const old = await postWebhook(event, { at: new Date(api.ctx.now().getTime() - 301_000) });
    const body = new TextEncoder().encode(JSON.stringify(event));
    const changed = await postWebhook(
      { ...event, cents: 1 },
      { signature: sign(api.ctx.secrets.paymentWebhook, api.ctx.now(), body) },
    );
    for (const answer of [forged, unsigned, old, changed]) expect(answer.status).toBe(403);
    expect(await statusOf(api, orderId)).toBe('created');
  });

  it('are refused when amount, currency or payment differ', async () => {
    const { orderId, key } = await order(api);
    for (const change of [{ cents: 1 }, { currency: 'EUR' }, { reference: 'another payment' }]) {
      expect((await postWebhook(await eventFor(key, orderId, change))).status).toBe(409);
    }
    expect(await statusOf(api, orderId)).toBe('created');
  });

  it('pay an order that was given up meanwhile, since the money was taken', async () => {
    const own = await startApi();
    const { orderId, key } = await order(own);
    own.pass(25 * 3_600_000);
    const { expireOrders } = await import('@/lib/server/orders/expire-orders');
    const job = { id: 'x', kind: 'sweep.orders' as const, payload: {}, attempt: 1, failures: 0 };
    const effect = await expireOrders.run(own.ctx, job, new AbortController().signal);
    await own.ctx.db.transaction(async (tx) => effect?.(tx));
    expect(await statusOf(own, orderId)).toBe('expired');
    await own.ask('POST', `/sandbox/checkout/${key}`, { body: { cardNumber: sandboxCards.succeeds } });
    await own.jobs(['light']);
    expect(await statusOf(own, orderId)).toBe('success');
    await own.close();
  });
});

describe('ownership', () => {
  it('shows a signed-in buyer’s order to nobody else, exactly like an unknown one', async () => {
    const owner = await signedIn(api);
    const stranger = await signedIn(api);
    const { orderId } = await order(api, {}, owner.token);
    const unknown = await api.ask('GET', '/pay/info/MDNOTHING', { token: stranger.token });
    for (const token of [stranger.token, undefined]) {
      const foreign = await api.ask('GET', `/pay/info/${orderId}`, { token });
      expect(foreign.envelope).toEqual(unknown.envelope);
      expect((await api.ask('POST', '/pay', { body: { orderId, payExtend: '' }, token })).status).toBe(404);
    }
    expect((await api.ask('GET', `/pay/info/${orderId}`, { token: owner.token })).status).toBe(200);
    expect((await api.ask('GET', `/pay/info/${orderId}`, { token: 'a dead token' })).envelope.success).toBe('10009');
  });

  it('lets nobody cancel or resume another’s subscription', async () => {
    const owner = await signedIn(api);
    const stranger = await signedIn(api);
    await buy(api, { productsId: 'duplicate-mac-monthly' }, owner.token);
    const [mine] = (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token })).obj;
    for (const step of ['cancel', 'resume']) {
      const foreign = await api.ask('PUT', `/user/${step}/subscription/${mine?.id}`, { token: stranger.token });
      const unknown = await api.ask('PUT', `/user/${step}/subscription/nothing`, { token: stranger.token });
      expect(foreign.status).toBe(404);
      expect(foreign.envelope).toEqual(unknown.envelope);
    }
  });
});

describe('subscriptions', () => {
  it('cancel, resume, and live to their date', async () => {
    const own = await startApi();
    const owner = await signedIn(own);
    await buy(own, { productsId: 'recovery-mac-monthly' }, owner.token);
    const list = async () =>
      (await own.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token })).obj[0];
    const first = await list();
    expect(first).toMatchObject({ status: 'activate', autoRenew: true });
    const put = (step: string) =>
      own.ask<OwnedProduct>('PUT', `/user/${step}/subscription/${first?.id}`, { token: owner.token });
    expect((await put('cancel')).obj).toMatchObject({ status: 'unsubscribe', autoRenew: false });
    expect((await put('cancel')).status).toBe(200);
    expect((await put('resume')).obj).toMatchObject({ status: 'activate', autoRenew: true });
    await own.ask('POST', '/licences/activate', { body: { licenceCode: first?.licenceCode } });
    expect((await list())?.status).toBe('normal');
    await put('cancel');
    own.pass(32 * 86_400_000);
    expect((await list())?.status).toBe('expired');
    expect((await put('resume')).status).toBe(409);
    await own.close();
  });

  it('a perpetual licence has nothing to cancel', async () => {
    const owner = await signedIn(api);
    await buy(api, { productsId: 'recovery-win-ultimate' }, owner.token);
    const [row] = (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: owner.token })).obj;
    const refused = await api.ask('PUT', `/user/cancel/subscription/${row?.id}`, { token: owner.token });
    expect(refused.status).toBe(409);
  });
});
