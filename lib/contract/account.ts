import * as z from 'zod/mini';
import { amountSchema, currencySchema, idSchema, ifFits, momentSchema, orElse } from './fields';
import { planTypeSchema } from './plan-type';

/** Subscription states (lib/contract/README.md, 74). */
const subscriptionStatuses = ['normal', 'expired', 'unsubscribe', 'activate'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Why a licence ended before its date: its buyer withdrew, the money was given back, or the bank took it back. */
export const endingSchema = z.enum(['withdrawal', 'refund', 'dispute']);
export type EndedBy = z.infer<typeof endingSchema>;

/** The next charge of a plan that renews: a decimal amount, and the moment (ISO 8601 in UTC) at which it is made. */
export const nextChargeSchema = z.object({ amount: amountSchema, currency: currencySchema, at: momentSchema });

/**
 * One row of `GET /user/products/list`. Certain are product, current plan, expiration date and status (lib/contract/README.md, 47); the
 * id is what a cancellation names.
 */
export const ownedProductSchema = z.object({
  id: idSchema,
  product: z.string(),
  currentPlan: z.string(),
  /** Null, or missing: not told. */
  type: orElse(z.nullable(planTypeSchema), null),
  /** ISO 8601 in UTC; of a licence that has ended the moment of its end. Null, or missing: perpetual. */
  expirationDate: orElse(z.nullable(momentSchema), null),
  status: z.enum(subscriptionStatuses),
  /** Missing: it is in the mail alone. */
  licenceCode: orElse(z.string(), ''),
  /** Missing: a plan with an expiration date renews until it is cancelled. */
  autoRenew: orElse(z.boolean(), true),
  endedBy: z.optional(z.nullable(endingSchema)),
  nextCharge: z.optional(z.nullable(nextChargeSchema)),
  /** The last renewal was not paid: the licence ends at this moment (ISO 8601 in UTC) unless it is renewed. */
  graceUntil: z.optional(z.nullable(momentSchema)),
});
export type OwnedProduct = z.infer<typeof ownedProductSchema>;
export const ownedProductsSchema = z.array(ownedProductSchema);

/** `obj` of cancelling and resuming: the row as it is now; null for anything else (lib/contract/README.md, 47). */
export const changedProductSchema = ifFits(ownedProductSchema);

/** One row of `GET /user/sessions`. */
export const sessionRowSchema = z.object({
  id: idSchema,
  createdAt: momentSchema,
  lastSeenAt: momentSchema,
  userAgent: z.string(),
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;
export const sessionRowsSchema = z.array(sessionRowSchema);

/** `obj` of `POST /user/export`: everything that is kept about the user, as data. */
export const exportedDataSchema = z.record(z.string(), z.unknown());

/** `obj` of `DELETE /user`: what stays, in words for a person. */
export const erasedSchema = z.object({ kept: z.array(z.string()) });
export type Erased = z.infer<typeof erasedSchema>;
