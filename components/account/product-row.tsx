'use client';

import { InstallerVersion } from '@/components/actions/installer-facts';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ProductIcon } from '@/components/ui/icon';
import type { IconName } from '@/components/ui/icon-names';
import { productByName } from '@/lib/catalog/plans';
import type { OwnedProduct } from '@/lib/contract/account';
import { planActions, planStateWords } from '@/lib/utils/plan-state-words';
import styles from './account.module.scss';
import { CopyButton } from './copy-button';
import { PlanButtons } from './plan-buttons';

type Look = { tone: BadgeTone; icon?: IconName };

const looks: Record<OwnedProduct['status'], Look> = {
  normal: { tone: 'ok', icon: 'check' },
  activate: { tone: 'found', icon: 'info' },
  unsubscribe: { tone: 'warn', icon: 'clock' },
  expired: { tone: 'off' },
};

const cycles = { week: ', weekly', month: '', year: ', yearly', perpetual: '' } as const;

const icons = { recovery: 'p-recovery', duplicate: 'p-dup', whatsapp: 'p-ferry' } as const;

/** A moment that breaks between day and time alone. */
function unbroken(moment: string): string {
  return moment.replace(/ (?!\d\d:)/g, '\u00a0');
}

/** One product of the buyer, with the actions that fit its state. */
export function ProductRow({ row, onChange }: { row: OwnedProduct; onChange: (row: OwnedProduct) => void }) {
  const { line, os } = productByName(row.product);
  const { badge, date, note } = planStateWords(row);
  // A licence that lives on its grace calls for something to be done.
  const look = row.graceUntil ? looks.unsubscribe : looks[row.status];
  return (
    <tr>
      <td>
        <span className={styles.product}>
          <ProductIcon name={icons[line.website]} />
          <span>
            {row.product}
            <small className={styles.code}>
              {row.licenceCode}
              {row.licenceCode ? <CopyButton text={row.licenceCode} name="licence code" /> : null}
            </small>
          </span>
        </span>
      </td>
      <td data-label="Current plan">
        <span>
          {row.currentPlan}
          {row.type ? cycles[row.type] : null}
          {planActions(row).download ? (
            <InstallerVersion website={line.website} os={os} className={styles.renewal} />
          ) : null}
        </span>
      </td>
      <td data-label="Expiration date">
        <span className={styles.moment}>
          {unbroken(date)}
          <small className={styles.renewal}>{note}</small>
        </span>
      </td>
      <td data-label="Status">
        <Badge {...look}>{badge}</Badge>
      </td>
      <td>
        <PlanButtons row={row} onChange={onChange} />
      </td>
    </tr>
  );
}
