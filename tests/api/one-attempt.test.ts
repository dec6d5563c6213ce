import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderCreated, PayAnswer, PayInfo } from '@/lib/contract/pay';
import { limitTable } from '@/lib/server/limits/table';
import { price } from '../support/prices';
import { SITE, startApi, type TestApi } from './harness/api';
import { signedIn } from './harness/people';
import { order, orderPayload } from './harness/shop';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('one attempt to buy', () => {
  const create = (key: string, change = {}, token?: string, on = api) =>
    on.ask<OrderCreated>('POST', '/pay/create', {
      body: orderPayload(change),
      headers: { 'idempotency-key': key },
      token,
    });

  it('makes one order, however often it is sent', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(key)));
    expect(new Set(answers.map((answer) => answer.obj.orderId)).size).toBe(1);
  });

  it('is answered with its order where a new one would be one too many', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const send = (key: string) => create(key, {}, undefined, own);
    const key = randomUUID();
    const first = await send(key);
    for (let count = 1; count < limitTable.orderCaller.points; count += 1) await send(randomUUID());
    expect((await send(randomUUID())).status).toBe(429);
    const again = await send(key);
    expect(again.obj.orderId).toBe(first.obj.orderId);
    await own.close();
  });

  it('refuses the same key with other details', async () => {
    const key = randomUUID();
    await create(key);
    const other = await create(key, { productsId: 'recovery-win-monthly' });
    expect(other.status).toBe(409);
    expect(other.envelope.obj).toBeNull();
  });

  it('does not answer one buyer’s key to another', async () => {
    const key = randomUUID();
    const person = await signedIn(api);
    const guest = await create(key);
    const signed = await create(key, {}, person.token);
    expect(signed.obj.orderId).not.toBe(guest.obj.orderId);
  });

  it('answers the same page when the payment is asked for again', async () => {
    const { orderId, key } = await order(api);
    const again = await api.ask<PayAnswer>('POST', '/pay', { body: { orderId, payExtend: '{"a":1}' } });
    expect(new URL(again.obj.redirectUrl).searchParams.get('key')).toBe(key);
  });

  it.each([
    [{ productsId: 'recovery-win-free' }, 404, /isn’t sold/],
    [{ productsPriceId: 7 }, 400, /productsPriceId/],
    [{ successUrl: 'https://elsewhere.example/' }, 400, /return/],
    [{ cancelUrl: `blob:${SITE}/0f7c` }, 400, /return/],
    [{ cancelUrl: 'javascript:alert(1)' }, 400, /return/],
    [{ cancelUrl: undefined }, 400, /“cancelUrl” is missing/],
    [{ userExtend: '{' }, 400, /“userExtend” must be JSON/],
    [{ transparentExtend: JSON.stringify('x'.repeat(2100)) }, 400, /2048 bytes/],
    [{ email: '' }, 400, /e-mail/],
  ])('refuses %j', async (change, status, msg) => {
    const answer = await create(randomUUID(), change);
    expect(answer.status).toBe(status);
    expect(answer.envelope.msg).toMatch(msg);
  });

  it('charges the catalogue’s price, whatever else is sent', async () => {
    const { obj } = await create(randomUUID(), { price: '0.01', cents: 1 });
    const info = await api.ask<PayInfo>('GET', `/pay/info/${obj.orderId}`);
    expect(info.obj.amount).toBe(price.pro);
  });
});
