import * as z from 'zod/mini';
import { amountSchema, currencySchema, idSchema, momentSchema } from './fields';
import { orderStatuses } from './order-statuses';

/** One row of `GET /user/orders`: a paid order. Amounts are decimal strings, moments ISO 8601 in UTC. */
export const orderRowSchema = z.object({
  orderId: idSchema,
  productName: z.string(),
  plan: z.string(),
  amount: amountSchema,
  currency: currencySchema,
  status: z.enum(orderStatuses),
  paidAt: z.nullable(momentSchema),
  /** Null when the time for it is over, or when it was done. */
  withdrawableUntil: z.nullable(momentSchema),
  withdrawnAt: z.nullable(momentSchema),
});
export type OrderRow = z.infer<typeof orderRowSchema>;
export const orderRowsSchema = z.array(orderRowSchema);

/** `obj` of `GET /orders/link/{key}`; the receipt is at `GET /orders/link/{key}/receipt`. */
export const openedOrderSchema = z.extend(orderRowSchema, { licenceCode: z.nullable(z.string()) });
export type OpenedOrder = z.infer<typeof openedOrderSchema>;

/** `obj` of `POST /orders/{id}/withdraw`. */
export const withdrawalSchema = z.object({
  orderId: idSchema,
  title: z.string(),
  amount: amountSchema,
  currency: currencySchema,
  deadline: momentSchema,
  withdrawnAt: z.nullable(momentSchema),
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;
