'use client';

import { useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { PasswordField } from '@/components/ui/password-field';
import { isEmail } from '@/lib/utils/email';
import { passwordMessages } from '@/lib/utils/password-rules';
import styles from './auth.module.scss';
import { ProviderLink } from './provider-link';
import { returnTo } from './return-to';

/** Words for a missing or malformed address, shared by the provider's forms. */
export function emailError(value: string): string | undefined {
  if (value.trim() === '') return 'Please enter your e-mail address.';
  return isEmail(value.trim()) ? undefined : 'Please enter a full e-mail address, such as name@example.com.';
}

/** The embedded provider's sign-in: a right password brings a ticket, with which the visitor is sent back. */
export function LoginForm() {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ email?: string | undefined; password?: string | undefined }>({});
  const { busy, error, submit } = useSubmit(
    async () => {
      const found = { email: emailError(email), password: password === '' ? passwordMessages.required : undefined };
      setErrors(found);
      if (found.email || found.password) {
        focusFirstError(form.current);
        return null;
      }
      const { passwordLogin } = await import('@/services/sso');
      return passwordLogin({ email: email.trim(), password, redirectUri: returnTo() });
    },
    ({ url }) => window.location.assign(url),
  );
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
        value={email}
        error={errors.email ?? ''}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        error={errors.password ?? ''}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" busy={busy}>
        Sign in
      </Button>
      <p className={styles.other}>
        <ProviderLink path="/reset-password">Forgot your password?</ProviderLink>
        <br />
        No account yet? <ProviderLink path="/register">Create one</ProviderLink>
      </p>
    </form>
  );
}
