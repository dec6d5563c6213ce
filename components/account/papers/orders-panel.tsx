'use client';

import styles from '../account.module.scss';
import { ListPanel } from '../kit/panel';
import { EmptyResult } from '../kit/results';
import { OrderItem } from './order-item';

const load = async () => (await import('@/services/account')).paidOrders();

/** Orders and their receipts; `onWithdrawn` is told when one is withdrawn from, since its licence ends with it. */
export function OrdersPanel({ onWithdrawn }: { onWithdrawn: () => void }) {
  return (
    <ListPanel
      id="orders"
      title="Orders and receipts"
      load={load}
      waiting="Your orders are loading."
      failed="Your orders didn’t load"
      calm="Nothing is lost."
      empty={<EmptyResult title="No orders yet">What you pay for appears here, with its receipt.</EmptyResult>}
    >
      {(rows, replace) => (
        <ul className={styles.rows}>
          {rows.map((order) => (
            <OrderItem
              key={order.orderId}
              order={order}
              onChange={(changed) => {
                replace(rows.map((other) => (other.orderId === changed.orderId ? changed : other)));
                onWithdrawn();
              }}
            />
          ))}
        </ul>
      )}
    </ListPanel>
  );
}
