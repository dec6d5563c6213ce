'use client';

import { useCallback } from 'react';
import { Notice } from '@/components/ui/notice';
import { Waiting } from '@/components/ui/state';
import type { OrderRow, Withdrawal } from '@/lib/contract/orders';
import { momentInWords } from '@/lib/utils/moment-words';
import { ActionButton } from '../kit/action-button';
import { ConfirmDialog } from '../kit/dialog';
import { keepingFocus } from '../kit/keep-focus';
import { useLoaded } from '../kit/use-loaded';
import { moneyWords } from '../words';

type WithdrawDialogProps = {
  order: Pick<OrderRow, 'orderId'>;
  /** A guest's, from the mailed link. */
  guestKey?: string | undefined;
  onClose: () => void;
  onWithdrawn: (withdrawal: Withdrawal) => void;
};

/**
 * Withdrawal in two steps (Directive 2011/83/EU, article 11a): the first says what would be withdrawn from and what
 * follows, the second confirms. Later comes first and has the focus.
 */
export function WithdrawDialog({ order, guestKey, onClose, onWithdrawn }: WithdrawDialogProps) {
  const { orderId } = order;
  const key = guestKey === undefined ? {} : { key: guestKey };
  const preview = useCallback(
    async () => (await import('@/services/account')).withdraw(orderId, guestKey === undefined ? {} : { key: guestKey }),
    [orderId, guestKey],
  );
  const { loaded, reload } = useLoaded<Withdrawal>(preview);
  return (
    <ConfirmDialog
      title="Withdraw from this contract?"
      onClose={onClose}
      confirm={loaded.state === 'ready' ? 'Confirm withdrawal' : undefined}
      send={async () => (await import('@/services/account')).withdraw(orderId, { ...key, confirm: true })}
      onDone={onWithdrawn}
    >
      {loaded.state === 'loading' ? <Waiting>The order is loading.</Waiting> : null}
      {loaded.state === 'failed' ? (
        <>
          <Notice tone="bad" role="alert">
            {loaded.msg}
          </Notice>
          <ActionButton tone="line" size="s" onClick={keepingFocus(() => void reload())}>
            Try again
          </ActionButton>
        </>
      ) : null}
      {loaded.state === 'ready' ? <Consequences withdrawal={loaded.value} /> : null}
    </ConfirmDialog>
  );
}

function Consequences({ withdrawal }: { withdrawal: Withdrawal }) {
  const { title, orderId, amount, currency, deadline } = withdrawal;
  return (
    <>
      <p>
        {title}. Order {orderId}.
      </p>
      <p>
        {moneyWords(amount, currency)} goes back to the means of payment that you used. The licence stops working at
        once and nothing renews. A receipt of the withdrawal comes by e-mail.
      </p>
      <p>You can do this without giving a reason until {momentInWords(deadline)}.</p>
    </>
  );
}
