import * as z from 'zod/mini';
import { orElse, textSchema } from './fields';

/**
 * Every product-API answer: `success` is `"1"`, `"10009"` or another refusal's code; some servers send it as a number.
 * `obj` is checked by itself, against the call's own schema.
 */
export const envelopeSchema = z.object({
  success: textSchema,
  msg: orElse(z.string(), ''),
  obj: z.optional(z.unknown()),
});

/** An answer with what it carries. */
export type Envelope<T> = Omit<z.infer<typeof envelopeSchema>, 'obj'> & { obj: T | null };
