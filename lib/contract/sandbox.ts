import * as z from 'zod/mini';
import { amountSchema, currencySchema, webAddressSchema } from './fields';

/** `obj` of `GET /sandbox/checkout/{key}`: what the sandbox's hosted page shows. */
export const sandboxCheckoutSchema = z.object({
  title: z.string(),
  email: z.string(),
  amount: amountSchema,
  currency: currencySchema,
  status: z.enum(['open', 'pending', 'succeeded', 'cancelled']),
});
export type SandboxCheckout = z.infer<typeof sandboxCheckoutSchema>;

/** `obj` of `POST /sandbox/checkout/{key}`: where the hosted page goes next. A declined card is a refusal instead. */
export const sandboxNextSchema = z.object({ url: webAddressSchema });
export type SandboxNext = z.infer<typeof sandboxNextSchema>;
