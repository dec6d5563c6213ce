'use client';

import { useEffect, useRef, useState } from 'react';
import { Blocks } from '@/components/ui/blocks';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ErrorState } from '@/components/ui/state';
import styles from './checkout-dialog.module.scss';

/**
 * True where the browser shows its own page of an error instead of a payment page of ours: that one has no origin, so it keeps its document
 * to itself, as pages of others do. Of those nothing can be told.
 */
function isErrorPage({ src, contentDocument }: HTMLIFrameElement): boolean {
  return new URL(src).origin === window.location.origin && contentDocument === null;
}

/** The payment page, blocks until it has loaded, and words with another try where it did not. */
export function CheckoutStage({ redirectUrl }: { redirectUrl: string | null }) {
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading');
  const stage = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  // The form that was sent is gone with the control that had the focus.
  useEffect(() => {
    if (state === 'loading' && document.activeElement === document.body) stage.current?.focus();
    if (state === 'there' && document.activeElement === stage.current) frame.current?.focus();
  }, [state]);
  if (state === 'failed') {
    return (
      <div className={styles.missing}>
        <ErrorState
          title="The payment page didn’t load"
          action={
            <Button variant="line" size="s" autoFocus onClick={() => setState('loading')}>
              <Icon name="refresh-cw" /> Try again
            </Button>
          }
        >
          Check your connection and try again.
        </ErrorState>
      </div>
    );
  }
  return (
    <div ref={stage} tabIndex={-1} className={styles.stage}>
      {redirectUrl ? (
        <iframe
          ref={frame}
          className={styles.frame}
          src={redirectUrl}
          title="Payment"
          allow="payment"
          // Only the first page is ours for certain: a bank may ask for a word on one of its own.
          onLoad={({ currentTarget }) =>
            state === 'loading' && setState(isErrorPage(currentTarget) ? 'failed' : 'there')
          }
        />
      ) : null}
      {state === 'there' ? null : (
        <div className={styles.waiting} role="status">
          <Blocks state="waiting" className={styles.blocks ?? ''} />
          <p>{redirectUrl ? 'The payment form is loading.' : 'Your order is being made.'}</p>
        </div>
      )}
    </div>
  );
}
