'use client';

import { useState } from 'react';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { EmailItem } from '@/components/account/kit/mail-items';
import { NewPasswordItems, noPassword } from '@/components/account/kit/password-items';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { limits } from '@/lib/catalog/limits';
import { awaitCode, awaitedCode, forgetAwaitedCode } from '@/store/awaited-code';
import styles from './auth.module.scss';
import { ConfirmForm } from './confirm-form';
import { ProviderLink } from './provider-link';
import { returnTo } from './return-to';

type Entered = { email: string; password: string; retyped: string };

async function register({ email, password }: Entered) {
  const sso = await import('@/services/sso');
  return sso.register({ email: email.trim(), password, redirectUri: returnTo() });
}

/** Makes an account: address and password first, then the code that proves the address. */
export function RegisterForm() {
  // After a reload the code can still be entered; the password is not known any more.
  const [kept] = useState(() => awaitedCode('registration'));
  const [entered, setEntered] = useState<Entered | null>(kept && { email: kept.email, ...noPassword });
  const [begun, setBegun] = useState<{ id: string | undefined } | null>(kept && { id: kept.registrationId });
  const waitForCode = (email: string, id: string | undefined) => {
    setBegun({ id });
    awaitCode('registration', { email: email.trim(), registrationId: id });
  };
  const changeAddress = () => {
    setBegun(null);
    forgetAwaitedCode();
  };
  return (
    <AntdProvider>
      {entered && begun ? (
        <ConfirmForm
          email={entered.email.trim()}
          registrationId={begun.id}
          sendAgain={entered.password ? () => register(entered) : null}
          onSentAgain={(id) => waitForCode(entered.email, id)}
          onChangeAddress={changeAddress}
        />
      ) : (
        <SubmitForm
          name="register"
          fill
          className={styles.form}
          initialValues={entered ?? { email: '', ...noPassword }}
          send={register}
          onDone={(registered, values) => {
            setEntered(values);
            waitForCode(values.email, registered?.registrationId);
          }}
          submitLabel="Create account"
          foot={
            <p className={styles.other}>
              Already have one? <ProviderLink path="/login">Sign in</ProviderLink>
            </p>
          }
        >
          <EmailItem autoFocus={entered !== null} />
          <NewPasswordItems label="Password" retypeLabel="Retype password" />
          <p className="small">
            If you are under {limits.minimumAge}, a parent has to agree before you make an account.
          </p>
        </SubmitForm>
      )}
    </AntdProvider>
  );
}
