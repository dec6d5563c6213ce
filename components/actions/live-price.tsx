'use client';

import { useEffect } from 'react';
import { dollars, findPlan } from '@/lib/catalog/plans';
import { loadProducts, rowFor, useProducts } from '@/store/products';

/** Calls back when the page has nothing else to do, at the latest after two seconds. */
function whenIdle(callback: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(callback, { timeout: 2000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(callback, 1000);
  return () => clearTimeout(timer);
}

/** A plan's price: the catalogue's in the prerendered page, the product list's where it differs (contract, "Calls"). */
export function LivePrice({ productsId }: { productsId: string }) {
  const plan = findPlan(productsId);
  const website = plan?.website;
  useEffect(() => (website ? whenIdle(() => void loadProducts(website)) : undefined), [website]);
  const price = useProducts((state) =>
    plan && state.rows[plan.website] ? rowFor(plan.website, plan.os, plan.type)?.price : undefined,
  );
  if (!plan) return null;
  return <>{price && /^\d+\.\d{2}$/.test(price) ? `$${price}` : dollars(plan.cents)}</>;
}
