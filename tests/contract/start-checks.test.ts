import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/server/config/env';
import { announce, readAnnouncement } from '@/lib/server/db/announce';
import { checkMail, describeMail } from '@/lib/server/mail/transport';
import { activeProvider } from '@/lib/server/payment/providers';
import { checkAdapters } from '@/lib/server/run/check-adapters';
import { publicAddressFor } from '@/lib/server/run/public-address';
import { startApi, type TestApi } from '../api/harness/api';
import { postgresql } from './adapters';
import { stripeAdapter } from './payment-adapters';

const real = await postgresql();

describe('the embedded parts', () => {
  it('are named, and need nothing', async () => {
    const api = await startApi();
    expect(await checkAdapters(api.ctx)).toEqual([
      'Database: in memory',
      'Mail: kept in the outbox, http://localhost:3000/outbox',
      'Payment: sandbox, test cards only',
      'Sign-in: by password, on pages of this site',
    ]);
    await api.close();
  });
});

describe('Stripe at the start', () => {
  let api: TestApi;
  let stripe: Awaited<ReturnType<typeof stripeAdapter>>;
  beforeAll(async () => {
    stripe = await stripeAdapter();
    api = await startApi(stripe.variables);
    api.ctx.fetch = globalThis.fetch;
  });
  afterAll(async () => {
    await api.close();
    await stripe.stop();
  });

  const look = (change = {}, now = api.ctx.now) =>
    activeProvider(api.ctx.env).check({ ...api.ctx, now, env: { ...api.ctx.env, ...change } });

  it('is named with its mode, and works', async () => {
    expect(activeProvider(api.ctx.env).describe(api.ctx.env)).toMatch(
      /^Payment: Stripe at 127\.0\.0\.1:\d+, test mode$/,
    );
    expect(await look()).toBeNull();
  });

  it('that does not know the key ends the start', async () => {
    await expect(look({ STRIPE_SECRET_KEY: 'sk_test_wrong' })).rejects.toThrow(/does not know STRIPE_SECRET_KEY/);
    await expect(look({ STRIPE_SECRET_KEY: 'sk_live_x' })).rejects.toThrow(/of live mode and .* of test mode/);
    stripe.stub.trouble = 403;
    await expect(look()).rejects.toThrow(/lacks the right/);
    stripe.stub.trouble = null;
  });

  it('that is away is told of, and the start goes on', async () => {
    stripe.stub.trouble = 503;
    expect(await look()).toMatch(/does not answer now/);
    stripe.stub.trouble = null;
    const [, , payment] = await checkAdapters(api.ctx);
    expect(payment).toMatch(/^Payment: Stripe .*test mode$/);
  });

  it('whose clock is another is told of', async () => {
    expect(await look({}, () => new Date(Date.now() - 400_000))).toMatch(/the clock of this machine is \d+ s behind/);
  });
});

describe('the mail server at the start', () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'right' ? done(null, { user: 'shop' }) : done(new Error('no')),
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    port = (server.server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const env = (url: string) => parseEnv({ SMTP_URL: url });

  it('is signed in to; a wrong password ends the start, without being shown', async () => {
    expect(await checkMail(env(`smtp://shop:right@127.0.0.1:${port}`))).toBeNull();
    const wrong = checkMail(env(`smtp://shop:wrong-secret@127.0.0.1:${port}`));
    await expect(wrong).rejects.toThrow(/refuses the name or the password/);
    await expect(wrong).rejects.not.toThrow(/wrong-secret/);
    expect(describeMail(env(`smtp://shop:right@127.0.0.1:${port}`))).toBe(`Mail: by SMTP, 127.0.0.1:${port}`);
  });

  it('that is away is told of, and the start goes on', async () => {
    expect(await checkMail(env('smtp://127.0.0.1:1'))).toMatch(/does not answer now; mails wait/);
  });
});

describe.skipIf(!real)('PostgreSQL at the start', () => {
  afterAll(() => real?.stop());

  it('with another clock ends the start', async () => {
    if (!real) return;
    const api = await startApi({}, await real.open());
    api.pass(60_000);
    await expect(checkAdapters(api.ctx)).rejects.toThrow(/clock of this machine is \d+ s ahead of the database/);
    api.pass(-60_000);
    expect((await checkAdapters(api.ctx))[0]).toMatch(/^Database: PostgreSQL at 127\.0\.0\.1/);
    await api.close();
  });

  it('tells a worker the public address, once a web node wrote it there', async () => {
    if (!real) return;
    const handle = await real.open();
    const url = real.urlOf(handle);
    const api = await startApi({}, handle);
    await expect(publicAddressFor({ DATABASE_URL: url })).rejects.toThrow(
      /does not know the public address: set SITE_URL/,
    );
    await announce(api.ctx.db, 'site-url', 'http://10.1.2.3:3000', api.ctx.now(), true);
    await announce(api.ctx.db, 'site-url', 'http://localhost:3000', api.ctx.now(), true);
    expect(await publicAddressFor({ DATABASE_URL: url })).toBe('http://10.1.2.3:3000');
    await announce(api.ctx.db, 'site-url', 'http://10.9.9.9', api.ctx.now());
    expect(await readAnnouncement(api.ctx.db, 'site-url')).toBe('http://10.9.9.9');
    expect(await publicAddressFor({ DATABASE_URL: url, SITE_URL: 'http://10.0.0.1' })).toBe('http://10.0.0.1');
    await expect(publicAddressFor({ DATABASE_URL: `${url}_gone` })).rejects.toThrow(/does not answer/);
    await api.close();
  });
});

if (!real) it.skip('PostgreSQL at the start: it is not installed here', () => undefined);
