'use client';

import { useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { leaveFor } from '@/lib/utils/going';
import type { UserInfo } from '@/store/session-machine';
import { signOutHere } from '@/store/session-state';
import styles from './account.module.scss';
import { ChangedDialog } from './kit/changed-dialog';
import { Panel } from './kit/panel';
import { CurrentPasswordItem, NewPasswordItems, noPassword } from './kit/password-items';
import { SubmitForm } from './kit/submit-form';

function leave(): void {
  signOutHere();
  leaveFor('/');
}

/** Password change: current, new, retype new; afterwards the user is logged out. */
export function PasswordPanel({ user }: { user: UserInfo }) {
  const [changed, setChanged] = useState(false);
  return (
    <Panel id="password" title="Change password">
      {user.hasPassword ? (
        <SubmitForm
          name="password-form"
          className={cx(styles.form, styles.narrow)}
          initialValues={{ current: '', ...noPassword }}
          send={async ({ current, password }) => {
            const { resetPassword } = await import('@/services/account');
            return resetPassword({ currentPassword: current, newPassword: password });
          }}
          onDone={() => setChanged(true)}
          submitLabel="Change password"
          foot={<p className="micro">You will be logged out after the change.</p>}
        >
          <CurrentPasswordItem />
          <NewPasswordItems />
        </SubmitForm>
      ) : (
        <div className={styles.form}>
          <p>
            {user.mustChangePassword ? 'The password that we mailed you has ended.' : 'You have no password yet.'} We
            mail a code to {user.email}, with which you set one.
          </p>
          <a className={cx(buttonClass({ variant: 'line' }), styles.start)} href="/reset-password">
            Get a code by e-mail
          </a>
        </div>
      )}
      {changed ? <ChangedDialog onClose={leave} /> : null}
    </Panel>
  );
}
