'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { Waiting } from '@/components/ui/state';

const SandboxCheckout = lazy(() =>
  import('../development/sandbox-checkout').then((module) => ({ default: module.SandboxCheckout })),
);
const StripeCheckout = lazy(() => import('./stripe-checkout').then((module) => ({ default: module.StripeCheckout })));

/** The framed payment page: the provider's that the address names, the sandbox's unless it names one. */
export function CheckoutPage() {
  const [provider, setProvider] = useState<string | null>(null);
  useEffect(() => setProvider(new URLSearchParams(window.location.search).get('provider') ?? 'sandbox'), []);
  const waiting = <Waiting>The payment page is loading.</Waiting>;
  if (provider === null) return waiting;
  return <Suspense fallback={waiting}>{provider === 'stripe' ? <StripeCheckout /> : <SandboxCheckout />}</Suspense>;
}
