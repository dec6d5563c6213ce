'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorState, Waiting } from '@/components/ui/state';
import styles from './checkout.module.scss';
import { loadStripe } from './load-stripe';

/** Stripe's form, in its own frames. The order's secret stands in the fragment of the address. */
export function StripeCheckout() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for another attempt
  useEffect(() => {
    let isOver = false;
    let end = () => {};
    const open = async () => {
      const clientSecret = window.location.hash.slice(1);
      const { payProvider } = await import('@/services/pay');
      const [factory, answer] = await Promise.all([loadStripe(), payProvider()]);
      const key = answer.ok && answer.value.name === 'stripe' ? answer.value.publishableKey : null;
      if (!key || clientSecret === '') throw new Error('There is nothing to pay here.');
      const checkout = await factory(key).initEmbeddedCheckout({ fetchClientSecret: async () => clientSecret });
      if (isOver || !place.current) return checkout.destroy();
      end = () => checkout.destroy();
      checkout.mount(place.current);
      setState('shown');
    };
    setState('loading');
    open().catch(() => {
      if (!isOver) setState('failed');
    });
    return () => {
      isOver = true;
      end();
    };
  }, [turn]);

  return (
    <main className={state === 'shown' ? undefined : styles.page}>
      {state === 'loading' ? <Waiting>The payment form is loading.</Waiting> : null}
      {state === 'failed' ? (
        <ErrorState
          level="h2"
          title="The payment form didn’t load"
          action={
            <Button variant="line" size="s" onClick={() => setTurn((count) => count + 1)}>
              Try again
            </Button>
          }
        >
          Nothing was charged. Check your connection and try again.
        </ErrorState>
      ) : null}
      <div ref={place} />
    </main>
  );
}
