import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnedProduct, SessionRow } from '@/lib/contract/account';
import type { UploadSignature } from '@/lib/contract/repair';
import { startApi, type TestApi } from '../api/harness/api';
import { anyEmail, lastMail, type Person, signedIn } from '../api/harness/people';
import { buy, order } from '../api/harness/shop';
import { embedded, postgresql } from './adapters';

const real = await postgresql();
const adapters = [embedded, ...(real ? [real] : [])];

type Target = { method: string; path: (id: string) => string; body?: object };

/** Every address of the API that takes an id of somebody's order, receipt, subscription or session. */
const owned: Record<'order' | 'subscription' | 'session', Target[]> = {
  order: [
    { method: 'GET', path: (id) => `/pay/info/${id}` },
    { method: 'GET', path: (id) => `/user/orders/${id}/receipt` },
    { method: 'POST', path: (id) => `/orders/${id}/withdraw`, body: {} },
    { method: 'POST', path: (id) => `/orders/${id}/withdraw`, body: { confirm: true } },
    { method: 'POST', path: (id) => `/orders/${id}/withdraw`, body: { confirm: true, key: 'a'.repeat(43) } },
  ],
  subscription: [
    { method: 'PUT', path: (id) => `/user/cancel/subscription/${id}` },
    { method: 'PUT', path: (id) => `/user/resume/subscription/${id}` },
  ],
  session: [{ method: 'DELETE', path: (id) => `/user/sessions/${id}` }],
};

/** Addresses opened by a key that nobody else can have. */
const keyed: Target[] = [
  { method: 'GET', path: (key) => `/orders/link/${key}` },
  { method: 'GET', path: (key) => `/orders/link/${key}/receipt` },
  { method: 'GET', path: (key) => `/sandbox/checkout/${key}` },
  { method: 'POST', path: (key) => `/sandbox/checkout/${key}`, body: { action: 'cancel' } },
  { method: 'GET', path: (key) => `/repair/tasks/${key}` },
  { method: 'POST', path: (key) => `/repair/tasks/${key}` },
  { method: 'GET', path: (key) => `/repair/tasks/${key}/file` },
];

/** A mailed link that opens nothing may have been one: it is over. Anything else is not there. */
const statusOfNothing = (path: Target['path']) => (path('').startsWith('/orders/link/') ? 410 : 404);

describe.each(adapters)('what belongs to somebody, on the $name database', (adapter) => {
  let api: TestApi;
  let owner: Person;
  let stranger: Person;
  const ids = { order: '', subscription: '', session: '' };
  beforeAll(async () => {
    api = await startApi({}, await adapter.open());
    owner = await signedIn(api, anyEmail('owner'));
    stranger = await signedIn(api, anyEmail('stranger'));
    ids.order = await buy(api, {}, owner.token);
    const as = { token: owner.token };
    ids.subscription = (await api.ask<OwnedProduct[]>('GET', '/user/products/list', as)).obj[0]?.id ?? '';
    ids.session = (await api.ask<SessionRow[]>('GET', '/user/sessions', as)).obj[0]?.id ?? '';
  });
  afterAll(async () => {
    await api.close();
    await adapter.stop();
  });

  const kinds = Object.keys(owned) as (keyof typeof owned)[];

  it.each(kinds)(
    'a stranger’s request for an %s is answered like one for nothing, and changes nothing',
    async (kind) => {
      expect(ids[kind]).not.toBe('');
      for (const { method, path, body } of owned[kind]) {
        for (const token of [stranger.token, undefined]) {
          const foreign = await api.ask(method, path(ids[kind]), { token, body });
          const unknown = await api.ask(method, path('x'.repeat(ids[kind].length)), { token, body });
          expect(foreign.status, `${method} ${path('…')}`).toBe(token ? 404 : unknown.status);
          expect(unknown.envelope.success).not.toBe('1');
          expect(foreign.envelope).toEqual(unknown.envelope);
          expect(foreign.status).toBe(unknown.status);
        }
      }
      const as = { token: owner.token };
      expect((await api.ask<OwnedProduct[]>('GET', '/user/products/list', as)).obj[0]).toMatchObject({
        id: ids.subscription,
        status: 'activate',
      });
      expect((await api.ask<SessionRow[]>('GET', '/user/sessions', as)).obj).toHaveLength(1);
    },
  );

  it('lists hold one’s own alone', async () => {
    for (const path of ['/user/products/list', '/user/orders']) {
      expect((await api.ask('GET', path, { token: stranger.token })).obj).toEqual([]);
    }
    const { obj } = await api.ask('POST', '/user/export', { token: stranger.token });
    const text = JSON.stringify(obj);
    for (const foreign of [owner.email, owner.id, ...Object.values(ids)]) expect(text).not.toContain(foreign);
  });

  it('a mailed link opens its own order and no other', async () => {
    const email = anyEmail('guest');
    const mine = await buy(api, { email });
    await api.ask('POST', '/orders/lookup', { body: { orderId: mine, email } });
    await api.jobs(['light']);
    const key = /order-lookup#([\w-]+)/.exec((await lastMail(api, email)).text)?.[1];
    expect((await api.ask('POST', `/orders/${mine}/withdraw`, { body: { key } })).status).toBe(200);
    expect((await api.ask('POST', `/orders/${ids.order}/withdraw`, { body: { key, confirm: true } })).status).toBe(404);
  });

  it('a key of another kind opens nothing', async () => {
    const { key: checkout } = await order(api);
    const signature = await api.ask<UploadSignature>('GET', '/oss/signature?type=18&fileName=a.pdf&fileSize=100');
    const keys = [checkout, signature.obj.taskId, ids.order, ids.subscription, owner.token];
    const own = (path: string, key: string) =>
      (path.includes('/sandbox/') && key === checkout) || (path.includes('/repair/') && key === signature.obj.taskId);
    for (const { method, path, body } of keyed) {
      for (const key of keys) {
        if (own(path(key), key)) continue;
        const { status } = await api.ask(method, path(key), { body });
        expect(status, `${method} ${path('…')}`).toBe(statusOfNothing(path));
      }
    }
  });
});

describe('trying out ids', () => {
  it('is stopped for one caller on every address, while what exists stays open', async () => {
    const api = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(api);
    const orderId = await buy(api, {}, owner.token);
    const targets = [...Object.values(owned).flat(), ...keyed];
    const tried: number[] = [];
    const nothing: number[] = [];
    for (let count = 0; count < 75; count += 1) {
      const target = targets[count % targets.length];
      if (!target) continue;
      const { method, path, body } = target;
      nothing.push(statusOfNothing(path));
      tried.push((await api.ask(method, path(`guess${count}`), { token: owner.token, body })).status);
    }
    expect(tried).toEqual([...nothing.slice(0, 60), ...Array.from({ length: 15 }, () => 429)]);
    expect((await api.ask('GET', `/pay/info/${orderId}`, { token: owner.token })).status).toBe(200);
    expect((await api.ask('GET', '/pay/info/guess', { client: '198.51.100.4' })).status).toBe(404);
    await api.close();
  });
});
