'use client';

import { useEffect } from 'react';
import { DownloadButton } from '@/components/actions/download-button';
import { QueryLink } from '@/components/actions/query-link';
import { Button, ButtonRow, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ErrorState, Waiting } from '@/components/ui/state';
import { productByName } from '@/lib/catalog/plans';
import { useAppState } from '@/store/app-state';
import { endAttempt } from '@/store/buy-attempt';
import { OrderFacts } from './order-facts';
import styles from './orders.module.scss';
import { useOrder } from './use-order';

/** The confirmation: shown as paid only when the server says that it is. */
export function OrderConfirmed() {
  const user = useAppState((state) => state.userInfo);
  const { view, refresh } = useOrder(({ status }, elapsed) => status === 'created' && elapsed < 20_000);
  const order = view.state === 'known' ? view.order : null;
  const isPaid = order?.status === 'success';
  useEffect(() => {
    if (isPaid) endAttempt();
  }, [isPaid]);

  if (view.state === 'loading') return <Waiting>Your order is loading.</Waiting>;
  if (view.state === 'failed') {
    return (
      <ErrorState
        level="h2"
        title="Your order didn’t load"
        action={
          <Button variant="line" onClick={refresh}>
            Try again
          </Button>
        }
      >
        {view.error.msg} If you have paid, the confirmation comes by e-mail.
      </ErrorState>
    );
  }
  if (!order) {
    return (
      <div className={styles.result}>
        <p>
          There is no order in this window. Your receipt and licence code are in the mail we sent you, and your products
          are in your account.
        </p>
        <ButtonRow>
          <QueryLink className={buttonClass()} href="/account">
            My products
          </QueryLink>
        </ButtonRow>
      </div>
    );
  }
  if (!isPaid) {
    return (
      <div className={styles.result}>
        <p role="status">This order is not paid yet: it is {order.status}.</p>
        <OrderFacts order={order} />
        <ButtonRow>
          <Button onClick={refresh}>
            <Icon name="refresh-cw" /> Refresh
          </Button>
        </ButtonRow>
      </div>
    );
  }
  const { line, os } = productByName(order.productName);
  return (
    <div className={styles.result}>
      <p role="status">
        <Icon name="circle-check" /> Paid. Your receipt and licence code are on their way by e-mail.
      </p>
      <OrderFacts order={order} />
      <ButtonRow>
        <DownloadButton className={buttonClass()} website={line.website} os={os}>
          <Icon name="download" /> Download
        </DownloadButton>
        <QueryLink className={buttonClass({ variant: 'line' })} href="/account">
          {user ? 'My products' : 'Sign in to your products'}
        </QueryLink>
      </ButtonRow>
      <p className="small">
        Receipt, licence code and withdrawal are in your account. Without signing in,{' '}
        <QueryLink href="/order-lookup">find the order</QueryLink> by its number.
      </p>
    </div>
  );
}
