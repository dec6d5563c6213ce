'use client';

import { lazy, Suspense, useState } from 'react';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { EmailItem } from '@/components/account/kit/mail-items';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { leaveFor } from '@/lib/utils/going';
import { awaitCode, awaitedCode, forgetAwaitedCode } from '@/store/awaited-code';
import { signOutHere } from '@/store/session-state';
import styles from './auth.module.scss';
import { ProviderLink } from './provider-link';
import { ResetCodeForm } from './reset-code-form';
import { withReturn } from './return-to';

const loadChanged = async () => ({ default: (await import('@/components/account/kit/changed-dialog')).ChangedDialog });
const ChangedDialog = lazy(loadChanged);

type Step = 'address' | 'code' | 'changed';

/** Sets a new password with a code that is mailed: for a forgotten one, and for accounts that never had one. */
export function ResetForm() {
  // After a reload the code can still be entered.
  const [kept] = useState(() => awaitedCode('reset'));
  const [email, setEmail] = useState<string | null>(kept?.email ?? null);
  const [step, setStep] = useState<Step>(kept ? 'code' : 'address');
  const goOn = (next: Step) => {
    forgetAwaitedCode();
    setStep(next);
  };
  const leave = () => {
    signOutHere();
    leaveFor(withReturn('/login'));
  };
  return (
    <AntdProvider>
      {email === null || step === 'address' ? (
        <SubmitForm
          name="reset"
          fill
          className={styles.form}
          initialValues={{ email: email ?? '' }}
          send={async (entered) => (await import('@/services/sso')).sendResetCode(entered.email.trim())}
          onDone={(_, entered) => {
            setEmail(entered.email.trim());
            setStep('code');
            awaitCode('reset', { email: entered.email.trim(), registrationId: undefined });
            void loadChanged();
          }}
          submitLabel="Send code"
          foot={
            <p className={styles.other}>
              <ProviderLink path="/login">Back to sign in</ProviderLink>
            </p>
          }
        >
          <EmailItem hint="The address of your account. The code goes there." autoFocus={email !== null} />
        </SubmitForm>
      ) : (
        <ResetCodeForm email={email} onDone={() => goOn('changed')} onChangeAddress={() => goOn('address')} />
      )}
      <Suspense fallback={null}>{step === 'changed' ? <ChangedDialog onClose={leave} /> : null}</Suspense>
    </AntdProvider>
  );
}
