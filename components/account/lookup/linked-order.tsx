'use client';

import { useCallback, useState } from 'react';
import { ButtonRow } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Waiting } from '@/components/ui/state';
import type { OpenedOrder } from '@/lib/contract/orders';
import { orderWords } from '@/lib/utils/order-words';
import { showToast } from '@/store/toasts';
import { CopyButton } from '../copy-button';
import { ActionButton } from '../kit/action-button';
import { FailedResult } from '../kit/results';
import { useLoaded } from '../kit/use-loaded';
import { OrderFacts } from '../orders/order-facts';
import styles from '../orders/orders.module.scss';
import { orderStateWords } from '../papers/order-item';
import { useReceipt } from '../papers/use-receipt';
import { WithdrawDialog } from '../papers/withdraw-dialog';

/** The order that a mailed link opens: licence, receipt, and the withdrawal while there is time. */
export function LinkedOrder({ guestKey, onAskAgain }: { guestKey: string; onAskAgain: () => void }) {
  const load = useCallback(async () => (await import('@/services/account')).linkedOrder(guestKey), [guestKey]);
  const { loaded, reload, replace } = useLoaded<OpenedOrder>(load);
  if (loaded.state === 'loading') return <Waiting>Your order is loading.</Waiting>;
  if (loaded.state === 'failed') {
    return (
      <FailedResult
        level="h2"
        title={loaded.refused ? 'This link opens no order' : 'Your order didn’t load'}
        action={loaded.refused ? <ActionButton onClick={onAskAgain}>Ask for a new link</ActionButton> : undefined}
        onRetry={() => void reload()}
      >
        {loaded.msg}
      </FailedResult>
    );
  }
  return <Papers order={loaded.value} guestKey={guestKey} onChange={replace} />;
}

function unpaidWords(order: OpenedOrder): string {
  const { title, lead } = orderWords(order);
  return `${title}. ${lead}`;
}

type PapersProps = { order: OpenedOrder; guestKey: string; onChange: (order: OpenedOrder) => void };

function Papers({ order, guestKey, onChange }: PapersProps) {
  const [asking, setAsking] = useState(false);
  const receipt = useReceipt(order.orderId, async () => (await import('@/services/account')).linkedReceipt(guestKey));
  return (
    <div className={styles.result}>
      <h2>Your order</h2>
      <p>{order.paidAt ? orderStateWords(order) : unpaidWords(order)}</p>
      <OrderFacts
        order={order}
        licenceAction={order.licenceCode ? <CopyButton text={order.licenceCode} name="licence code" /> : null}
      />
      {order.paidAt ? (
        <ButtonRow>
          <ActionButton busy={receipt.busy} onClick={() => void receipt.save()}>
            <Icon name="download" /> Download receipt
          </ActionButton>
          {order.withdrawableUntil ? (
            <ActionButton tone="line" onClick={() => setAsking(true)}>
              Withdraw from contract
            </ActionButton>
          ) : null}
        </ButtonRow>
      ) : null}
      {asking ? (
        <WithdrawDialog
          order={order}
          guestKey={guestKey}
          onClose={() => setAsking(false)}
          onWithdrawn={({ withdrawnAt }) => {
            setAsking(false);
            onChange({ ...order, status: 'cancelled', withdrawableUntil: null, withdrawnAt });
            showToast('Your withdrawal is received. A receipt of it is on its way by e-mail.');
          }}
        />
      ) : null}
    </div>
  );
}
