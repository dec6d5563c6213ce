import 'server-only';
import { currency, decimal, planProductName, plansFor } from '../../catalog/plans';
import type { ProductRow } from '../../contract/products';
import type { ProductsListRequest } from '../../contract/requests/pay';

/** What can be bought of a product, with the prices that are charged. */
export function listProducts({ website, os }: ProductsListRequest): ProductRow[] {
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
