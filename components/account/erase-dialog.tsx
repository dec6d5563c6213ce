'use client';

import { useState } from 'react';
import { Modal } from '@/components/actions/modal';
import { useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PasswordField } from '@/components/ui/password-field';
import { passwordMessages } from '@/lib/utils/password-rules';
import type { UserInfo } from '@/store/app-state';
import { signOutHere } from '@/store/session-state';

/** Asks before an account is erased, and says afterwards what the law keeps. */
export function EraseDialog({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const [currentPassword, setCurrentPassword] = useState('');
  const [missing, setMissing] = useState('');
  const [kept, setKept] = useState<string[] | null>(null);
  const { busy, error, submit } = useSubmit(
    async () => {
      const problem = user.hasPassword && currentPassword === '' ? passwordMessages.required : '';
      setMissing(problem);
      if (problem) return null;
      return (await import('@/services/user')).eraseAccount({ currentPassword });
    },
    (erased) => setKept(erased.kept),
  );
  if (kept) return <ErasedDialog kept={kept} />;
  return (
    <Modal
      title="Erase your account?"
      onClose={onClose}
      actions={
        <>
          <Button variant="line" autoFocus onClick={onClose}>
            Later
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void submit()}>
            Erase account
          </Button>
        </>
      }
    >
      <p>
        Your profile, licences, mails, messages and all sign-ins are erased at once. Licences stop working, nothing
        renews, and this can’t be undone.
      </p>
      <p>
        Kept, because the law asks us to keep invoices: number, date, product, amount and e-mail address of orders that
        were paid.
      </p>
      {user.hasPassword ? (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          value={currentPassword}
          error={missing}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
      ) : null}
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
    </Modal>
  );
}

function ErasedDialog({ kept }: { kept: string[] }) {
  const leave = () => {
    signOutHere();
    window.location.assign('/');
  };
  return (
    <Modal
      title="Your account is erased"
      onClose={leave}
      actions={
        <Button autoFocus onClick={leave}>
          OK
        </Button>
      }
    >
      <p>{kept.length > 0 ? `What is still kept: ${kept.join(' ')}` : 'Nothing of it is kept.'}</p>
    </Modal>
  );
}
