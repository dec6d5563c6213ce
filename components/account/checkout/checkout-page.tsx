'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { CLOSE_MESSAGE } from '@/components/actions/payment-return';
import { Waiting } from '@/components/ui/state';

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
  const waiting = <Waiting>The payment page is loading.</Waiting>;
  if (provider === null) return waiting;
  return <Suspense fallback={waiting}>{provider === 'stripe' ? <StripeCheckout /> : <SandboxCheckout />}</Suspense>;
}
