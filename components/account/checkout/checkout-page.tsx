'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { CLOSE_MESSAGE } from '@/components/actions/payment-return';
import { Waiting } from '@/components/ui/state';
import styles from './checkout.module.scss';

const SandboxCheckout = lazy(() =>
  import('../development/sandbox-checkout').then((module) => ({ default: module.SandboxCheckout })),
);
const StripeCheckout = lazy(() => import('./stripe-checkout').then((module) => ({ default: module.StripeCheckout })));

/** Escape closes the overlay that frames this page; pressed in here, the overlay does not hear of it by itself. */
function handUpEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || window.parent === window) return;
  window.parent.postMessage({ type: CLOSE_MESSAGE }, window.location.origin);
}

/** The framed payment page: the provider's that the address names, the sandbox's unless it names one. */
export function CheckoutPage() {
  const [provider, setProvider] = useState<string | null>(null);
  useEffect(() => setProvider(new URLSearchParams(window.location.search).get('provider') ?? 'sandbox'), []);
  useEffect(() => {
    window.addEventListener('keydown', handUpEscape);
    return () => window.removeEventListener('keydown', handUpEscape);
  }, []);
  const waiting = (
    <main className={styles.page}>
      <Waiting>The payment page is loading.</Waiting>
      <noscript>
        <p>
          Paying needs JavaScript. Please switch it on and choose the plan again. Nothing was charged. Or{' '}
          <a href="/contact-us" target="_top">
            write to us
          </a>{' '}
          with the plan that you want.
        </p>
      </noscript>
    </main>
  );
  if (provider === null) return waiting;
  return <Suspense fallback={waiting}>{provider === 'stripe' ? <StripeCheckout /> : <SandboxCheckout />}</Suspense>;
}
