import * as z from 'zod/mini';
import { platforms, websites } from '../catalog/types';
import { amountSchema, idSchema, orElse } from './fields';
import { planTypeSchema } from './plan-type';

/** One row of `POST /products/list`; prices are decimal strings such as `"9.99"`, `pcs: null` is unlimited. */
export const productRowSchema = z.object({
  productsId: idSchema,
  name: orElse(z.string(), ''),
  website: z.enum(websites),
  os: z.enum(platforms),
  plan: orElse(z.string(), ''),
  type: planTypeSchema,
  price: amountSchema,
  /** Missing: none is shown. */
  oldPrice: orElse(z.string(), ''),
  currency: orElse(z.string(), 'USD'),
  pcs: orElse(z.nullable(z.number()), null),
});
export type ProductRow = z.infer<typeof productRowSchema>;
export const productRowsSchema = z.array(productRowSchema);
