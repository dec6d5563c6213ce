'use client';

import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, Waiting } from '@/components/ui/state';
import type { OrderRow } from '@/lib/contract/orders';
import styles from '../account.module.scss';
import { useLoaded } from '../use-loaded';
import { OrderItem } from './order-item';

const load = async () => (await import('@/services/orders')).paidOrders();

/** Orders and their receipts; `onWithdrawn` is told when one is withdrawn from, since its licence ends with it. */
export function OrdersPanel({ onWithdrawn }: { onWithdrawn: () => void }) {
  const { loaded, reload, replace } = useLoaded<OrderRow[]>(load);
  return (
    <section className={styles.panel} id="orders">
      <h2>Orders and receipts</h2>
      {loaded.state === 'loading' ? <Waiting>Your orders are loading.</Waiting> : null}
      {loaded.state === 'failed' ? (
        <ErrorState
          title="Your orders didn’t load"
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
        <EmptyState title="No orders yet">What you pay for appears here, with its receipt.</EmptyState>
      ) : null}
      {loaded.state === 'ready' && loaded.value.length > 0 ? (
        <ul className={styles.rows}>
          {loaded.value.map((order) => (
            <OrderItem
              key={order.orderId}
              order={order}
              onChange={(changed) => {
                replace(loaded.value.map((other) => (other.orderId === changed.orderId ? changed : other)));
                onWithdrawn();
              }}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}
