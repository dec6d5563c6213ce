import type { PlanType, Platform, Website } from '../catalog/types';

/** Request of `POST /products/list`. */
export type ProductsListRequest = { website: Website; os?: Platform | undefined };

/** One row of `POST /products/list`; prices are decimal strings such as `"9.99"`, `pcs: null` is unlimited. */
export type ProductRow = {
  productsId: string;
  name: string;
  website: Website;
  os: Platform;
  plan: string;
  type: PlanType;
  price: string;
  oldPrice: string;
  currency: string;
  pcs: number | null;
};

/** Payload of `POST /pay/create` (specification section 3); the four extend fields are JSON strings of at most 2 kB. */
export type OrderRequest = {
  cancelUrl: string;
  email: string;
  marketingChannel: string;
  orderAdInfoExtend: string;
  transparentExtend: string;
  productsId: string;
  productsPriceId: number;
  successUrl: string;
  userExtend: string;
};

/** `obj` of `POST /pay/create`. */
export type OrderCreated = { orderId: string };

/** Payload of `POST /pay`. */
export type PayRequest = { orderId: string; payExtend: string };

/** `obj` of `POST /pay`: the address the checkout modal frames. */
export type PayAnswer = { redirectUrl: string };

/** States of an order as `GET /pay/info/{orderId}` shows them. */
export const orderStatuses = ['created', 'pending', 'success', 'cancelled', 'failed', 'expired'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `obj` of `GET /pay/info/{orderId}`; `licenceCode` only for the signed-in owner, times are ISO 8601 in UTC. */
export type PayInfo = {
  orderId: string;
  status: OrderStatus;
  productName: string;
  plan: string;
  amount: string;
  currency: string;
  paidAt: string | null;
  licenceCode: string | null;
};

/** `obj` of `GET /pay/provider`, asked by our own checkout page; the key is the provider's public one. */
export type PayProvider = { name: 'sandbox' | 'stripe'; publishableKey: string | null };
