'use client';

import { useState } from 'react';
import { DownloadButton } from '@/components/actions/download-button';
import { QueryLink } from '@/components/actions/query-link';
import { useSubmit } from '@/components/actions/use-submit';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { ProductIcon } from '@/components/ui/icon';
import { productByName } from '@/lib/catalog/plans';
import type { OwnedProduct } from '@/lib/contract/account';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';
import { CancelDialog } from './cancel-dialog';
import { CopyButton } from './copy-button';
import { ActionButton } from './kit/action-button';
import { dateWords } from './words';

const badges = {
  normal: { tone: 'ok', icon: 'check', label: 'Active' },
  activate: { tone: 'found', icon: 'info', label: 'Not activated' },
  unsubscribe: { tone: 'warn', icon: 'clock', label: 'Cancelled, still active' },
  expired: { tone: 'off', icon: undefined, label: 'Expired' },
} as const;

const cycles = { week: ', weekly', month: '', year: ', yearly', perpetual: '' } as const;

const icons = { recovery: 'p-recovery', duplicate: 'p-dup', whatsapp: 'p-ferry' } as const;

/** What happens at the expiration date, in words. */
function renewalWords({ type, status, autoRenew, expirationDate }: OwnedProduct): string {
  if (type === 'perpetual' || !expirationDate) return 'No renewal';
  if (status === 'expired') return 'Renewal is off';
  if (status === 'unsubscribe' || !autoRenew) return 'Renewal is off, ends on this date';
  return 'Renewal is on, charged on this date';
}

/** One product of the buyer, with the one action that fits its state. */
export function ProductRow({ row, onChange }: { row: OwnedProduct; onChange: (row: OwnedProduct) => void }) {
  const [asking, setAsking] = useState(false);
  const { line, os } = productByName(row.product);
  const badge = badges[row.status];
  const resume = useSubmit(
    async () => (await import('@/services/user')).resumeSubscription(row.id),
    (changed) => {
      onChange(changed);
      showToast(`${changed.product} goes on and renews on ${dateWords(changed.expirationDate ?? '')}.`);
    },
  );
  return (
    <tr>
      <td>
        <span className={styles.product}>
          <ProductIcon name={icons[line.website]} />
          <span>
            {row.product}
            <small className={styles.code}>
              {row.licenceCode}
              <CopyButton text={row.licenceCode} name="licence code" />
            </small>
          </span>
        </span>
      </td>
      <td data-label="Current plan">
        {row.currentPlan}
        {cycles[row.type]}
      </td>
      <td data-label="Expiration date">
        <span>
          {row.expirationDate ? dateWords(row.expirationDate) : 'Never'}
          <small className={styles.renewal}>{renewalWords(row)}</small>
        </span>
      </td>
      <td data-label="Status">
        <Badge tone={badge.tone} {...(badge.icon ? { icon: badge.icon } : {})}>
          {badge.label}
        </Badge>
      </td>
      <td>
        <div className={styles.rowActs}>
          {row.status === 'unsubscribe' ? (
            <ActionButton tone="line" size="s" busy={resume.busy} onClick={() => void resume.submit()}>
              Resume
            </ActionButton>
          ) : null}
          {row.status === 'expired' ? (
            <QueryLink className={buttonClass({ variant: 'line', size: 's' })} href={`${line.store}?ufrom=${os}`}>
              Renew
            </QueryLink>
          ) : null}
          {row.status === 'activate' || (row.status === 'normal' && !row.autoRenew) ? (
            <DownloadButton className={buttonClass({ variant: 'line', size: 's' })} website={line.website} os={os}>
              Download
            </DownloadButton>
          ) : null}
          {row.autoRenew && row.status !== 'unsubscribe' && row.status !== 'expired' ? (
            <ActionButton tone="line" size="s" onClick={() => setAsking(true)}>
              Cancel
            </ActionButton>
          ) : null}
        </div>
        {resume.error ? <p role="alert">{resume.error}</p> : null}
        {asking ? <CancelDialog row={row} onClose={() => setAsking(false)} onCancelled={onChange} /> : null}
      </td>
    </tr>
  );
}
