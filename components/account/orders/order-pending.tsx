'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { Blocks } from '@/components/ui/blocks';
import { Button, ButtonRow, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { Message } from '@/components/ui/state';
import { brands, productLines } from '@/lib/catalog/brands';
import { programAddress } from '@/lib/utils/going';
import { useAppState } from '@/store/app-state';
import { logOrderResult } from '@/store/order-result';
import { StoreLink } from './store-link';
import { orderQuery, useOrder } from './use-order';

/** Payment pending: the result is sent by e-mail; Refresh asks again, Return Home leaves (lib/contract/README.md, 20). */
export function OrderPending() {
  const router = useRouter();
  const [asked, setAsked] = useState(false);
  const { view, refresh } = useOrder(() => false);
  const order = view.state === 'known' ? view.order : null;
  const website = useAppState((state) => state.website);
  const isPending = order?.status === 'pending' || order?.status === 'created';

  useEffect(() => {
    if (order && isPending) logOrderResult({ orderId: order.orderId, status: 'pending' });
  }, [order, isPending]);

  useEffect(() => {
    if (order && !isPending) router.replace(programAddress(`/packge-loading${orderQuery(order)}&from=pending`));
  }, [order, isPending, router]);

  return (
    <Message
      picture={<Blocks state="pending" />}
      title="Payment pending"
      actions={
        <ButtonRow>
          <Button
            onClick={() => {
              setAsked(true);
              refresh();
            }}
          >
            <Icon name="refresh-cw" /> Refresh
          </Button>
          <QueryLink className={buttonClass({ variant: 'line' })} href={brands[productLines[website].skin].home}>
            Return Home
          </QueryLink>
          {order ? <StoreLink order={order} variant="line" /> : null}
        </ButtonRow>
      }
    >
      <p className="lead">Your payment isn’t confirmed yet. The payment result will be sent to you by e-mail.</p>
      {order ? (
        <p>
          {order.productName}, {order.plan}. Order {order.orderId}.
        </p>
      ) : null}
      <div role="status">
        {asked && view.state === 'known' ? <p>Still pending. You don’t have to wait here.</p> : null}
        {asked && view.state === 'none' ? <p>There is no order in this window. The result comes by e-mail.</p> : null}
        {view.state === 'failed' ? <Notice tone="bad">{view.error.msg}</Notice> : null}
      </div>
      <noscript>
        <p>Refresh needs JavaScript. The e-mail comes without it.</p>
      </noscript>
    </Message>
  );
}
