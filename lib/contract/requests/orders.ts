import * as z from 'zod/mini';
import { emailField } from './fields';

/** Payload of `POST /orders/lookup`; its `obj` is null, and the link comes by mail: `/order-lookup#<key>`. */
export const lookUpSchema = z.object({
  orderId: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)),
  email: emailField,
});
export type LookUpRequest = z.infer<typeof lookUpSchema>;

/** Payload of `POST /orders/{id}/withdraw`: without `confirm` it only tells; `key` is a guest's from the mailed link. */
export const withdrawSchema = z.object({
  confirm: z._default(z.boolean(), false),
  key: z.optional(z.string().check(z.maxLength(100))),
});
export type WithdrawRequest = z.input<typeof withdrawSchema>;

/** Payload of `POST /licences/activate`, which the desktop programs send at their first start. */
export const activateSchema = z.object({ licenceCode: z.string().check(z.trim(), z.maxLength(40)) });
