import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SsoLogin } from '@/lib/contract/session';
import { hashPassword } from '@/lib/server/accounts/passwords';
import { identities, signInAttempts, users } from '@/lib/server/db/schema';
import { signInProvider } from '@/lib/server/sso/providers';
import { SITE, type TestApi } from '../api/harness/api';
import { anyEmail, lastMail } from '../api/harness/people';
import { buy } from '../api/harness/shop';
import { Browser, beginAt, follow, openIdAdapter, startWith } from './sign-in-adapters';

const adapter = await openIdAdapter();
const { provider } = adapter;
const back = `${SITE}/account?state=s-1`;

describe('an OpenID Connect provider', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startWith(adapter);
  });
  beforeEach(() => {
    Object.assign(provider, { person: null, spoil: null, trouble: null, isSilent: false });
  });
  afterAll(async () => {
    await api.close();
    await provider.stop();
  });

  const isCallback = (address: URL) => address.pathname.endsWith('/sso/provider/callback');
  const somebody = (change = {}) => ({ sub: randomUUID(), email: anyEmail(), email_verified: true, ...change });
  const visit = async (browser = new Browser()) => follow(api, browser, await beginAt(api, back));
  const problemOf = (led: string) => {
    expect(new URL(led).pathname).toBe('/login');
    return new URL(led).searchParams.get('problem');
  };
  const login = async (led: string) =>
    (await api.ask<SsoLogin>('GET', `/sso/login?ticket=${new URL(led).searchParams.get('ticket')}`)).obj;

  it('is asked with PKCE, state and nonce, all new each time', async () => {
    const asked = [];
    for (let count = 0; count < 2; count += 1) {
      const address = new URL(
        await follow(api, new Browser(), await beginAt(api, back), ({ origin }) => origin !== SITE),
      );
      const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(address.searchParams);
      expect(rest).toEqual({
        client_id: provider.clientId,
        redirect_uri: `${SITE}/api/v1/sso/provider/callback`,
        response_type: 'code',
        scope: 'openid email',
        code_challenge_method: 'S256',
      });
      asked.push(state, nonce, challenge);
    }
    expect(new Set(asked).size).toBe(6);
    expect(asked.every((value) => (value ?? '').length >= 43)).toBe(true);
  });

  it('is believed under a key that was replaced a moment ago', async () => {
    provider.person = somebody();
    expect(await visit()).toContain('ticket=');
    provider.rotateKeys();
    expect(await visit()).toContain('ticket=');
  });

  it('may have a clock half a minute off, not ten', async () => {
    provider.person = somebody();
    api.pass(-30_000);
    expect(await visit()).toContain('ticket=');
    api.pass(30_000 - 600_000);
    expect(problemOf(await visit())).toBe('failed');
    api.pass(1_200_000);
    expect(problemOf(await visit())).toBe('failed');
    api.pass(-600_000);
    expect(await visit()).toContain('ticket=');
  });

  it('says no: the person is told so, with the way back', async () => {
    const led = await visit();
    expect(problemOf(led)).toBe('declined');
    expect(new URL(led).searchParams.get('redirect_uri')).toBe(back);
  });

  it.each([
    ['an address that nobody verified', { email_verified: false }],
    ['no word on whether it was verified', { email_verified: undefined }],
    ['no address', { email: undefined, email_verified: undefined }],
    ['what is no address', { email: 'nobody' }],
  ])('brings %s: no account is made or joined', async (_what, change) => {
    const owner = anyEmail('owner');
    await api.ctx.db.insert(users).values({
      id: randomUUID(),
      email: owner,
      passwordHash: await hashPassword('correct horse'),
      createdAt: api.ctx.now(),
    });
    const before = await api.ctx.db.select().from(users);
    provider.person = somebody({ email: owner, ...change });
    expect(problemOf(await visit())).toBe('unverified');
    expect(await api.ctx.db.select().from(users)).toHaveLength(before.length);
    expect(await api.ctx.db.select().from(identities).where(eq(identities.subject, provider.person.sub))).toEqual([]);
  });

  it('keeps an account by the subject, whatever its address is later', async () => {
    const person = somebody();
    provider.person = person;
    const first = await login(await visit());
    provider.person = { ...person, email: anyEmail('moved'), email_verified: false };
    const second = await login(await visit());
    expect(second.userDetail).toMatchObject({ id: first.userDetail.id, email: person.email });
  });

  it('gives an address to somebody else: who proves it has the account, and the sessions of whoever did end', async () => {
    const person = somebody();
    provider.person = person;
    const before = await login(await visit());
    provider.person = { ...person, sub: randomUUID() };
    const after = await login(await visit());
    expect(after.userDetail.id).toBe(before.userDetail.id);
    expect((await api.ask('GET', '/sso/check', { token: before.tokenValue })).obj).toBeNull();
    provider.person = { ...person, email_verified: false };
    expect(problemOf(await visit())).toBe('unverified');
  });

  it('answers once: the same answer again is refused, and so is another browser’s', async () => {
    provider.person = somebody();
    const browser = new Browser();
    const answer = await follow(api, browser, await beginAt(api, back), isCallback);
    expect(problemOf(await follow(api, new Browser(), answer))).toBe('expired');
    const [first, second] = await Promise.all([follow(api, browser, answer), follow(api, browser, answer)]);
    expect([first, second].filter((led) => led.includes('ticket='))).toHaveLength(1);
    expect(problemOf(await follow(api, browser, answer))).toBe('expired');
  });

  it('is not waited for longer than an hour', async () => {
    provider.person = somebody();
    const browser = new Browser();
    const answer = await follow(api, browser, await beginAt(api, back), isCallback);
    api.pass(3_600_001);
    expect(problemOf(await follow(api, browser, answer))).toBe('expired');
    api.pass(-3_600_001);
  });

  it.each([
    ['the nonce of another sign-in', { nonce: 'another' }],
    ['another client’s token', { aud: 'another' }],
    ['another provider’s token', { iss: 'https://another.example' }],
  ])('says %s: it is not believed', async (_what, change) => {
    provider.person = somebody();
    provider.spoil = (claims) => Object.assign(claims, change);
    expect(problemOf(await visit())).toBe('failed');
    expect(
      await api.ctx.db
        .select()
        .from(users)
        .where(eq(users.email, provider.person.email ?? '')),
    ).toEqual([]);
  });

  it('is believed by its own signature only', async () => {
    provider.person = somebody();
    const browser = new Browser();
    const answer = await follow(api, browser, await beginAt(api, back), isCallback);
    const real = api.ctx.fetch;
    api.ctx.fetch = async (input, init) => {
      const response = await real(input, init);
      if (!String(input instanceof Request ? input.url : input).endsWith('/token')) return response;
      const tokens = (await response.json()) as { id_token: string };
      const [head, , signature] = tokens.id_token.split('.');
      const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody else' })).toString('base64url');
      return Response.json({ ...tokens, id_token: `${head}.${forged}.${signature}` });
    };
    expect(problemOf(await follow(api, browser, answer))).toBe('failed');
    api.ctx.fetch = real;
  });

  it('is down, in trouble or silent: said in words for a person, and over soon', async () => {
    api.pass(600_000);
    provider.trouble = 503;
    expect(problemOf(await visit())).toBe('unavailable');
    provider.trouble = null;
    provider.person = somebody();
    const browser = new Browser();
    const answer = await follow(api, browser, await beginAt(api, back), isCallback);
    provider.trouble = 502;
    expect(problemOf(await follow(api, browser, answer))).toBe('unavailable');
    provider.trouble = null;
    provider.isSilent = true;
    api.pass(600_000);
    expect(problemOf(await visit())).toBe('unavailable');
    provider.isSilent = false;
    api.pass(-1_200_000);
    expect(await visit()).toContain('ticket=');
  });

  it('is looked at when the server starts', async () => {
    const started = signInProvider(api.ctx.env);
    expect(started.describe(api.ctx.env)).toContain(provider.issuer);
    expect(await started.check(api.ctx)).toBeNull();
    const other = { ...api.ctx, env: { ...api.ctx.env, OIDC_ISSUER: `${provider.issuer}/elsewhere` } };
    const slow = { ...api.ctx, now: () => new Date(Date.now() - 600_000) };
    expect(await started.check(slow)).toMatch(/clock is (599|600|601) s ahead of ours/);
    await expect(started.check(other)).rejects.toThrow(/does not describe itself as an OpenID Connect provider/);
    const away = { ...api.ctx, env: { ...api.ctx.env, OIDC_ISSUER: 'http://127.0.0.1:9' } };
    expect(await started.check(away)).toMatch(/does not answer now/);
  });

  describe('keeps the passwords', () => {
    it('so none of ours lets anybody in, sets or mails anything', async () => {
      const email = anyEmail('old');
      const id = randomUUID();
      const passwordHash = await hashPassword('correct horse');
      await api.ctx.db.insert(users).values({ id, email, passwordHash, createdAt: api.ctx.now() });
      const body = { email, password: 'correct horse', redirectUri: back };
      provider.person = somebody({ email });
      const { tokenValue: token, userDetail } = await login(await visit());
      expect(userDetail).toMatchObject({ id, hasPassword: false, signsInElsewhere: true });
      const refused = await Promise.all([
        api.ask('POST', '/sso/password', { body }),
        api.ask('POST', '/sso/register', { body: { ...body, email: anyEmail() } }),
        api.ask('POST', '/sso/confirm', { body: { email, code: '123456', redirectUri: back } }),
        api.ask('POST', '/sso/code', { body: { email } }),
        api.ask('PUT', '/user/password/reset', { body: { email, code: '123456', newPassword: 'another one' } }),
        api.ask('PUT', '/user/password/reset', {
          token,
          body: { currentPassword: 'correct horse', newPassword: 'another one' },
        }),
      ]);
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
      expect(refused[0]?.envelope.msg).toMatch(/kept by the sign-in provider/);
      expect((await api.ask('DELETE', '/user', { token, body: {} })).status).toBe(200);
      expect(await api.ctx.db.select().from(identities).where(eq(identities.userId, id))).toEqual([]);
    });

    it('so a new buyer gets an account and no password', async () => {
      const email = anyEmail('new');
      await buy(api, { email });
      const mail = await lastMail(api, email);
      expect(mail.text).toContain('Sign in with the same address');
      expect(mail.text).not.toMatch(/password/i);
      const [row] = await api.ctx.db.select().from(users).where(eq(users.email, email));
      expect(row).toMatchObject({ passwordHash: null, mustChangePassword: false, presetEndsAt: null });
    });
  });

  it('leaves nothing of sign-ins that were not finished', async () => {
    await beginAt(api, back).then((address) => follow(api, new Browser(), address, ({ origin }) => origin !== SITE));
    expect((await api.ctx.db.select().from(signInAttempts)).length).toBeGreaterThan(0);
    api.pass(2 * 3_600_000);
    await api.ctx.db.delete(signInAttempts).where(eq(signInAttempts.stateHash, ''));
    const { sweepLeftovers } = await import('@/lib/server/run/sweep-leftovers');
    const job = { id: 'x', kind: 'sweep.leftovers' as const, payload: {}, attempt: 1, failures: 0 };
    const effect = await sweepLeftovers.run(api.ctx, job, new AbortController().signal);
    if (effect) await api.ctx.db.transaction(effect);
    expect(await api.ctx.db.select().from(signInAttempts)).toEqual([]);
  });
});
