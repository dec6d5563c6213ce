'use client';

import { useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { signOutHere } from '@/store/session-state';
import styles from './auth.module.scss';
import { ChangedDialog } from './changed-dialog';
import { emailError } from './login-form';
import { ProviderLink } from './provider-link';
import { ResetCodeForm } from './reset-code-form';
import { withReturn } from './return-to';

/** Sets a new password with a code that is mailed: for a forgotten one, and for accounts that never had one. */
export function ResetForm() {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [step, setStep] = useState<'address' | 'code' | 'done'>('address');
  const { busy, error, submit } = useSubmit(
    async () => {
      const found = emailError(email);
      setProblem(found);
      if (found) {
        focusFirstError(form.current);
        return null;
      }
      const { sendResetCode } = await import('@/services/sso');
      return sendResetCode(email.trim());
    },
    () => setStep('code'),
  );
  if (step === 'done') {
    return (
      <ChangedDialog
        onClose={() => {
          signOutHere();
          window.location.assign(withReturn('/login'));
        }}
      />
    );
  }
  if (step === 'code') return <ResetCodeForm email={email.trim()} onDone={() => setStep('done')} />;
  return (
    <form ref={form} className={styles.form} noValidate method="post" onSubmit={(event) => void submit(event)}>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        hint="The address of your account. The code goes there."
        value={email}
        error={problem ?? ''}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" busy={busy}>
        Send code
      </Button>
      <p className={styles.other}>
        <ProviderLink path="/login">Back to sign in</ProviderLink>
      </p>
    </form>
  );
}
