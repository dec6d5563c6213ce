'use client';

import { useEffect, useState } from 'react';
import { AntdProvider } from '../kit/antd-provider';
import { LinkedOrder } from './linked-order';
import { LookUpForm } from './look-up-form';

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
    <AntdProvider>{key ? <LinkedOrder key={key} guestKey={key} onAskAgain={askAgain} /> : <LookUpForm />}</AntdProvider>
  );
}
