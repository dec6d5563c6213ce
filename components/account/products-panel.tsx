'use client';

import { QueryLink } from '@/components/actions/query-link';
import { Button, moreClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, Waiting } from '@/components/ui/state';
import type { OwnedProduct } from '@/lib/contract/account';
import styles from './account.module.scss';
import { ProductRow } from './product-row';
import { useLoaded } from './use-loaded';

const load = async () => (await import('@/services/user')).ownedProducts();

/** My products: product, current plan, expiration date, status (specification section 2). */
export function ProductsPanel() {
  const { loaded, reload, replace } = useLoaded<OwnedProduct[]>(load);
  return (
    <section className={styles.panel} id="products">
      <h2>My products</h2>
      {loaded.state === 'loading' ? <Waiting>Your products are loading.</Waiting> : null}
      {loaded.state === 'failed' ? (
        <ErrorState
          title="Your products didn’t load"
          action={
            <Button variant="line" size="s" onClick={() => void reload()}>
              <Icon name="refresh-cw" /> Try again
            </Button>
          }
        >
          {loaded.msg} Nothing is lost.
        </ErrorState>
      ) : null}
      {loaded.state === 'ready' && loaded.value.length === 0 ? (
        <EmptyState
          title="No products yet"
          action={
            <QueryLink className={moreClass} href="/data-recovery-store">
              Visit the store <Icon name="arrow-right" />
            </QueryLink>
          }
        >
          What you buy appears here, with its plan and expiration date.
        </EmptyState>
      ) : null}
      {loaded.state === 'ready' && loaded.value.length > 0 ? (
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
            {loaded.value.map((row) => (
              <ProductRow
                key={row.id}
                row={row}
                onChange={(changed) =>
                  replace(loaded.value.map((other) => (other.id === changed.id ? changed : other)))
                }
              />
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}
