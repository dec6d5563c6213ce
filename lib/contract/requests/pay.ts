import * as z from 'zod/mini';
import { productsPriceId } from '../../catalog/plans';
import { platforms, websites } from '../../catalog/types';
import { extendField, shortText } from './fields';

/** Payload of `POST /products/list`. */
export const productsListSchema = z.object({
  website: z.enum(websites, 'Please choose one of the products: recovery, duplicate or whatsapp.'),
  os: z.optional(z.enum(platforms, 'Please choose a system: win or mac.')),
});
export type ProductsListRequest = z.infer<typeof productsListSchema>;

/**
 * Payload of `POST /pay/create` (lib/contract/README.md, 45); the extend fields are JSON strings of at most 2 kB. `email`
 * is checked later: a signed-in buyer needs none.
 */
export const orderSchema = z.object({
  cancelUrl: z.string().check(z.maxLength(2048)),
  successUrl: z.string().check(z.maxLength(2048)),
  email: shortText(320),
  marketingChannel: shortText(100),
  orderAdInfoExtend: extendField('orderAdInfoExtend'),
  transparentExtend: extendField('transparentExtend'),
  userExtend: extendField('userExtend'),
  productsId: z.string().check(z.maxLength(100)),
  productsPriceId: z.literal(productsPriceId, `The field “productsPriceId” must be ${productsPriceId}.`),
});
export type OrderRequest = z.infer<typeof orderSchema>;

/** Payload of `POST /pay`. */
export const payRequestSchema = z.object({
  orderId: z.string().check(z.maxLength(64)),
  payExtend: extendField('payExtend'),
});
export type PayRequest = z.infer<typeof payRequestSchema>;
