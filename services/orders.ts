import type { LookUpRequest, OpenedOrder, OrderRow, Withdrawal, WithdrawRequest } from '../lib/contract/orders';
import { get, getFile, post } from './http';

const linkPath = (key: string) => `/orders/link/${encodeURIComponent(key)}`;

/** GET /user/orders: the paid orders of the account. */
export const paidOrders = () => get<OrderRow[]>('/user/orders');

/** GET /user/orders/{id}/receipt: a PDF; fetched, since the token is a header that no link can send. */
export const receipt = (orderId: string) => getFile(`/user/orders/${encodeURIComponent(orderId)}/receipt`);

/** POST /orders/lookup: mails a link if number and address belong together; the answer does not tell. */
export const lookUpOrder = (request: LookUpRequest) => post<null>('/orders/lookup', request);

/** GET /orders/link/{key}: the order that a mailed link opens. */
export const linkedOrder = (key: string) => get<OpenedOrder>(linkPath(key));

/** GET /orders/link/{key}/receipt: a PDF. */
export const linkedReceipt = (key: string) => getFile(`${linkPath(key)}/receipt`);

/** POST /orders/{id}/withdraw: the first step without `confirm`, the withdrawal itself with it. */
export const withdraw = (orderId: string, request: WithdrawRequest) =>
  post<Withdrawal>(`/orders/${encodeURIComponent(orderId)}/withdraw`, request);
