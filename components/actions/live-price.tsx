'use client';

import { useEffect } from 'react';
import { dollars, findPlan, type Plan } from '@/lib/catalog/plans';
import { loadProducts, rowFor, useProducts } from '@/store/products';

/** Calls back once the page has loaded and has nothing else to do; returns the way to stop waiting. */
function whenIdle(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let handle = 0;
  const wait = () => {
    if ('requestIdleCallback' in window) handle = window.requestIdleCallback(callback, { timeout: 2000 });
    else timer = setTimeout(callback, 1000);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => {
    window.removeEventListener('load', wait);
    clearTimeout(timer);
    if (handle) window.cancelIdleCallback(handle);
  };
}

/** A plan's price in words: the catalogue's until the product list came, the list's where it differs (contract, "Calls"). */
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
