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

type Entered = { email: string; password: string };

async function register({ email, password }: Entered) {
  const sso = await import('@/services/sso');
  return sso.register({ email: email.trim(), password, redirectUri: returnTo() });
}

/** Makes an account: address and password first, then the code that proves the address. */
export function RegisterForm() {
  const [begun, setBegun] = useState<(Entered & { id: string | undefined }) | null>(null);
  return (
    <AntdProvider>
      {begun ? (
        <ConfirmForm
          email={begun.email.trim()}
          registrationId={begun.id}
          sendAgain={() => register(begun)}
          onSentAgain={(id) => setBegun({ ...begun, id })}
        />
      ) : (
        <SubmitForm
          name="register"
          fill
          className={styles.form}
          initialValues={{ email: '', ...noPassword }}
          send={register}
          onDone={(registered, entered) => setBegun({ ...entered, id: registered?.registrationId })}
          submitLabel="Create account"
          foot={
            <p className={styles.other}>
              Already have one? <ProviderLink path="/login">Sign in</ProviderLink>
            </p>
          }
        >
          <EmailItem />
          <NewPasswordItems label="Password" retypeLabel="Retype password" />
          <p className="small">
            If you are under {limits.minimumAge}, a parent has to agree before you make an account.
          </p>
        </SubmitForm>
      )}
    </AntdProvider>
  );
}
