'use client';

import { CodeItem, codeDigits } from '@/components/account/kit/mail-items';
import { StepHeading } from '@/components/account/kit/step-heading';
import { SubmitForm } from '@/components/account/kit/submit-form';
import type { Result } from '@/lib/contract/result';
import { leaveFor } from '@/lib/utils/going';
import type { ApiError } from '@/services/api-error';
import { forgetAwaitedCode } from '@/store/awaited-code';
import styles from './auth.module.scss';
import { returnTo } from './return-to';
import { useSendAgain } from './use-send-again';

type ConfirmFormProps = {
  email: string;
  /** Of the last registration that was begun here: its code is the one that counts. */
  registrationId: string | undefined;
  /** Null where the password is not known any more: then it is asked for again. */
  sendAgain: (() => Promise<Result<{ registrationId?: string | undefined } | null, ApiError>>) | null;
  onSentAgain: (registrationId: string | undefined) => void;
  onChangeAddress: () => void;
};

/** The second half of making an account: the code from the mail. */
export function ConfirmForm({ email, registrationId, sendAgain, onSentAgain, onChangeAddress }: ConfirmFormProps) {
  const { isSentAgain, foot } = useSendAgain(sendAgain, onChangeAddress, (registered) =>
    onSentAgain(registered?.registrationId),
  );
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
      onDone={({ url }) => {
        forgetAwaitedCode();
        leaveFor(url);
      }}
      submitLabel="Confirm and sign in"
      head={
        <>
          <StepHeading>Check your mail</StepHeading>
          <p role="status">
            We sent a six-digit code to {email}.{' '}
            {isSentAgain ? 'It is on its way again. Only the newest code counts.' : ''}
          </p>
        </>
      }
      foot={foot}
    >
      <CodeItem />
    </SubmitForm>
  );
}
