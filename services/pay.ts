import { header } from '../lib/contract/headers';
import type { OrderCreated, OrderRequest, PayAnswer, PayInfo, PayProvider, PayRequest } from '../lib/contract/store';
import { get, post } from './http';

/** POST /pay/create: the same key and body bring the same order, however often it is sent. */
export const createOrder = (order: OrderRequest, idempotencyKey: string) =>
  post<OrderCreated>('/pay/create', order, { headers: { [header.idempotencyKey]: idempotencyKey } });

/** POST /pay: asks for the provider's page of an order. */
export const requestPayment = (request: PayRequest) => post<PayAnswer>('/pay', request);

/** GET /pay/info/{orderId}. */
export const payInfo = (orderId: string) => get<PayInfo>(`/pay/info/${encodeURIComponent(orderId)}`);

/** GET /pay/provider: who takes payments, for our own checkout page. */
export const payProvider = () => get<PayProvider>('/pay/provider');
