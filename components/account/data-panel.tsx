'use client';

import { useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { saveBlob } from '@/lib/utils/save-file';
import type { UserInfo } from '@/store/app-state';
import styles from './account.module.scss';
import { EraseDialog } from './erase-dialog';

/** The visitor's rights of access, portability and erasure (specification section 3, "Data the vendor says it collects"). */
export function DataPanel({ user }: { user: UserInfo }) {
  const [erasing, setErasing] = useState(false);
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/user')).exportData(),
    (data) =>
      saveBlob(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'mendara-account-data.json'),
  );
  return (
    <section className={styles.panel} id="data">
      <h2>Your data</h2>
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
        <Button variant="line" busy={busy} className={styles.start ?? ''} onClick={() => void submit()}>
          Export my data
        </Button>
        <p>
          You can erase the account. Its licences then stop working. Invoices of paid orders are kept as long as the law
          says.
        </p>
        <Button variant="line" className={styles.start ?? ''} onClick={() => setErasing(true)}>
          Erase account
        </Button>
      </div>
      {erasing ? <EraseDialog user={user} onClose={() => setErasing(false)} /> : null}
    </section>
  );
}
