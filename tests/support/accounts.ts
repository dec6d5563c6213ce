import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type BrowserContext, expect } from '@playwright/test';
import type { Envelope } from '../../lib/contract/envelope';
import type { OrderCreated, PayAnswer, PayInfo } from '../../lib/contract/pay';
import { sandboxCards } from '../../lib/contract/sandbox-cards';
import type { SsoLogin } from '../../lib/contract/session';
import type { TicketReturn } from '../../lib/contract/sign-in';
import { freshAddress, mailTo } from './browser';

const port = Number(process.env.MENDARA_TEST_PORT ?? 3217);

/** Where the tests' site is. */
export const siteUrl = `http://localhost:${port}`;

/** Somebody with an account and a token, made by the API alone. */
export type Member = { email: string; password: string; token: string };

async function read<T>(answer: { json(): Promise<unknown> }): Promise<T> {
  const { success, msg, obj } = (await answer.json()) as Envelope<T>;
  expect(success, msg).toBe('1');
  return obj as T;
}

async function tokenOf(request: APIRequestContext, ticket: string, origin = siteUrl): Promise<string> {
  const answer = await request.get(`/api/v1/sso/login?ticket=${ticket}`, { headers: { origin } });
  return (await read<SsoLogin>(answer)).tokenValue;
}

function ticketIn({ url }: TicketReturn): string {
  return new URL(url).searchParams.get('ticket') ?? '';
}

/** Registers, confirms by the mailed code and signs in; `site` is where the account's visitor comes from. */
export async function member(request: APIRequestContext, name = 'member', site = siteUrl): Promise<Member> {
  const account = { email: freshAddress(name), password: 'first-secret' };
  const redirectUri = `${site}/account`;
  const data = { ...account, redirectUri };
  const { registrationId } = await read<{ registrationId: string }>(
    await request.post('/api/v1/sso/register', { data }),
  );
  const code = /\b(\d{6})\b/.exec(await mailTo(request, account.email, /./))?.[1];
  const confirmed = await request.post('/api/v1/sso/confirm', {
    data: { email: account.email, code, redirectUri, registrationId },
  });
  return { ...account, token: await tokenOf(request, ticketIn(await read<TicketReturn>(confirmed)), site) };
}

/** A ticket that was not used yet. */
export async function freshTicket(request: APIRequestContext, { email, password }: Member): Promise<string> {
  const data = { email, password, redirectUri: `${siteUrl}/` };
  return ticketIn(await read<TicketReturn>(await request.post('/api/v1/sso/password', { data })));
}

/** A second session of the same account. */
export async function freshToken(request: APIRequestContext, account: Member): Promise<string> {
  return tokenOf(request, await freshTicket(request, account));
}

/** Puts a token into the browser, as an earlier visit would have. */
export async function keepToken(context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([{ name: 'Authorization', value: token, url: siteUrl, sameSite: 'Lax' }]);
}

/** True while the server knows the token. */
export async function isAlive(request: APIRequestContext, token: string): Promise<boolean> {
  const answer = await request.get('/api/v1/sso/check', { headers: { authorization: token } });
  return (await read<unknown>(answer)) !== null;
}

/** Buys by the API alone and waits until the order is paid. */
export async function bought(
  request: APIRequestContext,
  buyer: { email: string; token?: string },
  productsId = 'recovery-win-pro',
  site = siteUrl,
): Promise<string> {
  const headers = { 'idempotency-key': randomUUID(), ...(buyer.token ? { authorization: buyer.token } : {}) };
  const data = {
    cancelUrl: `${site}/data-recovery-store`,
    successUrl: `${site}/packge-loading`,
    email: buyer.email,
    marketingChannel: 'SEO',
    orderAdInfoExtend: '{}',
    transparentExtend: '{}',
    productsId,
    productsPriceId: 0,
    userExtend: '{}',
  };
  const { orderId } = await read<OrderCreated>(await request.post('/api/v1/pay/create', { headers, data }));
  const asked = await request.post('/api/v1/pay', { headers, data: { orderId, payExtend: '{}' } });
  const key = new URL((await read<PayAnswer>(asked)).redirectUrl).searchParams.get('key');
  await request.post(`/api/v1/sandbox/checkout/${key}`, { data: { cardNumber: sandboxCards.succeeds } });
  await expect
    .poll(async () => (await read<PayInfo>(await request.get(`/api/v1/pay/info/${orderId}`, { headers }))).status)
    .toBe('success');
  return orderId;
}
