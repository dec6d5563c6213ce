'use client';

import { Form } from 'antd';
import { useState } from 'react';
import { leaveFor } from '@/lib/utils/going';
import type { UserInfo } from '@/store/session-machine';
import { signOutHere } from '@/store/session-state';
import { ConfirmDialog, MessageDialog } from './kit/dialog';
import { CurrentPasswordItem } from './kit/password-items';

function leave(): void {
  signOutHere();
  leaveFor('/');
}

/** Asks before an account is erased, and says afterwards what the law keeps. */
export function EraseDialog({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const [form] = Form.useForm<{ current: string }>();
  const [kept, setKept] = useState<string[] | null>(null);
  if (kept) {
    return (
      <MessageDialog title="Your account is erased" onClose={leave}>
        <p>{kept.length > 0 ? `What is still kept: ${kept.join(' ')}` : 'Nothing of it is kept.'}</p>
      </MessageDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Erase your account?"
      onClose={onClose}
      confirm="Erase account"
      send={async () => {
        const entered = user.hasPassword ? await form.validateFields().catch(() => null) : { current: '' };
        if (!entered) {
          form.focusField('current');
          return null;
        }
        return (await import('@/services/account')).eraseAccount({ currentPassword: entered.current });
      }}
      onDone={(erased) => setKept(erased.kept)}
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
        <Form
          form={form}
          name="erase"
          layout="vertical"
          requiredMark={false}
          validateTrigger="onSubmit"
          initialValues={{ current: '' }}
        >
          <CurrentPasswordItem />
        </Form>
      ) : null}
    </ConfirmDialog>
  );
}
