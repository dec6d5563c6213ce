'use client';

import { useState } from 'react';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { EmailItem } from '@/components/account/kit/mail-items';
import { NewPasswordItems, noPassword } from '@/components/account/kit/password-items';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { limits } from '@/lib/catalog/limits';
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
  const [entered, setEntered] = useState<Entered | null>(null);
  const [begun, setBegun] = useState<{ id: string | undefined } | null>(null);
  return (
    <AntdProvider>
      {entered && begun ? (
        <ConfirmForm
          email={entered.email.trim()}
          registrationId={begun.id}
          sendAgain={() => register(entered)}
          onSentAgain={(id) => setBegun({ id })}
          onChangeAddress={() => setBegun(null)}
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
            setBegun({ id: registered?.registrationId });
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
