import type { ReactNode } from 'react';
import type { PayInfo } from '@/lib/contract/pay';
import { moneyWords } from '../words';
import styles from './orders.module.scss';

type Facts = Pick<PayInfo, 'productName' | 'plan' | 'amount' | 'currency' | 'orderId' | 'licenceCode'>;

/** What was bought, in rows; `licenceAction` stands beside the licence code. */
export function OrderFacts({ order, licenceAction }: { order: Facts; licenceAction?: ReactNode }) {
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
        <dd>{moneyWords(order.amount, order.currency)}</dd>
      </div>
      <div>
        <dt>Order number</dt>
        <dd className={styles.number}>{order.orderId}</dd>
      </div>
      {order.licenceCode ? (
        <div>
          <dt>Licence code</dt>
          <dd className={styles.number}>
            {order.licenceCode}
            {licenceAction}
          </dd>
        </div>
      ) : null}
    </dl>
  );
}
