import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mails } from '@/lib/server/db/schema';
import { startApi, type TestApi } from '../api/harness/api';
import { anyEmail, signedIn } from '../api/harness/people';
import { type Received, startMailServer } from '../support/mail-server';

/** What a mail server got. */
const received: Received[] = [];
let refuseNext = false;

let api: TestApi;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer((mail) => {
    const isRefused = refuseNext;
    refuseNext = false;
    if (isRefused) throw new Error('try again later');
    received.push(mail);
  });
  api = await startApi({ SMTP_URL: server.url, MAIL_FROM: 'Mendara <shop@example.com>' });
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

describe('with a mail server', () => {
  it('a mail goes out by it, and its words are wiped here', async () => {
    const person = await signedIn(api, anyEmail('smtp'));
    await api.ask('POST', '/sso/code', { body: { email: person.email } });
    await api.jobs(['light']);
    const mail = received.find((candidate) => candidate.to.includes(person.email));
    expect(mail?.source).toMatch(/^From: Mendara <shop@example.com>/m);
    expect(mail?.source).toContain('Content-Type: text/plain');
    expect(mail?.source).toContain('Content-Type: text/html');
    expect(mail?.source).toMatch(/\b\d{6}\b/);
    const [row] = await api.ctx.db.select().from(mails).where(eq(mails.to, person.email));
    expect(row).toMatchObject({ status: 'sent', text: '', html: '' });
  });

  it('it is tried again when the server refuses', async () => {
    const person = await signedIn(api, anyEmail('again'));
    refuseNext = true;
    await api.ask('POST', '/sso/code', { body: { email: person.email } });
    await api.jobs(['light']);
    expect(received.some((mail) => mail.to.includes(person.email))).toBe(false);
    api.pass(60_000);
    await api.jobs(['light']);
    expect(received.filter((mail) => mail.to.includes(person.email))).toHaveLength(1);
  });

  it('there is no outbox to read', async () => {
    expect((await api.ask('GET', '/outbox')).status).toBe(404);
  });
});
