'use client';

import { QueryLink } from '@/components/actions/query-link';
import { moreClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import styles from './account.module.scss';
import { ListPanel } from './kit/panel';
import { EmptyResult } from './kit/results';
import { ProductRow } from './product-row';

const load = async () => (await import('@/services/account')).ownedProducts();

/** My products: product, current plan, expiration date, status. */
export function ProductsPanel() {
  return (
    <ListPanel
      id="products"
      title="My products"
      load={load}
      waiting="Your products are loading."
      failed="Your products didn’t load"
      calm="Nothing is lost."
      empty={
        <EmptyResult
          title="No products yet"
          action={
            <QueryLink className={moreClass} href="/data-recovery-store">
              Visit the store <Icon name="arrow-right" />
            </QueryLink>
          }
        >
          What you buy appears here, with its plan and expiration date.
        </EmptyResult>
      }
    >
      {(rows, replace) => (
        <table className={styles.subs}>
          <caption className="sr">Your products and plans</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Current plan</th>
              <th scope="col">Expiration date</th>
              <th scope="col">Status</th>
              <th scope="col">
                <span className="sr">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ProductRow
                key={row.id}
                row={row}
                onChange={(changed) => replace(rows.map((other) => (other.id === changed.id ? changed : other)))}
              />
            ))}
          </tbody>
        </table>
      )}
    </ListPanel>
  );
}
