import { header } from '../lib/contract/headers';
import { orderCreatedSchema, payAnswerSchema, payInfoSchema, payProviderSchema } from '../lib/contract/pay';
import type { OrderRequest, PayRequest } from '../lib/contract/requests/pay';
import { get, post } from './http';

/** POST /pay/create: the same key and body bring the same order, however often it is sent. */
export const createOrder = (order: OrderRequest, idempotencyKey: string) =>
  post('/pay/create', orderCreatedSchema, order, { headers: { [header.idempotencyKey]: idempotencyKey } });

/** POST /pay: asks for the provider's page of an order. */
export const requestPayment = (request: PayRequest) => post('/pay', payAnswerSchema, request);

/** GET /pay/info/{orderId}. */
export const payInfo = (orderId: string) => get(`/pay/info/${encodeURIComponent(orderId)}`, payInfoSchema);

/** GET /pay/provider: who takes payments, for our own checkout page. */
export const payProvider = () => get('/pay/provider', payProviderSchema);
