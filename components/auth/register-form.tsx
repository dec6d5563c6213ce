'use client';

import { useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { limits } from '@/lib/catalog/limits';
import { newPasswordError, retypeError } from '@/lib/utils/password-rules';
import styles from './auth.module.scss';
import { ConfirmForm } from './confirm-form';
import { emailError } from './login-form';
import { NewPassword } from './new-password';
import { ProviderLink } from './provider-link';
import { returnTo } from './return-to';

type Errors = { email?: string | undefined; password?: string | undefined; retyped?: string | undefined };

/** Makes an account: address and password first, then the code that proves the address. */
export function RegisterForm() {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [retyped, setRetyped] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [registration, setRegistration] = useState<{ id: string | undefined } | null>(null);
  const { busy, error, submit } = useSubmit(
    async () => {
      const found = {
        email: emailError(email),
        password: newPasswordError(password),
        retyped: retypeError(password, retyped),
      };
      setErrors(found);
      if (found.email || found.password || found.retyped) {
        focusFirstError(form.current);
        return null;
      }
      const { register } = await import('@/services/sso');
      return register({ email: email.trim(), password, redirectUri: returnTo() });
    },
    (registered) => setRegistration({ id: registered?.registrationId }),
  );
  if (registration) {
    return <ConfirmForm email={email.trim()} registrationId={registration.id} onSendAgain={submit} sendError={error} />;
  }
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
      <NewPassword
        label="Password"
        retypeLabel="Retype password"
        password={password}
        retyped={retyped}
        errors={errors}
        onPassword={setPassword}
        onRetyped={setRetyped}
      />
      <p className="small">If you are under {limits.minimumAge}, a parent has to agree before you make an account.</p>
      <Button type="submit" busy={busy}>
        Create account
      </Button>
      <p className={styles.other}>
        Already have one? <ProviderLink path="/login">Sign in</ProviderLink>
      </p>
    </form>
  );
}
