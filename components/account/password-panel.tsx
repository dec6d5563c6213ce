'use client';

import { useRef, useState } from 'react';
import { focusFirstError, useSubmit } from '@/components/actions/use-submit';
import { ChangedDialog } from '@/components/auth/changed-dialog';
import { NewPassword } from '@/components/auth/new-password';
import { Button, buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Notice } from '@/components/ui/notice';
import { PasswordField } from '@/components/ui/password-field';
import { newPasswordError, passwordMessages, retypeError } from '@/lib/utils/password-rules';
import type { UserInfo } from '@/store/app-state';
import { signOutHere } from '@/store/session-state';
import styles from './account.module.scss';

type Errors = { current?: string | undefined; password?: string | undefined; retyped?: string | undefined };

/** Password change (specification sections 2 and 5): current, new, retype new; afterwards the user is logged out. */
export function PasswordPanel({ user }: { user: UserInfo }) {
  const form = useRef<HTMLFormElement>(null);
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [retyped, setRetyped] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [changed, setChanged] = useState(false);
  const { busy, error, submit } = useSubmit(
    async () => {
      const found = {
        current: current === '' ? passwordMessages.required : undefined,
        password: newPasswordError(password),
        retyped: retypeError(password, retyped),
      };
      setErrors(found);
      if (found.current || found.password || found.retyped) {
        focusFirstError(form.current);
        return null;
      }
      const { resetPassword } = await import('@/services/user');
      return resetPassword({ currentPassword: current, newPassword: password });
    },
    () => setChanged(true),
  );
  const leave = () => {
    signOutHere();
    window.location.assign('/');
  };
  return (
    <section className={styles.panel} id="password">
      <h2>Change password</h2>
      {user.hasPassword ? (
        <form ref={form} className={cx(styles.form, styles.narrow)} noValidate onSubmit={(event) => void submit(event)}>
          {error ? (
            <Notice tone="bad" role="alert">
              {error}
            </Notice>
          ) : null}
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            value={current}
            error={errors.current ?? ''}
            onChange={(event) => setCurrent(event.target.value)}
          />
          <NewPassword
            password={password}
            retyped={retyped}
            errors={errors}
            onPassword={setPassword}
            onRetyped={setRetyped}
          />
          <Button type="submit" busy={busy} className={styles.start ?? ''}>
            Change password
          </Button>
          <p className="micro">You will be logged out after the change.</p>
        </form>
      ) : (
        <div className={styles.form}>
          <p>You have no password yet. We mail a code to {user.email}, with which you set one.</p>
          <a className={cx(buttonClass({ variant: 'line' }), styles.start)} href="/reset-password">
            Get a code by e-mail
          </a>
        </div>
      )}
      {changed ? <ChangedDialog onClose={leave} /> : null}
    </section>
  );
}
