'use client';

import { AntdProvider } from '@/components/account/kit/antd-provider';
import { EmailItem } from '@/components/account/kit/mail-items';
import { CurrentPasswordItem } from '@/components/account/kit/password-items';
import { SubmitForm } from '@/components/account/kit/submit-form';
import { leaveFor } from '@/lib/utils/going';
import styles from './auth.module.scss';
import { ProviderLink } from './provider-link';
import { returnTo } from './return-to';

/** The embedded provider's sign-in: a right password brings a ticket, with which the visitor is sent back. */
export function LoginForm() {
  return (
    <AntdProvider>
      <SubmitForm
        name="sign-in"
        fill
        className={styles.form}
        initialValues={{ email: '', password: '' }}
        send={async ({ email, password }) => {
          const { passwordLogin } = await import('@/services/sso');
          return passwordLogin({ email: email.trim(), password, redirectUri: returnTo() });
        }}
        onDone={({ url }) => leaveFor(url)}
        submitLabel="Sign in"
        foot={
          <p className={styles.other}>
            <ProviderLink path="/reset-password">Forgot your password?</ProviderLink>
            <br />
            No account yet? <ProviderLink path="/register">Create one</ProviderLink>
          </p>
        }
      >
        <EmailItem />
        <CurrentPasswordItem label="Password" name="password" />
      </SubmitForm>
    </AntdProvider>
  );
}
