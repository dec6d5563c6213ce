'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { Waiting } from '@/components/ui/state';
import { AntdProvider } from '../kit/antd-provider';
import { LookUpForm } from './look-up-form';

const LinkedOrder = lazy(async () => ({ default: (await import('./linked-order')).LinkedOrder }));

/** The form, or the order that the mailed link opens: its key stands in the fragment, which no server gets to see. */
export function OrderLookUp() {
  const [key, setKey] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    const read = () => setKey(window.location.hash.slice(1));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  const askAgain = () => {
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    setKey('');
  };
  return (
    <AntdProvider>
      {key ? (
        <Suspense fallback={<Waiting>Your order is loading.</Waiting>}>
          <LinkedOrder key={key} guestKey={key} onAskAgain={askAgain} />
        </Suspense>
      ) : (
        <LookUpForm />
      )}
    </AntdProvider>
  );
}
