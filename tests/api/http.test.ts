import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstallerRow } from '@/lib/contract/downloads';
import { clientNetwork } from '@/lib/server/base/client-network';
import { contactMessages, events } from '@/lib/server/db/schema';
import { makeDemonstrationInstallers } from '@/lib/server/downloads/demonstration';
import { SITE, startApi, type TestApi } from './harness/api';
import { anyEmail, codeIn, lastMail, signedIn, signIn } from './harness/people';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ ALLOWED_ORIGINS: 'https://www.example.com, https://shop.example.com/' });
  await makeDemonstrationInstallers(api.ctx.objects);
});
afterAll(() => api.close());

describe('every address', () => {
  it('answers in the envelope, also where there is nothing', async () => {
    const unknown = await api.ask('GET', '/no/such/address');
    expect(unknown).toMatchObject({ status: 404, envelope: { success: '10404', obj: null } });
    const method = await api.ask('PATCH', '/products/list');
    expect(method).toMatchObject({ status: 405, envelope: { success: '10405' } });
    expect(method.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect(unknown.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses what it can’t read, with words and without a stack trace', async () => {
    const broken = await api.ask('POST', '/products/list', { rawBody: '{"website":' });
    expect(broken).toMatchObject({
      status: 400,
      envelope: { msg: 'The request can’t be read: it is not valid JSON.' },
    });
    const large = await api.ask('POST', '/products/list', { rawBody: `{"website":"${'x'.repeat(40_000)}"}` });
    expect(large.status).toBe(413);
    const list = await api.ask('POST', '/sso/code', { body: [1] });
    expect(list.status).toBe(400);
  });

  it('refuses NUL, which no text of the database can hold, wherever it stands', async () => {
    const bodies = [
      { email: 'a\0@example.com', message: 'x' },
      { email: 'a@example.com', message: 'x', '\0': 'x' },
    ];
    for (const body of bodies) expect((await api.ask('POST', '/contact', { body })).status).toBe(400);
    expect((await api.ask('GET', '/oss/signature?type=18&fileName=a%00.pdf&fileSize=5')).status).toBe(400);
    expect((await api.ask('GET', '/pay/info/a%00b')).status).toBe(400);
    const deep = await api.ask('POST', '/contact', { rawBody: `${'['.repeat(15_000)}${']'.repeat(15_000)}` });
    expect(deep.status).toBe(400);
  });

  it('takes half of a letter, which no text of the database can hold either, for the sign of one that is lost', async () => {
    const lookUp = { orderId: 'MD1\ud800', email: anyEmail() };
    expect((await api.ask('POST', '/orders/lookup', { body: lookUp })).status).toBe(200);
    const extend = 'cut at 😀 and \ud83d';
    const event = { eventCode: 'page_view', trackId: 'halves', extend };
    expect((await api.ask('POST', '/event/track/log', { body: event })).status).toBe(200);
    const kept = (await api.ctx.db.select().from(events)).map((row) => row.event);
    expect(kept.find(({ trackId }) => trackId === 'halves')?.extend).toBe('cut at 😀 and \ufffd');
    const deep = `${'['.repeat(15_000)}"\\ud800"${']'.repeat(15_000)}`;
    expect((await api.ask('POST', '/contact', { rawBody: deep })).status).toBe(400);
  });

  it('does not trust the length that a body claims', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(10_000)));
      },
    });
    const answer = await api.ask('POST', '/contact', { rawBody: body, headers: { 'content-length': '5' } });
    expect(answer.status).toBe(413);
  });

  it('says nothing about an error inside', async () => {
    const broken = await startApi();
    await broken.ctx.handle.query({ text: 'drop table registrations' });
    const answer = await broken.ask('POST', '/sso/register', {
      body: { email: anyEmail(), password: 'secret 1', redirectUri: SITE },
    });
    expect(answer.status).toBe(500);
    expect(answer.envelope).toEqual({
      success: '10500',
      msg: 'Something went wrong on our side. Please try again.',
      obj: null,
    });
    await broken.close();
  });

  it('opens to allowed origins, with every header of the client, and to no other', async () => {
    const preflight = await api.send('OPTIONS', '/pay/create', { origin: 'https://shop.example.com' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example.com');
    for (const name of ['authorization', 'phone_os', 'website', 'track_id', 'version-code', 'idempotency-key']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    }
    const answer = await api.send('GET', '/health', { origin: 'https://www.example.com' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://www.example.com');
    const stranger = await api.send('GET', '/health', { origin: 'https://elsewhere.example' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    expect(stranger.headers.get('vary')).toContain('origin');
  });

  it.each([
    ['another site’s', { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }, 403],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['a neighbour’s', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' }, 403],
    ['an allowed site’s', { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example.com' }, 200],
    ['our own', { 'sec-fetch-site': 'same-origin', origin: SITE }, 200],
    ['our own, reached under another of its names', { origin: 'http://192.0.2.7:3000', host: '192.0.2.7:3000' }, 200],
    ['another site’s, of a browser that only names the origin', { origin: 'https://elsewhere.example' }, 403],
    ['a frame’s without an origin, of such a browser', { origin: 'null' }, 403],
    ['a program', {}, 200],
  ])('takes what changes something from our own pages and from programs alone: %s', async (_, headers, status) => {
    // As a form and a text do it, neither of which a browser asks about first.
    const sent = {
      body: { email: anyEmail(), message: 'Hello.' },
      headers: { ...headers, 'content-type': 'text/plain' },
    };
    expect((await api.ask('POST', '/contact', sent)).status).toBe(status);
  });

  it('answers a form in words on a page: sent, or refused where another site’s page sent it', async () => {
    const send = (origin: string) =>
      api.send('POST', '/contact', {
        headers: { origin, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        rawBody: `email=${encodeURIComponent(anyEmail())}&message=Hello`,
      });
    const taken = await send(SITE);
    expect(taken.status).toBe(200);
    expect(await taken.text()).toContain('<h1>Your message was sent. We reply within 24 hours.</h1>');
    const refused = await send('https://elsewhere.example');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('content-type')).toContain('text/html');
    const page = await refused.text();
    expect(page).toContain('<h1>Only pages of this site may send this.</h1>');
    expect(page).toContain('<a href="/contact-us">');
    expect(existsSync(join('public', /href="\/(\w+\.css)"/.exec(page)?.[1] ?? ''))).toBe(true);
  });

  it('answers HEAD as GET, without the body', async () => {
    const answer = await api.send('HEAD', '/health');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });

  it('never builds an address from a stranger’s Host', async () => {
    const { obj } = await api.ask<string>('GET', '/sso/auth/url', { headers: { host: 'evil.example' } });
    expect(obj).toBe(`${SITE}/login`);
  });
});

describe('downloads', () => {
  it('lead to the installer of the headers', async () => {
    const address = async (headers: Record<string, string>) =>
      (await api.ask<string>('GET', '/recovery/downloader', { headers })).obj;
    expect(await address({})).toBe(`${SITE}/api/v1/recovery/files/recovery-win.exe`);
    expect(await address({ website: 'whatsapp', phone_os: '3' })).toContain('whatsapp-mac.dmg');
    expect((await api.ask('GET', '/recovery/downloader', { headers: { website: 'other' } })).status).toBe(404);
  });

  it('bring a file that says what it is, and facts that fit it', async () => {
    const { obj } = await api.ask<InstallerRow[]>('GET', '/recovery/installers');
    expect(obj).toHaveLength(6);
    const file = await api.send('GET', '/recovery/files/recovery-win.exe');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.toString()).toContain('This is a demonstration file, not an installer.');
    const named = async (name: string) =>
      (await api.send('GET', `/recovery/files/${name}`)).headers.get('content-disposition');
    expect(await named('recovery-win.exe?uuid=3f-9_a')).toContain('filename="mendara-data-recovery_3f-9_a.exe"');
    expect(await named('recovery-win.exe?uuid=../x')).toContain('filename="mendara-data-recovery.exe"');
    expect(await named('recovery-mac.dmg?uuid=1')).toContain('filename="mendara-data-recovery.dmg"');
    const row = obj.find((candidate) => candidate.website === 'recovery' && candidate.os === 'win');
    expect(row).toMatchObject({ demonstration: true, size: bytes.length, version: 'demonstration' });
    const { createHash } = await import('node:crypto');
    expect(row?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('serve known names only', async () => {
    for (const name of ['secrets.json', '..%2Fsecrets.json', 'recovery-win.dmg']) {
      expect((await api.send('GET', `/recovery/files/${name}`)).status).toBe(404);
    }
  });

  it('may lie elsewhere', async () => {
    const own = await startApi({ INSTALLER_BASE_URL: 'https://download.example.com/files/' });
    const { obj } = await own.ask<string>('GET', '/recovery/downloader');
    expect(obj).toBe('https://download.example.com/files/recovery-win.exe');
    // Pages link to this server without script.
    const answer = await own.send('GET', '/recovery/files/recovery-win.exe');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, obj]);
    expect((await own.send('GET', '/recovery/files/secrets.json')).status).toBe(404);
    await own.close();
  });
});

describe('the event log', () => {
  const event = {
    eventCode: 'page_view',
    currDocument: '/',
    marketingChannel: 'SEO',
    os: '2',
    ip: '',
    ipCountryCode: '',
  };

  it('keeps an event, sent as plain text as beacons do, with a shortened address', async () => {
    const sent = await api.ask('POST', '/event/track/log', {
      rawBody: JSON.stringify({ ...event, trackId: 'abc', other: 'ignored' }),
      headers: { 'content-type': 'text/plain' },
    });
    expect(sent.status).toBe(200);
    const rows = await api.ctx.db.select().from(events);
    expect(rows.at(-1)?.event).toMatchObject({ trackId: 'abc', ip: '203.0.113.0/24', domain: '' });
    expect(rows.at(-1)?.event).not.toHaveProperty('other');
  });

  it('is bounded', async () => {
    expect((await api.ask('POST', '/event/track/log', { body: { ...event, extend: 'x'.repeat(3000) } })).status).toBe(
      400,
    );
    expect((await api.ask('POST', '/event/track/log', { body: { ...event, eventCode: 'other' } })).status).toBe(400);
  });
});

describe('the contact page', () => {
  it('keeps a message and mails it, its lines kept out of the subject', async () => {
    const email = anyEmail('visitor');
    const sent = await api.ask('POST', '/contact', {
      body: { name: 'Ada', email, subject: 'Hello\r\nBcc: x@example.com', message: 'It does not start.' },
    });
    expect(sent.status).toBe(200);
    const [kept] = await api.ctx.db.select().from(contactMessages).where(eq(contactMessages.email, email));
    expect(kept?.message).toBe('It does not start.');
    const { obj } = await api.ask<{ subject: string }[]>('GET', '/outbox');
    expect(obj[0]?.subject).not.toMatch(/[\r\n]/);
    const empty = await api.ask('POST', '/contact', { body: { email, message: ' ' } });
    expect(empty.envelope.msg).toBe('Please write your message.');
  });

  it('works as a plain form, without JavaScript', async () => {
    const email = anyEmail('plain');
    const send = (message: string) =>
      api.send('POST', '/contact', {
        rawBody: new URLSearchParams({ email, message, orderNumber: 'MD1', subject: 'Order or licence' }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*' },
      });
    const sent = await send('Where is it?');
    expect(sent.headers.get('content-type')).toContain('text/html');
    expect(await sent.text()).toContain('Your message was sent.');
    expect(await (await send(' ')).text()).toContain('Please write your message.');
    const [kept] = await api.ctx.db.select().from(contactMessages).where(eq(contactMessages.email, email));
    expect(kept?.subject).toBe('Order or licence (order MD1)');
  });
});

describe('what is for this computer only', () => {
  it.each([
    ['another peer', { 'x-client-is-local': '0', host: 'localhost:3000' }],
    ['another name', { host: 'mendara.example:3000' }],
  ])('is not shown to %s', async (_who, headers) => {
    expect((await api.ask('GET', '/outbox')).status).toBe(200);
    expect((await api.ask('GET', '/outbox', { headers })).status).toBe(404);
    expect((await api.ask('GET', '/sandbox/checkout/0', { headers })).envelope.msg).not.toContain('payment page');
  });

  it('is shown to others in a demonstration', async () => {
    const demonstration = await startApi({ ALLOW_SANDBOX_PAYMENTS: '1', SITE_URL: 'https://demo.example' });
    const headers = { 'x-client-is-local': '0', host: 'demo.example' };
    expect((await demonstration.ask('GET', '/outbox', { headers })).status).toBe(200);
    await demonstration.close();
  });
});

describe('limits', () => {
  const wrong = { password: 'not the right one', redirectUri: `${SITE}/` };

  it('stop one caller, not the owner elsewhere, and not for ever', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(own);
    const attempt = (client: string, password = wrong.password) =>
      own.ask('POST', '/sso/password', { body: { ...wrong, email: owner.email, password }, client });
    for (let count = 0; count < 10; count += 1) expect((await attempt('198.51.100.9')).status).toBe(401);
    const refused = await attempt('198.51.100.9', owner.password);
    expect(refused.status).toBe(429);
    expect(refused.envelope.msg).toMatch(/^Too many attempts\. Please wait \d+ minutes and try again\.$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await attempt('198.51.100.10', owner.password)).status).toBe(200);
    await own.close();
  });

  it('stop one caller from trying many addresses', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    let last = 0;
    for (let count = 0; count < 61; count += 1) {
      const answer = await own.ask('POST', '/sso/password', {
        body: { ...wrong, email: anyEmail() },
        client: `2001:db8::${count.toString(16)}`,
      });
      last = answer.status;
    }
    expect(last).toBe(429);
    await own.close();
  });

  it('stop mails to one address without telling', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(own);
    for (let count = 0; count < 25; count += 1) {
      const answer = await own.ask('POST', '/sso/code', { body: { email: owner.email }, client: `192.0.2.${count}` });
      expect(answer.status).toBe(200);
    }
    await own.jobs();
    const { obj } = await own.ask<{ to: string }[]>('GET', '/outbox');
    expect(obj.filter((row) => row.to === owner.email)).toHaveLength(20);
    await own.close();
  });

  it('stop guessing at codes and at order numbers', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(own);
    const guess = () =>
      own.ask('PUT', '/user/password/reset', { body: { email: owner.email, code: '123456', newPassword: 'secret 1' } });
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    for (let count = 0; count < 60; count += 1) expect((await own.ask('GET', `/pay/info/MD${count}`)).status).toBe(404);
    expect((await own.ask('GET', '/pay/info/MDX')).status).toBe(429);
    await own.close();
  });

  it('stop guessing at codes for a day, from however many networks and with however many codes', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(own);
    const nobody = anyEmail('nobody');
    const askForCode = async (email: string, client: string) => {
      await own.ask('POST', '/sso/code', { body: { email }, client });
      await own.jobs(['light']);
    };
    const guess = (email: string, code: string, network: number) =>
      own.ask('PUT', '/user/password/reset', {
        body: { email, code, newPassword: 'secret 1' },
        client: `192.0.2.${network}`,
      });
    for (const email of [owner.email, nobody]) {
      for (let count = 0; count < 50; count += 1) {
        // A new code before the count of the last one is full.
        if (count % 20 === 0) await askForCode(email, `198.51.100.${count}`);
        const right = email === nobody ? '' : codeIn(await lastMail(own, email));
        expect((await guess(email, right === '111111' ? '222222' : '111111', count)).status).toBe(401);
      }
      await askForCode(email, '198.51.100.99');
    }
    const answers = [
      await guess(owner.email, codeIn(await lastMail(own, owner.email)), 99),
      await guess(nobody, '1'.repeat(6), 98),
    ];
    for (const { status, envelope, headers } of answers) {
      expect(status).toBe(429);
      expect(envelope.msg).toMatch(
        /^Too many wrong codes were entered for this address\. Codes work again in \d+ hours\./,
      );
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(80_000);
    }
    await expect(signIn(own, owner.email, owner.password)).resolves.toBeTruthy();
    await own.close();
  });

  it('forget the wrong codes of an address once the right one came', async () => {
    const own = await startApi({ RATE_LIMITS: 'on' });
    const owner = await signedIn(own);
    for (let round = 0; round < 3; round += 1) {
      await own.ask('POST', '/sso/code', { body: { email: owner.email }, client: `198.51.100.${round}` });
      await own.jobs(['light']);
      const right = codeIn(await lastMail(own, owner.email));
      const guess = (code: string, client: string) =>
        own.ask('PUT', '/user/password/reset', { body: { email: owner.email, code, newPassword: 'secret 1' }, client });
      for (let count = 0; count < 20; count += 1) {
        expect((await guess(right === '111111' ? '222222' : '111111', `192.0.2.${round * 20 + count}`)).status).toBe(
          401,
        );
      }
      expect((await guess(right, '198.51.100.200')).status).toBe(200);
    }
    await own.close();
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0db8:0000:0007:1:2:3:4', '2001:db8:0:7::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('count %s as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
