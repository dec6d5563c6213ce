import * as z from 'zod/mini';
import { idSchema, orElse, webAddressSchema } from './fields';
import { orderStatuses } from './order-statuses';

/** `obj` of `POST /pay/create`. */
export const orderCreatedSchema = z.object({ orderId: idSchema });
export type OrderCreated = z.infer<typeof orderCreatedSchema>;

/** `obj` of `POST /pay`: the address the checkout modal frames; http or https, and nothing else. */
export const payAnswerSchema = z.object({ redirectUrl: webAddressSchema });
export type PayAnswer = z.infer<typeof payAnswerSchema>;

/**
 * `obj` of `GET /pay/info/{orderId}`; `licenceCode` only for the signed-in owner, times are ISO 8601 in UTC. Certain
 * is the outcome only (lib/contract/README.md, 47): what else is missing is empty, or null, and is not shown.
 */
export const payInfoSchema = z.object({
  orderId: orElse(z.string(), ''),
  status: z.enum(orderStatuses),
  productName: orElse(z.string(), ''),
  plan: orElse(z.string(), ''),
  amount: orElse(z.string(), ''),
  currency: orElse(z.string(), ''),
  paidAt: orElse(z.nullable(z.string()), null),
  licenceCode: orElse(z.nullable(z.string()), null),
});
export type PayInfo = z.infer<typeof payInfoSchema>;

/** `obj` of `GET /pay/provider`, asked by our own checkout page; the key is the provider's public one. */
export const payProviderSchema = z.object({
  name: z.enum(['sandbox', 'stripe']),
  publishableKey: z.nullable(z.string()),
});
export type PayProvider = z.infer<typeof payProviderSchema>;
