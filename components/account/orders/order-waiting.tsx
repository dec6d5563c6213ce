'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { Button, ButtonRow, buttonClass } from '@/components/ui/button';
import { ErrorState, Waiting } from '@/components/ui/state';
import { productLines } from '@/lib/catalog/brands';
import type { PayInfo } from '@/lib/contract/pay';
import { programAddress } from '@/lib/utils/going';
import { orderWords } from '@/lib/utils/order-words';
import { useAppState } from '@/store/app-state';
import { endAttempt } from '@/store/buy-attempt';
import { logOrderResult } from '@/store/order-result';
import styles from './orders.module.scss';
import { StoreLink } from './store-link';
import { orderQuery, useOrder } from './use-order';

/** After this long without a result the payment counts as pending. */
const PENDING_AFTER_MS = 20_000;

/**
 * A declined card makes an order failed until another card pays it, and that news may come a moment after the buyer. So
 * a failed order is asked for again this long before it is believed.
 */
const FAILED_AFTER_MS = 8_000;

function isOpen({ status }: PayInfo): boolean {
  return status === 'created' || status === 'pending';
}

function isOver({ status }: PayInfo): boolean {
  return status === 'cancelled' || status === 'failed' || status === 'expired';
}

/** The payment's result, as the server knows it: never success because an address says so (lib/contract/README.md, 73). */
export function OrderWaiting() {
  const router = useRouter();
  const { view, refresh } = useOrder(
    (order, elapsed) => elapsed < (order.status === 'failed' ? FAILED_AFTER_MS : isOpen(order) ? PENDING_AFTER_MS : 0),
  );
  const waitedSince = useRef(0);
  const [isFailureBelieved, setFailureBelieved] = useState(false);
  const order = view.state === 'known' ? view.order : null;
  const website = useAppState((state) => state.website);

  useEffect(() => {
    // The pending page has asked already: what it was told is no news on its way any more.
    const isAsked = new URLSearchParams(window.location.search).get('from') === 'pending';
    const timer = setTimeout(() => setFailureBelieved(true), isAsked ? 0 : FAILED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (!order) return;
    waitedSince.current ||= Date.now();
    const query = orderQuery(order);
    if (order.status === 'success') {
      endAttempt(order.orderId);
      logOrderResult(order);
      router.replace(programAddress(`/pay-success${query}`));
      return;
    }
    if (order.status === 'failed' && !isFailureBelieved) return;
    if (!isOpen(order)) {
      endAttempt(order.orderId);
      logOrderResult(order);
      return;
    }
    const left = Math.max(0, PENDING_AFTER_MS - (Date.now() - waitedSince.current));
    const timer = setTimeout(() => router.replace(programAddress(`/pending${query}`)), left);
    return () => clearTimeout(timer);
  }, [order, router, isFailureBelieved]);

  if (view.state === 'none') {
    return (
      <div className={styles.result}>
        <h2>No order in this window</h2>
        <p>If you have paid, the result is on its way to you by e-mail. Your products are in your account.</p>
        <ButtonRow>
          <QueryLink className={buttonClass()} href="/account">
            My products
          </QueryLink>
          <QueryLink className={buttonClass({ variant: 'line' })} href={productLines[website].store}>
            Visit the store
          </QueryLink>
        </ButtonRow>
      </div>
    );
  }
  if (view.state === 'failed') {
    return (
      <ErrorState
        level="h2"
        title="The result didn’t load"
        action={
          <Button variant="line" onClick={refresh}>
            Try again
          </Button>
        }
      >
        {view.error.msg} If you have paid, the payment is kept and the result comes by e-mail.
      </ErrorState>
    );
  }
  if (order && isOver(order) && (order.status !== 'failed' || isFailureBelieved)) {
    const { title, lead } = orderWords(order);
    return (
      <div className={styles.result} role="alert">
        <h2>{title}</h2>
        <p>{lead}</p>
        <ButtonRow>
          <StoreLink order={order} />
        </ButtonRow>
      </div>
    );
  }
  return (
    <div className={styles.result}>
      <Waiting>
        {order
          ? `Waiting for the payment result of ${order.productName}, ${order.plan}.`
          : 'Waiting for the payment result.'}
      </Waiting>
      <noscript>
        <p>The result comes by e-mail. To see it here, switch JavaScript on.</p>
      </noscript>
    </div>
  );
}
