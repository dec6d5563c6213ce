import { randomBytes } from 'node:crypto';
import type { OutboxMail, OutboxRow } from '@/lib/contract/outbox';
import type { SsoLogin } from '@/lib/contract/session';
import type { TicketReturn } from '@/lib/contract/sign-in';
import { hashPassword } from '@/lib/server/accounts/passwords';
import { randomIds } from '@/lib/server/base/ids';
import { users } from '@/lib/server/db/schema';
import { SITE, type TestApi } from './api';

/** Somebody with an account and a token. */
export type Person = { id: string; email: string; password: string; token: string };

/** An address nobody else has. */
export function anyEmail(name = 'person'): string {
  return `${name}.${randomBytes(4).toString('hex')}@example.com`;
}

/** Makes an account in the database and signs it in through the API. */
export async function signedIn(api: TestApi, email = anyEmail(), password = 'correct horse'): Promise<Person> {
  const id = randomIds.row();
  await api.ctx.db
    .insert(users)
    .values({ id, email, passwordHash: await hashPassword(password), createdAt: api.ctx.now() });
  return { id, email, password, token: await signIn(api, email, password) };
}

/** Signs in by password and ticket; the token. */
export async function signIn(api: TestApi, email: string, password: string): Promise<string> {
  const { obj } = await api.ask<TicketReturn>('POST', '/sso/password', {
    body: { email, password, redirectUri: `${SITE}/account` },
  });
  const ticket = new URL(obj.url).searchParams.get('ticket');
  const login = await api.ask<SsoLogin>('GET', `/sso/login?ticket=${ticket}`);
  return login.obj.tokenValue;
}

/** The newest mail to an address. */
export async function lastMail(api: TestApi, to: string): Promise<OutboxMail> {
  const { obj: rows } = await api.ask<OutboxRow[]>('GET', '/outbox');
  const row = rows.find((candidate) => candidate.to === to);
  if (!row) throw new Error(`No mail to ${to}`);
  return (await api.ask<OutboxMail>('GET', `/outbox/${row.id}`)).obj;
}

/** How many mails an address got. */
export async function mailCount(api: TestApi, to: string): Promise<number> {
  const { obj: rows } = await api.ask<OutboxRow[]>('GET', '/outbox');
  return rows.filter((row) => row.to === to).length;
}

/** The six digits in a mail. */
export function codeIn(mail: OutboxMail): string {
  const code = /\b(\d{6})\b/.exec(mail.text)?.[1];
  if (!code) throw new Error('The mail has no code.');
  return code;
}
