'use client';

import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import type { OrderRow } from '@/lib/contract/orders';
import { momentInWords } from '@/lib/utils/moment-words';
import { orderWords } from '@/lib/utils/order-words';
import styles from '../account.module.scss';
import { ActionButton } from '../kit/action-button';
import { dateWords, moneyWords, sayOfPlans } from '../words';
import { useReceipt } from './use-receipt';
import { WithdrawDialog } from './withdraw-dialog';

/** What an order's state means for its buyer, in words. */
export function orderStateWords(order: OrderRow): string {
  if (order.withdrawnAt) return `Withdrawn on ${dateWords(order.withdrawnAt)}, the money goes back to you.`;
  // Closed without a withdrawal: the money was given back, or the bank took it back.
  if (order.status !== 'success') {
    const { title, lead } = orderWords(order);
    return `${title}. ${lead}`;
  }
  if (order.withdrawableUntil) return `You can withdraw until ${momentInWords(order.withdrawableUntil)}.`;
  return 'The time to withdraw is over.';
}

/** One paid order: what, when, how much, its receipt, and the withdrawal while there is time. */
export function OrderItem({ order, onChange }: { order: OrderRow; onChange: (order: OrderRow) => void }) {
  const [asking, setAsking] = useState(false);
  const receipt = useReceipt(order.orderId, async () => (await import('@/services/account')).receipt(order.orderId));
  return (
    <li>
      <div>
        <b>
          {order.productName}, {order.plan}
        </b>
        <span>
          {moneyWords(order.amount, order.currency)}
          {order.paidAt ? ` on ${dateWords(order.paidAt)}` : ''}. Order {order.orderId}
        </span>
        <span>{orderStateWords(order)}</span>
      </div>
      <div className={styles.acts}>
        <ActionButton tone="line" size="s" busy={receipt.busy} onClick={() => void receipt.save()}>
          <Icon name="download" /> Download receipt<span className="sr"> of order {order.orderId}, PDF</span>
        </ActionButton>
        {order.withdrawableUntil ? (
          <ActionButton tone="line" size="s" onClick={() => setAsking(true)}>
            Withdraw from contract<span className="sr">, order {order.orderId}</span>
          </ActionButton>
        ) : null}
      </div>
      {asking ? (
        <WithdrawDialog
          order={order}
          onClose={() => setAsking(false)}
          onWithdrawn={({ withdrawnAt }) => {
            setAsking(false);
            onChange({ ...order, status: 'cancelled', withdrawableUntil: null, withdrawnAt });
            sayOfPlans('Your withdrawal is received. A receipt of it is on its way by e-mail.');
          }}
        />
      ) : null}
    </li>
  );
}
