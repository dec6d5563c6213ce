import { nothingSchema } from '../lib/contract/fields';
import { openedOrderSchema, orderRowsSchema, withdrawalSchema } from '../lib/contract/orders';
import type { LookUpRequest, WithdrawRequest } from '../lib/contract/requests/orders';
import { get, getFile, post } from './http';

const linkPath = (key: string) => `/orders/link/${encodeURIComponent(key)}`;

/** GET /user/orders: the paid orders of the account. */
export const paidOrders = () => get('/user/orders', orderRowsSchema);

/** GET /user/orders/{id}/receipt: a PDF; fetched, since the token is a header that no link can send. */
export const receipt = (orderId: string) => getFile(`/user/orders/${encodeURIComponent(orderId)}/receipt`);

/** POST /orders/lookup: mails a link if number and address belong together; the answer does not tell. */
export const lookUpOrder = (request: LookUpRequest) => post('/orders/lookup', nothingSchema, request);

/** GET /orders/link/{key}: the order that a mailed link opens. */
export const linkedOrder = (key: string) => get(linkPath(key), openedOrderSchema);

/** GET /orders/link/{key}/receipt: a PDF. */
export const linkedReceipt = (key: string) => getFile(`${linkPath(key)}/receipt`);

/** POST /orders/{id}/withdraw: the first step without `confirm`, the withdrawal itself with it. */
export const withdraw = (orderId: string, request: WithdrawRequest) =>
  post(`/orders/${encodeURIComponent(orderId)}/withdraw`, withdrawalSchema, request);
