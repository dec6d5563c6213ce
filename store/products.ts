import { create } from 'zustand';
import type { PlanType, Platform, Website } from '../lib/catalog/types';
import type { ProductRow } from '../lib/contract/products';

/** Rows of `POST /products/list` by website; a page shows the catalogue's plans until they are here. */
export const useProducts = create<{ rows: Partial<Record<Website, ProductRow[]>> }>(() => ({ rows: {} }));

const underWay = new Map<Website, Promise<void>>();

/** Fetches a website's plans once; a failure is quiet, since the catalogue's plans stand. */
export function loadProducts(website: Website): Promise<void> {
  const running = underWay.get(website);
  if (running) return running;
  const loading = import('../services/products')
    .then(async ({ listProducts }) => {
      const answer = await listProducts({ website });
      if (answer.ok && Array.isArray(answer.value)) {
        const rows = answer.value;
        useProducts.setState((state) => ({ rows: { ...state.rows, [website]: rows } }));
      } else underWay.delete(website);
    })
    .catch(() => {
      underWay.delete(website);
    });
  underWay.set(website, loading);
  return loading;
}

/** The row that stands for a plan card, matched by platform and billing type. */
export function rowFor(website: Website, os: Platform, type: PlanType): ProductRow | undefined {
  return useProducts.getState().rows[website]?.find((row) => row.os === os && row.type === type);
}
