'use client';

import { useEffect } from 'react';
import { dollars, findPlan, type Plan } from '@/lib/catalog/plans';
import { whenIdle } from '@/lib/utils/when-idle';
import { loadProducts, rowFor, useProducts } from '@/store/products';

/** A plan's price in words: the catalogue's until the product list came, the list's where it differs (lib/contract/README.md, 44). */
export function usePrice(plan: Plan | undefined): string {
  const price = useProducts((state) =>
    plan && state.rows[plan.website] ? rowFor(plan.website, plan.os, plan.type)?.price : undefined,
  );
  if (price && /^\d+\.\d{2}$/.test(price)) return `$${price}`;
  return plan ? dollars(plan.cents) : '';
}

/** A plan's price; the product list is asked for when the page is idle. */
export function LivePrice({ productsId }: { productsId: string }) {
  const plan = findPlan(productsId);
  const website = plan?.website;
  useEffect(() => (website ? whenIdle(() => void loadProducts(website)) : undefined), [website]);
  return <>{usePrice(plan)}</>;
}
