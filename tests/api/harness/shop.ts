import { randomUUID } from 'node:crypto';
import type { OrderCreated, PayAnswer, PayInfo } from '@/lib/contract/pay';
import type { OrderRequest } from '@/lib/contract/requests/pay';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
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
