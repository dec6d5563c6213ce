'use client';

import { useState } from 'react';
import { ActionButton } from '@/components/account/kit/action-button';
import { CodeItem, codeDigits } from '@/components/account/kit/mail-items';
import { StepHeading } from '@/components/account/kit/step-heading';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { useSubmit } from '@/components/actions/use-submit';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';
import styles from './auth.module.scss';
import { returnTo } from './return-to';

type ConfirmFormProps = {
  email: string;
  /** Of the last registration that was begun here: its code is the one that counts. */
  registrationId: string | undefined;
  sendAgain: () => Promise<Result<{ registrationId?: string | undefined } | null, ApiError>>;
  onSentAgain: (registrationId: string | undefined) => void;
};

/** The second half of making an account: the code from the mail. */
export function ConfirmForm({ email, registrationId, sendAgain, onSentAgain }: ConfirmFormProps) {
  const [sentAgain, setSentAgain] = useState(false);
  const again = useSubmit(sendAgain, (registered) => {
    setSentAgain(true);
    onSentAgain(registered?.registrationId);
  });
  return (
    <SubmitForm
      name="confirm"
      fill
      className={styles.form}
      initialValues={{ code: '' }}
      send={async ({ code }) => {
        const { confirm } = await import('@/services/sso');
        return confirm({ email, code: codeDigits(code), redirectUri: returnTo(), registrationId });
      }}
      onDone={({ url }) => window.location.assign(url)}
      submitLabel="Confirm and sign in"
      error={again.error}
      head={
        <>
          <StepHeading>Check your mail</StepHeading>
          <p role="status">
            We sent a six-digit code to {email}. {sentAgain && !again.error ? 'It is on its way again.' : ''}
          </p>
        </>
      }
      foot={
        <ActionButton tone="line" busy={again.busy} onClick={() => void again.submit()}>
          Send the code again
        </ActionButton>
      }
    >
      <CodeItem />
    </SubmitForm>
  );
}
