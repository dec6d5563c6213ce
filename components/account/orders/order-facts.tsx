import type { PayInfo } from '@/lib/contract/store';
import styles from './orders.module.scss';

/** What was bought, in rows. */
export function OrderFacts({ order }: { order: PayInfo }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Product</dt>
        <dd>
          {order.productName}, {order.plan}
        </dd>
      </div>
      <div>
        <dt>Amount</dt>
        <dd>
          {order.currency === 'USD' ? '$' : ''}
          {order.amount}
          {order.currency === 'USD' ? '' : ` ${order.currency}`}
        </dd>
      </div>
      <div>
        <dt>Order number</dt>
        <dd className={styles.number}>{order.orderId}</dd>
      </div>
      {order.licenceCode ? (
        <div>
          <dt>Licence code</dt>
          <dd className={styles.number}>{order.licenceCode}</dd>
        </div>
      ) : null}
    </dl>
  );
}
