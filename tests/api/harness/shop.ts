import { randomUUID } from 'node:crypto';
import type { OrderCreated, PayAnswer, PayInfo } from '@/lib/contract/pay';
import type { OrderRequest } from '@/lib/contract/requests/pay';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import { subscriptions } from '@/lib/server/db/schema';
import { orderPayloadAt } from '../../support/order-payload';
import { SITE, type TestApi } from './api';

/** An order payload as the client sends it. */
export function orderPayload(change: Partial<OrderRequest> = {}): OrderRequest {
  return orderPayloadAt(SITE, { cancelUrl: `${SITE}/data-recovery-store?ufrom=win`, ...change });
}

/** Orders, and asks for the payment page. */
export async function order(
  api: TestApi,
  change: Partial<OrderRequest> = {},
  token?: string,
): Promise<{ orderId: string; key: string }> {
  const created = await api.ask<OrderCreated>('POST', '/pay/create', {
    body: orderPayload(change),
    token,
    headers: { 'idempotency-key': randomUUID() },
  });
  const { orderId } = created.obj;
  const pay = await api.ask<PayAnswer>('POST', '/pay', { body: { orderId, payExtend: '' }, token });
  return { orderId, key: new URL(pay.obj.redirectUrl).searchParams.get('key') ?? '' };
}

/** Orders and pays with a good card, webhook included. */
export async function buy(api: TestApi, change: Partial<OrderRequest> = {}, token?: string): Promise<string> {
  const { orderId, key } = await order(api, change, token);
  await api.ask('POST', `/sandbox/checkout/${key}`, { body: { cardNumber: sandboxCards.succeeds } });
  await api.jobs(['light']);
  return orderId;
}

/** How an order stands. */
export async function statusOf(api: TestApi, orderId: string, token?: string): Promise<PayInfo['status']> {
  return (await api.ask<PayInfo>('GET', `/pay/info/${orderId}`, { token })).obj.status;
}

/** Days until the next plan is due, which is some 28 to 31 for a monthly one: months differ. */
export async function daysToRenewal(api: TestApi): Promise<number> {
  const now = api.ctx.now().getTime();
  const due = (await api.ctx.db.select({ at: subscriptions.expiresAt }).from(subscriptions))
    .map(({ at }) => at?.getTime() ?? 0)
    .filter((at) => at > now);
  if (due.length === 0) throw new Error('No plan is due later on.');
  return (Math.min(...due) - now) / 86_400_000;
}
