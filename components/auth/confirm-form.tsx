'use client';

import { useEffect, useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import styles from './auth.module.scss';
import { returnTo } from './return-to';

type ConfirmFormProps = {
  email: string;
  /** Of the last registration that was begun here: its code is the one that counts. */
  registrationId: string | undefined;
  onSendAgain: () => Promise<void>;
  sendError: string;
};

/** The second half of making an account: the code from the mail. */
export function ConfirmForm({ email, registrationId, onSendAgain, sendError }: ConfirmFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState('');
  const [sentAgain, setSentAgain] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const { busy, error, submit } = useSubmit(
    async () => {
      const digits = code.replace(/\s/g, '');
      const problem = /^\d{6}$/.test(digits) ? '' : 'Please enter the six digits from the mail.';
      setCodeError(problem);
      if (problem) {
        focusFirstError(form.current);
        return null;
      }
      const { confirm } = await import('@/services/sso');
      return confirm({ email, code: digits, redirectUri: returnTo(), registrationId });
    },
    ({ url }) => window.location.assign(url),
  );
  return (
    <form ref={form} className={styles.form} noValidate method="post" onSubmit={(event) => void submit(event)}>
      <h2 ref={heading} tabIndex={-1}>
        Check your mail
      </h2>
      <p role="status">
        We sent a six-digit code to {email}. {sentAgain && !sendError ? 'It is on its way again.' : ''}
      </p>
      {error || sendError ? (
        <Notice tone="bad" role="alert">
          {error || sendError}
        </Notice>
      ) : null}
      <TextField
        label="Code from the mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        error={codeError}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" busy={busy}>
        Confirm and sign in
      </Button>
      <Button
        variant="line"
        onClick={() => {
          void onSendAgain().then(() => setSentAgain(true));
        }}
      >
        Send the code again
      </Button>
    </form>
  );
}
