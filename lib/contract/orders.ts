import type { OrderStatus } from './store';

/** One row of `GET /user/orders`: a paid order. Prices are decimal strings, instants ISO 8601 in UTC. */
export type OrderRow = {
  orderId: string;
  productName: string;
  plan: string;
  amount: string;
  currency: string;
  status: OrderStatus;
  paidAt: string | null;
  /** Null when the time for it is over, or when it was done. */
  withdrawableUntil: string | null;
  withdrawnAt: string | null;
};

/** Payload of `POST /orders/lookup`; its `obj` is null, and the link comes by mail: `/order-lookup#<key>`. */
export type LookUpRequest = { orderId: string; email: string };

/** `obj` of `GET /orders/link/{key}`; the receipt is at `GET /orders/link/{key}/receipt`. */
export type OpenedOrder = OrderRow & { licenceCode: string | null };

/** Payload of `POST /orders/{id}/withdraw`: without `confirm` it only tells; `key` is a guest's from the mailed link. */
export type WithdrawRequest = { confirm?: boolean | undefined; key?: string | undefined };

/** `obj` of `POST /orders/{id}/withdraw`. */
export type Withdrawal = {
  orderId: string;
  title: string;
  amount: string;
  currency: string;
  deadline: string;
  withdrawnAt: string | null;
};

/** Payload of `DELETE /user`; the password of an account that has one. */
export type EraseRequest = { currentPassword: string };

/** `obj` of `DELETE /user`: what stays, in words for a person. */
export type Erased = { kept: string[] };
