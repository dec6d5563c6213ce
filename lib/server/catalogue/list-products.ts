import 'server-only';
import { z } from 'zod';
import { currency, decimal, planProductName, plansFor } from '../../catalog/plans';
import { platforms, websites } from '../../catalog/types';
import type { ProductRow } from '../../contract/store';

/** Payload of `POST /products/list`. */
export const productsListSchema = z.object({
  website: z.enum(websites, 'Please choose one of the products: recovery, duplicate or whatsapp.'),
  os: z.enum(platforms, 'Please choose a system: win or mac.').optional(),
});

/** What can be bought of a product, with the prices that are charged. */
export function listProducts({ website, os }: z.output<typeof productsListSchema>): ProductRow[] {
  return plansFor(website, os).map((plan) => ({
    productsId: plan.productsId,
    name: planProductName(plan),
    website: plan.website,
    os: plan.os,
    plan: plan.name,
    type: plan.type,
    price: decimal(plan.cents),
    oldPrice: decimal(plan.oldCents),
    currency,
    pcs: plan.pcs,
  }));
}
