import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionRow } from '@/lib/contract/account';
import type { SessionCheck, SsoLogin, UserDetail } from '@/lib/contract/session';
import type { TicketReturn } from '@/lib/contract/sign-in';
import { users } from '@/lib/server/db/schema';
import { SITE, startApi, type TestApi } from './harness/api';
import { anyEmail, codeIn, lastMail, mailCount, signedIn, signIn } from './harness/people';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const redirectUri = `${SITE}/account`;

describe('registering', () => {
  it('makes an account only after the mailed code, and signs in with a ticket', async () => {
    const email = anyEmail('new');
    const asked = await api.ask<{ registrationId: string }>('POST', '/sso/register', {
      body: { email, password: 'secret 1', redirectUri },
    });
    expect(asked.envelope.success).toBe('1');
    await api.jobs();
    const code = codeIn(await lastMail(api, email));
    const wrong = await api.ask('POST', '/sso/confirm', {
      body: { email, code: code === '000000' ? '111111' : '000000', redirectUri },
    });
    expect(wrong.status).toBe(401);
    const confirmed = await api.ask<TicketReturn>('POST', '/sso/confirm', {
      body: { email, code, redirectUri, registrationId: asked.obj.registrationId },
    });
    const url = new URL(confirmed.obj.url);
    expect(url.origin + url.pathname).toBe(redirectUri);
    const login = await api.ask<SsoLogin>('GET', `/sso/login?ticket=${url.searchParams.get('ticket')}`);
    expect(login.obj.userDetail).toMatchObject({ email, hasPassword: true, mustChangePassword: false });
    const again = await api.ask('POST', '/sso/confirm', { body: { email, code, redirectUri } });
    expect(again.status).toBe(401);
  });

  it('answers the same for an address that has an account, and says so by mail alone', async () => {
    const owner = await signedIn(api);
    const known = await api.ask<object>('POST', '/sso/register', {
      body: { email: owner.email, password: 'intruder', redirectUri },
    });
    expect(Object.keys(known.obj)).toEqual(['registrationId']);
    await api.jobs();
    const mail = await lastMail(api, owner.email);
    expect(mail.subject).toBe('You already have an account');
    expect(mail.text).not.toMatch(/\b\d{6}\b/);
    await expect(signIn(api, owner.email, owner.password)).resolves.toBeTruthy();
  });

  it('binds a code to the password it was asked with', async () => {
    const email = anyEmail('twice');
    const mine = await api.ask<{ registrationId: string }>('POST', '/sso/register', {
      body: { email, password: 'my own one', redirectUri },
    });
    await api.jobs();
    await api.ask('POST', '/sso/register', { body: { email, password: 'a stranger’s', redirectUri } });
    await api.jobs();
    const strangers = codeIn(await lastMail(api, email));
    const refused = await api.ask('POST', '/sso/confirm', {
      body: { email, code: strangers, redirectUri, registrationId: mine.obj.registrationId },
    });
    expect(refused.status).toBe(401);
  });

  it.each([
    [{ password: 'short' }, 'Password length must be 6 to 32 characters.'],
    [{ password: 'x'.repeat(33) }, 'Password length must be 6 to 32 characters.'],
    [{ password: '' }, 'Please enter your password.'],
    [{ password: '      ' }, 'Please enter your password.'],
    [{ password: undefined }, 'Please enter your password.'],
    [{ email: 'nobody' }, 'Please enter an e-mail address such as name@example.com.'],
    [{ redirectUri: undefined }, 'The field “redirectUri” is missing.'],
    [{ redirectUri: 'https://elsewhere.example/' }, 'This sign-in page can’t return to that address.'],
    [{ redirectUri: `blob:${SITE}/0f7c` }, 'This sign-in page can’t return to that address.'],
    [{ redirectUri: `filesystem:${SITE}/temporary/x` }, 'This sign-in page can’t return to that address.'],
  ])('refuses %j in plain words', async (change, msg) => {
    const { envelope } = await api.ask('POST', '/sso/register', {
      body: { email: anyEmail(), password: 'secret 1', redirectUri, ...change },
    });
    expect(envelope.msg).toBe(msg);
  });
});

describe('tickets', () => {
  const ticketFor = async (email: string, password: string, to = redirectUri) => {
    const { obj } = await api.ask<TicketReturn>('POST', '/sso/password', {
      body: { email, password, redirectUri: to },
    });
    return new URL(obj.url).searchParams.get('ticket') ?? '';
  };

  it('work once', async () => {
    const person = await signedIn(api);
    const ticket = await ticketFor(person.email, person.password);
    expect((await api.ask('GET', `/sso/login?ticket=${ticket}`)).status).toBe(200);
    expect((await api.ask('GET', `/sso/login?ticket=${ticket}`)).status).toBe(410);
  });

  it('work for a minute', async () => {
    const person = await signedIn(api);
    const ticket = await ticketFor(person.email, person.password);
    api.pass(61_000);
    expect((await api.ask('GET', `/sso/login?ticket=${ticket}`)).status).toBe(410);
  });

  it('work only for the origin they were made for, and are used up elsewhere', async () => {
    const person = await signedIn(api);
    const ticket = await ticketFor(person.email, person.password);
    const elsewhere = await api.ask('GET', `/sso/login?ticket=${ticket}`, { origin: 'https://elsewhere.example' });
    expect(elsewhere.status).toBe(410);
    expect((await api.ask('GET', `/sso/login?ticket=${ticket}`)).status).toBe(410);
  });

  it('tell which sign-in they are of: the state of the address they were made for', async () => {
    const person = await signedIn(api);
    const stateOf = async (to: string) => {
      const ticket = await ticketFor(person.email, person.password, to);
      return (await api.ask<SsoLogin>('GET', `/sso/login?ticket=${ticket}&state=another`)).obj.signInState;
    };
    expect(await stateOf(`${redirectUri}?a=1&state=begun-here`)).toBe('begun-here');
    expect(await stateOf(redirectUri)).toBeNull();
  });

  it('follow the visitor’s spelling of this computer', async () => {
    const person = await signedIn(api);
    const ticket = await ticketFor(person.email, person.password, 'http://127.0.0.1:3000/account');
    const login = await api.ask('GET', `/sso/login?ticket=${ticket}`, { headers: { host: '127.0.0.1:3000' } });
    expect(login.status).toBe(200);
  });
});

describe('sessions', () => {
  it('check, and end at once at sign-out', async () => {
    const person = await signedIn(api);
    const check = () => api.ask<SessionCheck>('GET', '/sso/check', { token: person.token });
    expect((await check()).obj).toEqual({ id: person.id, email: person.email });
    await api.ask('GET', '/sso/logout', { token: person.token });
    expect((await check()).obj).toBeNull();
    const info = await api.ask('GET', '/user/info', { token: person.token });
    expect(info.envelope.success).toBe('10009');
  });

  it('end after 90 days', async () => {
    const own = await startApi();
    const person = await signedIn(own);
    own.pass(89 * 86_400_000);
    expect((await own.ask('GET', '/user/info', { token: person.token })).status).toBe(200);
    own.pass(2 * 86_400_000);
    expect((await own.ask('GET', '/user/info', { token: person.token })).envelope.success).toBe('10009');
    await own.close();
  });

  it('are listed and ended one by one, one’s own only', async () => {
    const person = await signedIn(api);
    const stranger = await signedIn(api);
    const second = await signIn(api, person.email, person.password);
    const { obj: rows } = await api.ask<SessionRow[]>('GET', '/user/sessions', { token: person.token });
    expect(rows).toHaveLength(2);
    expect(rows.filter((row) => row.current)).toHaveLength(1);
    const other = rows.find((row) => !row.current)?.id ?? '';
    const foreign = await api.ask('DELETE', `/user/sessions/${other}`, { token: stranger.token });
    const unknown = await api.ask('DELETE', '/user/sessions/nothing', { token: stranger.token });
    expect(foreign.envelope).toEqual(unknown.envelope);
    expect((await api.ask('DELETE', `/user/sessions/${other}`, { token: person.token })).status).toBe(200);
    expect((await api.ask('GET', '/user/info', { token: second })).status).toBe(401);
  });

  it('keeps no token that could be read from the database', async () => {
    const person = await signedIn(api);
    const { rows } = await api.ctx.handle.query({ text: 'select * from sessions' });
    expect(JSON.stringify(rows)).not.toContain(person.token);
  });
});

describe('passwords', () => {
  it('change with the current one, end every session, and are told by mail', async () => {
    const person = await signedIn(api);
    const reset = (currentPassword: string) =>
      api.ask('PUT', '/user/password/reset', {
        token: person.token,
        body: { currentPassword, newPassword: 'another one' },
      });
    expect((await reset('wrong')).envelope.msg).toBe('Your current password is not right.');
    expect((await reset(person.password)).status).toBe(200);
    expect((await api.ask('GET', '/user/info', { token: person.token })).envelope.success).toBe('10009');
    expect((await lastMail(api, person.email)).subject).toBe('Your password was changed');
    await expect(signIn(api, person.email, 'another one')).resolves.toBeTruthy();
  });

  it('are reset with a mailed code, once', async () => {
    const person = await signedIn(api);
    await api.ask('POST', '/sso/code', { body: { email: person.email } });
    await api.jobs();
    const body = { email: person.email, code: codeIn(await lastMail(api, person.email)), newPassword: 'fresh one' };
    expect((await api.ask('PUT', '/user/password/reset', { body })).status).toBe(200);
    expect((await api.ask('GET', '/user/info', { token: person.token })).status).toBe(401);
    expect((await api.ask('PUT', '/user/password/reset', { body })).status).toBe(401);
    await expect(signIn(api, person.email, 'fresh one')).resolves.toBeTruthy();
  });

  it('are not reset with a code of more than ten minutes', async () => {
    const late = await startApi();
    const person = await signedIn(late);
    await late.ask('POST', '/sso/code', { body: { email: person.email } });
    await late.jobs();
    const mail = await lastMail(late, person.email);
    expect(mail.text).toContain('It works for 10 minutes');
    late.pass(10 * 60_000);
    const body = { email: person.email, code: codeIn(mail), newPassword: 'fresh one' };
    expect((await late.ask('PUT', '/user/password/reset', { body })).status).toBe(401);
    await late.close();
  });

  it('answers the same whether the address has an account or not', async () => {
    const person = await signedIn(api);
    const nobody = anyEmail('nobody');
    const asked = [person.email, nobody].map((email) => api.ask('POST', '/sso/code', { body: { email } }));
    const [known, unknown] = await Promise.all(asked);
    expect(known?.envelope).toEqual(unknown?.envelope);
    await api.jobs();
    expect(await mailCount(api, nobody)).toBe(0);
    const wrong = { password: 'not this one', redirectUri };
    const a = await api.ask('POST', '/sso/password', { body: { email: person.email, ...wrong } });
    const b = await api.ask('POST', '/sso/password', { body: { email: nobody, ...wrong } });
    expect(a.envelope).toEqual(b.envelope);
    const code = { code: '123456', newPassword: 'whatever' };
    const c = await api.ask('PUT', '/user/password/reset', { body: { email: person.email, ...code } });
    const d = await api.ask('PUT', '/user/password/reset', { body: { email: nobody, ...code } });
    expect(c.envelope).toEqual(d.envelope);
  });

  it('needs a session or a code', async () => {
    const { envelope } = await api.ask('PUT', '/user/password/reset', {
      body: { currentPassword: 'a', newPassword: 'b' },
    });
    expect(envelope.success).toBe('10009');
  });
});

describe('the profile', () => {
  it('is read and replaced, unknown fields ignored', async () => {
    const person = await signedIn(api);
    const body = { firstName: ' Ada ', lastName: 'Lovelace', address: '12 St James’s Square', country: 'GB', id: 'x' };
    const saved = await api.ask<UserDetail>('PUT', '/user/info', { token: person.token, body });
    expect(saved.obj).toMatchObject({ id: person.id, email: person.email, firstName: 'Ada', country: 'GB' });
    const read = await api.ask<UserDetail>('GET', '/user/info', { token: person.token });
    expect(read.obj).toEqual(saved.obj);
    const missing = await api.ask('PUT', '/user/info', { token: person.token, body: { firstName: 'Ada' } });
    expect(missing.envelope.msg).toBe('The field “lastName” is missing.');
  });

  it('takes a country of the list by code or name, none, or what stood there before', async () => {
    const person = await signedIn(api);
    const save = (country: string, firstName = '') =>
      api.ask<UserDetail>('PUT', '/user/info', {
        token: person.token,
        body: { firstName, lastName: '', address: '', country },
      });
    for (const given of ['SE', 'United Kingdom', 'norway', '']) expect((await save(given)).obj.country).toBe(given);
    const refused = await save('<b>Atlantis</b>');
    expect([refused.status, refused.envelope.msg]).toEqual([400, 'Please choose a country from the list.']);
    await api.ctx.db.update(users).set({ country: 'Atlantis' }).where(eq(users.id, person.id));
    expect((await save('Atlantis', 'Ada')).obj).toMatchObject({ firstName: 'Ada', country: 'Atlantis' });
    expect((await save('Lemuria')).status).toBe(400);
    expect((await save('NO')).obj.country).toBe('NO');
    expect((await save('Atlantis')).status).toBe(400);
  });
});
