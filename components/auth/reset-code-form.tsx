'use client';

import { CodeItem, codeDigits } from '@/components/account/kit/mail-items';
import { NewPasswordItems, noPassword } from '@/components/account/kit/password-items';
import { StepHeading } from '@/components/account/kit/step-heading';
import { SubmitForm } from '@/components/account/kit/submit-form';
import styles from './auth.module.scss';
import { useSendAgain } from './use-send-again';

type ResetCodeFormProps = { email: string; onDone: () => void; onChangeAddress: () => void };

/** The code from the mail and the new password. */
export function ResetCodeForm({ email, onDone, onChangeAddress }: ResetCodeFormProps) {
  const { isSentAgain, foot } = useSendAgain(
    async () => (await import('@/services/sso')).sendResetCode(email),
    onChangeAddress,
  );
  return (
    <SubmitForm
      name="reset-code"
      fill
      className={styles.form}
      initialValues={{ code: '', ...noPassword }}
      send={async ({ code, password }) => {
        const { resetPassword } = await import('@/services/account');
        return resetPassword({ email, code: codeDigits(code), newPassword: password });
      }}
      onDone={onDone}
      submitLabel="Change password"
      head={
        <>
          <StepHeading>Check your mail</StepHeading>
          <p role="status">
            If {email} has an account, a six-digit code is on its way there
            {isSentAgain ? ' again. Only the newest code counts.' : '.'}
          </p>
        </>
      }
      foot={foot}
    >
      <CodeItem />
      <NewPasswordItems />
    </SubmitForm>
  );
}
