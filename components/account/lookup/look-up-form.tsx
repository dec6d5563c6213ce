'use client';

import { useEffect, useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { emailError } from '@/components/auth/login-form';
import { Button } from '@/components/ui/button';
import { formClass, TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';

/** Asks for the link. The answer is the same whether number and address belong together or not. */
export function LookUpForm() {
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [orderId, setOrderId] = useState('');
  const [email, setEmail] = useState('');
  const [errors, setErrors] = useState<{ orderId?: string | undefined; email?: string | undefined }>({});
  const [sent, setSent] = useState(false);
  useEffect(() => {
    if (sent) heading.current?.focus();
  }, [sent]);
  const { busy, error, submit } = useSubmit(
    async () => {
      const found = {
        orderId: orderId.trim() === '' ? 'Please enter your order number.' : undefined,
        email: emailError(email),
      };
      setErrors(found);
      if (found.orderId || found.email) {
        focusFirstError(form.current);
        return null;
      }
      const { lookUpOrder } = await import('@/services/orders');
      return lookUpOrder({ orderId: orderId.trim(), email: email.trim() });
    },
    () => setSent(true),
  );
  if (sent) {
    return (
      <div className={formClass}>
        <h2 ref={heading} tabIndex={-1}>
          Check your mail
        </h2>
        <p role="status">
          If number and address belong together, a link to the order is on its way to {email.trim()}. It works for a
          day.
        </p>
        <p>No mail? Look in the spam folder, and compare the number with the one in your receipt.</p>
        <div>
          <Button variant="line" onClick={() => setSent(false)}>
            Try another number
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form ref={form} className={formClass} noValidate method="post" onSubmit={(event) => void submit(event)}>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <TextField
        label="Order number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        hint="It is in the mail that confirmed your purchase, and on the receipt."
        value={orderId}
        error={errors.orderId ?? ''}
        onChange={(event) => setOrderId(event.target.value)}
      />
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="email"
        hint="The one you bought with."
        value={email}
        error={errors.email ?? ''}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div>
        <Button type="submit" busy={busy}>
          Mail me a link
        </Button>
      </div>
      <noscript>
        <p>This form needs JavaScript. Please switch it on, or write to us with your order number.</p>
      </noscript>
    </form>
  );
}
