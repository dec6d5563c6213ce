import * as z from 'zod/mini';
import { momentSchema } from './fields';

/** `obj` of `GET /health`. `sandbox` is how repairs are shut in; null where none run in this process. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  database: z.string(),
  sandbox: z.nullable(z.unknown()),
});

/** `obj` of `POST /pay/webhook/{provider}`: whether the message moved an order. */
export const appliedSchema = z.object({ applied: z.boolean() });

/** `obj` of `POST /licences/activate`: what a program learns of its licence. */
export const activatedSchema = z.object({
  product: z.string(),
  plan: z.string(),
  pcs: z.nullable(z.number()),
  expirationDate: z.nullable(momentSchema),
});
export type Activated = z.infer<typeof activatedSchema>;
