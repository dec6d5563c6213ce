'use client';

import { type ReactNode, useEffect } from 'react';
import { DownloadButton } from '@/components/actions/download-button';
import { InstallerVersion } from '@/components/actions/installer-facts';
import { QueryLink } from '@/components/actions/query-link';
import { Button, ButtonRow, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ErrorState, Waiting } from '@/components/ui/state';
import { productByName } from '@/lib/catalog/plans';
import type { PayInfo } from '@/lib/contract/pay';
import { orderWords } from '@/lib/utils/order-words';
import { useAppState, userInfo } from '@/store/app-state';
import { endAttempt } from '@/store/buy-attempt';
import { OrderFacts } from './order-facts';
import { OrderPage } from './order-page';
import styles from './orders.module.scss';
import { StoreLink } from './store-link';
import { type OrderView, useOrder } from './use-order';

/** The confirmation: thanks only for an order that the server calls paid, and each other state in its own words. */
export function OrderConfirmed({ install }: { install: ReactNode }) {
  const { view, refresh } = useOrder(({ status }, elapsed) => status === 'created' && elapsed < 20_000);
  const order = view.state === 'known' ? view.order : null;
  const isPaid = order?.status === 'success';
  const paidOrder = isPaid ? order.orderId : null;
  useEffect(() => {
    if (paidOrder) endAttempt(paidOrder);
  }, [paidOrder]);
  const { title, lead } = order ? orderWords(order) : unknownWords;
  return (
    <>
      <OrderPage title={title} lead={lead}>
        <Result view={view} refresh={refresh} />
      </OrderPage>
      {order && !isPaid ? null : install}
    </>
  );
}

const unknownWords = {
  title: 'Payment confirmation',
  lead: 'Your order as the server knows it, and the steps to install.',
};

function Result({ view, refresh }: { view: OrderView; refresh: () => void }) {
  if (view.state === 'loading') {
    return (
      <>
        <Waiting>Your order is loading.</Waiting>
        <noscript>
          <p>Your receipt and licence code come by e-mail. To see the order here, switch JavaScript on.</p>
        </noscript>
      </>
    );
  }
  if (view.state === 'failed') {
    return (
      <ErrorState
        level="h2"
        title="Your order didn’t load"
        action={
          <ButtonRow>
            <Button variant="line" onClick={refresh}>
              Try again
            </Button>
            {view.error.kind === 'refusal' ? (
              <QueryLink className={buttonClass({ variant: 'line' })} href="/order-lookup">
                Find your order
              </QueryLink>
            ) : null}
          </ButtonRow>
        }
      >
        {view.error.msg} If you have paid, the confirmation comes by e-mail.
      </ErrorState>
    );
  }
  if (view.state === 'none') {
    return (
      <div className={styles.result}>
        <p>
          There is no order in this window. Your receipt and licence code are in the mail we sent you, and your products
          are in your account.
        </p>
        <ButtonRow>
          <QueryLink className={buttonClass()} href="/download">
            <Icon name="download" /> Download
          </QueryLink>
          <QueryLink className={buttonClass({ variant: 'line' })} href="/account">
            My products
          </QueryLink>
        </ButtonRow>
      </div>
    );
  }
  return view.order.status === 'success' ? (
    <Paid order={view.order} />
  ) : (
    <Unpaid order={view.order} refresh={refresh} />
  );
}

function Paid({ order }: { order: PayInfo }) {
  const user = useAppState(userInfo);
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
      <InstallerVersion website={line.website} os={os} className="small" />
      <p className="small">
        Receipt, licence code and withdrawal are in your account. Without signing in,{' '}
        <QueryLink href="/order-lookup">find the order</QueryLink> by its number.
      </p>
    </div>
  );
}

function Unpaid({ order, refresh }: { order: PayInfo; refresh: () => void }) {
  const mayChange = order.status === 'created' || order.status === 'pending';
  return (
    <div className={styles.result}>
      <OrderFacts order={order} />
      <ButtonRow>
        {mayChange ? (
          <Button onClick={refresh}>
            <Icon name="refresh-cw" /> Refresh
          </Button>
        ) : null}
        <StoreLink order={order} variant={mayChange ? 'line' : 'primary'} />
      </ButtonRow>
    </div>
  );
}
