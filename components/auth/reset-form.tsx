'use client';

import { lazy, Suspense, useState } from 'react';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { EmailItem } from '@/components/account/kit/mail-items';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { signOutHere } from '@/store/session-state';
import styles from './auth.module.scss';
import { ProviderLink } from './provider-link';
import { ResetCodeForm } from './reset-code-form';
import { withReturn } from './return-to';

const loadChanged = async () => ({ default: (await import('@/components/account/kit/changed-dialog')).ChangedDialog });
const ChangedDialog = lazy(loadChanged);

/** Sets a new password with a code that is mailed: for a forgotten one, and for accounts that never had one. */
export function ResetForm() {
  const [email, setEmail] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  const leave = () => {
    signOutHere();
    window.location.assign(withReturn('/login'));
  };
  return (
    <AntdProvider>
      {email === null ? (
        <SubmitForm
          name="reset"
          fill
          className={styles.form}
          initialValues={{ email: '' }}
          send={async (entered) => (await import('@/services/sso')).sendResetCode(entered.email.trim())}
          onDone={(_, entered) => {
            setEmail(entered.email.trim());
            void loadChanged();
          }}
          submitLabel="Send code"
          foot={
            <p className={styles.other}>
              <ProviderLink path="/login">Back to sign in</ProviderLink>
            </p>
          }
        >
          <EmailItem hint="The address of your account. The code goes there." />
        </SubmitForm>
      ) : (
        <ResetCodeForm email={email} onDone={() => setDone(true)} />
      )}
      <Suspense fallback={null}>{isDone ? <ChangedDialog onClose={leave} /> : null}</Suspense>
    </AntdProvider>
  );
}
