import 'server-only';
import { z } from 'zod';
import { limits } from '../../catalog/limits';
import { productsPriceId } from '../../catalog/plans';

/** One of the extend fields: empty, or a JSON string of at most 2 kB (contract, "Buying, in detail"). */
export function extendField(name: string) {
  return z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) <= limits.extendMaxBytes,
      `The field “${name}” may have at most ${limits.extendMaxBytes} bytes.`,
    )
    .refine((value) => value === '' || isJson(value), `The field “${name}” must be JSON.`)
    .default('');
}

/** Payload of `POST /pay/create` (specification section 3). `email` is checked later: a signed-in buyer needs none. */
export const orderSchema = z.object({
  cancelUrl: z.string().max(2048),
  successUrl: z.string().max(2048),
  email: z.string().max(320).default(''),
  marketingChannel: z.string().max(100).default(''),
  orderAdInfoExtend: extendField('orderAdInfoExtend'),
  transparentExtend: extendField('transparentExtend'),
  userExtend: extendField('userExtend'),
  productsId: z.string().max(100),
  productsPriceId: z.literal(productsPriceId, `The field “productsPriceId” must be ${productsPriceId}.`),
});

/** A checked order payload. */
export type OrderInput = z.output<typeof orderSchema>;

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
