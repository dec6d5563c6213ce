'use client';

import { useEffect, useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { newPasswordError, retypeError } from '@/lib/utils/password-rules';
import styles from './auth.module.scss';
import { NewPassword } from './new-password';

type Errors = { code?: string | undefined; password?: string | undefined; retyped?: string | undefined };

/** The code from the mail and the new password. */
export function ResetCodeForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [retyped, setRetyped] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  useEffect(() => heading.current?.focus(), []);
  const { busy, error, submit } = useSubmit(async () => {
    const digits = code.replace(/\s/g, '');
    const found = {
      code: /^\d{6}$/.test(digits) ? undefined : 'Please enter the six digits from the mail.',
      password: newPasswordError(password),
      retyped: retypeError(password, retyped),
    };
    setErrors(found);
    if (found.code || found.password || found.retyped) {
      focusFirstError(form.current);
      return null;
    }
    const { resetPassword } = await import('@/services/user');
    return resetPassword({ email, code: digits, newPassword: password });
  }, onDone);
  return (
    <form ref={form} className={styles.form} noValidate method="post" onSubmit={(event) => void submit(event)}>
      <h2 ref={heading} tabIndex={-1}>
        Check your mail
      </h2>
      <p role="status">If {email} has an account, a six-digit code is on its way there.</p>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <TextField
        label="Code from the mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        error={errors.code ?? ''}
        onChange={(event) => setCode(event.target.value)}
      />
      <NewPassword
        password={password}
        retyped={retyped}
        errors={errors}
        onPassword={setPassword}
        onRetyped={setRetyped}
      />
      <Button type="submit" busy={busy}>
        Change password
      </Button>
    </form>
  );
}
