'use client';

import { type FormEvent, useRef, useState } from 'react';
import { limits } from '@/lib/catalog/limits';
import { emailError } from '@/lib/utils/email-error';
import styles from './checkout-dialog.module.scss';

/** What was typed stays for the next time the overlay opens, as long as the page lives. */
let typed = '';

/** Asks a guest where licence and receipt go, before any order is made. */
export function CheckoutEmail({
  initial,
  problem,
  onSubmit,
}: {
  initial: string;
  /** Why the last try led nowhere. */
  problem: string;
  onSubmit: (email: string) => void;
}) {
  const [email, setEmail] = useState(initial || typed);
  const [error, setError] = useState('');
  const field = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = emailError(email);
    if (!problem) return onSubmit(email.trim());
    setError(problem);
    field.current?.focus();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <label htmlFor="checkout-email">E-mail address</label>
      <input
        ref={field}
        id="checkout-email"
        type="email"
        autoComplete="email"
        inputMode="email"
        value={email}
        aria-invalid={error !== '' || undefined}
        aria-describedby={error ? 'checkout-email-error checkout-email-hint' : 'checkout-email-hint'}
        onChange={(event) => {
          typed = event.target.value;
          setEmail(typed);
        }}
      />
      {error ? (
        <p id="checkout-email-error" className={styles.error}>
          {error}
        </p>
      ) : null}
      {problem && !error ? (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      ) : null}
      <p id="checkout-email-hint" className={styles.hint}>
        Your licence code and receipt go there. If you have no account yet, we make one and mail you a password. If you
        are under {limits.minimumAge}, a parent has to agree first.
      </p>
      <button type="submit" className={styles.submit}>
        {problem ? 'Try again' : 'Continue to payment'}
      </button>
    </form>
  );
}
