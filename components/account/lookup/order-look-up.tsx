'use client';

import { useEffect, useState } from 'react';
import { LinkedOrder } from './linked-order';
import { LookUpForm } from './look-up-form';

/** The form, or the order that the mailed link opens: its key stands in the fragment, which no server gets to see. */
export function OrderLookUp() {
  const [key, setKey] = useState('');
  useEffect(() => {
    const read = () => setKey(window.location.hash.slice(1));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  const askAgain = () => {
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    setKey('');
  };
  return key ? <LinkedOrder key={key} guestKey={key} onAskAgain={askAgain} /> : <LookUpForm />;
}
