'use client';

import { useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { Notice } from '@/components/ui/notice';
import { saveBlob } from '@/lib/utils/save-file';
import type { UserInfo } from '@/store/session-machine';
import styles from './account.module.scss';
import { EraseDialog } from './erase-dialog';
import { ActionButton } from './kit/action-button';
import { Panel } from './kit/panel';

/** The visitor's rights of access, portability and erasure. */
export function DataPanel({ user }: { user: UserInfo }) {
  const [erasing, setErasing] = useState(false);
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/account')).exportData(),
    (data) =>
      saveBlob(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'mendara-account-data.json'),
  );
  return (
    <Panel id="data" title="Your data">
      <div className={styles.form}>
        <p>
          Everything we keep about you, as one JSON file: profile, orders, subscriptions and their history, sessions,
          mails and messages.
        </p>
        {error ? (
          <Notice tone="bad" role="alert">
            {error}
          </Notice>
        ) : null}
        <ActionButton tone="line" busy={busy} className={styles.start} onClick={() => void submit()}>
          Export my data
        </ActionButton>
        <p>
          You can erase the account. Its licences then stop working. Invoices of paid orders are kept as long as the law
          says.
        </p>
        <ActionButton tone="line" className={styles.start} onClick={() => setErasing(true)}>
          Erase account
        </ActionButton>
      </div>
      {erasing ? <EraseDialog user={user} onClose={() => setErasing(false)} /> : null}
    </Panel>
  );
}
