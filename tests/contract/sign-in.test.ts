import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { SsoLogin } from '@/lib/contract/session';
import { users } from '@/lib/server/db/schema';
import { SITE, type TestApi } from '../api/harness/api';
import { anyEmail } from '../api/harness/people';
import { buy } from '../api/harness/shop';
import { embeddedAdapter, openIdAdapter, startWith } from './sign-in-adapters';

const adapters = [embeddedAdapter, await openIdAdapter()];

describe.each(adapters)('signing in by the $name provider', (adapter) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startWith(adapter);
  });
  afterAll(async () => {
    await api.close();
    await adapter.stop();
  });

  const back = `${SITE}/data-recovery-store?ufrom=mac&state=abc-123#plans`;
  const ticketOf = (address: string) => new URL(address).searchParams.get('ticket') ?? '';
  const login = (ticket: string, origin = SITE) => api.ask<SsoLogin>('GET', `/sso/login?ticket=${ticket}`, { origin });

  it('leads back to where it began, query and fragment included, with a ticket that makes a session', async () => {
    const email = anyEmail();
    const led = new URL(await adapter.signIn(api, email, back));
    const ticket = ticketOf(led.href);
    led.searchParams.delete('ticket');
    expect(led.href).toBe(back);
    const { status, obj } = await login(ticket);
    expect(status).toBe(200);
    expect(obj).toMatchObject({ signInState: 'abc-123', userDetail: { email } });
    const check = await api.ask('GET', '/sso/check', { token: obj.tokenValue });
    expect(check.obj).toEqual({ id: obj.userDetail.id, email });
    expect((await api.ask('GET', '/sso/logout', { token: obj.tokenValue })).status).toBe(200);
    expect((await api.ask('GET', '/sso/check', { token: obj.tokenValue })).obj).toBeNull();
  });

  it('gives tickets that work once, for a minute, and for their own origin', async () => {
    const email = anyEmail();
    const once = ticketOf(await adapter.signIn(api, email, back));
    expect((await login(once)).status).toBe(200);
    expect((await login(once)).status).toBe(410);
    const elsewhere = ticketOf(await adapter.signIn(api, email, back));
    expect((await login(elsewhere, 'http://127.0.0.1:3000')).status).toBe(410);
    expect((await login(elsewhere)).status).toBe(410);
    const late = ticketOf(await adapter.signIn(api, email, back));
    api.pass(61_000);
    expect((await login(late)).status).toBe(410);
  });

  it('never leads to another site', async () => {
    for (const foreign of ['https://evil.example/', 'http://localhost:3000@evil.example/', `blob:${SITE}/x`]) {
      await expect(adapter.signIn(api, anyEmail(), foreign).then((led) => new URL(led).origin)).rejects.toThrow();
    }
  });

  it('finds the account of a buyer by the address, and keeps to it', async () => {
    const email = anyEmail('buyer');
    await buy(api, { email });
    const first = await login(ticketOf(await adapter.signIn(api, email, back)));
    const second = await login(ticketOf(await adapter.signIn(api, email, back)));
    expect(second.obj.userDetail.id).toBe(first.obj.userDetail.id);
    const owned = await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token: second.obj.tokenValue });
    expect(owned.obj).toHaveLength(1);
    expect(await api.ctx.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  });

  it('says where to sign in, on an address of this site', async () => {
    const { obj } = await api.ask<string>('GET', '/sso/auth/url');
    expect(new URL(obj).origin).toBe(SITE);
  });
});
