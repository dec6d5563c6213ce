'use client';

import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ProductIcon } from '@/components/ui/icon';
import type { IconName } from '@/components/ui/icon-names';
import { productByName } from '@/lib/catalog/plans';
import type { OwnedProduct } from '@/lib/contract/account';
import { planStateWords } from '@/lib/utils/plan-state-words';
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

/** Words in one line; a moment breaks between day and time alone. */
function unbroken(words: string): string {
  return words.replace(/ (?!\d\d:)/g, '\u00a0');
}

/** One product of the buyer, with the actions that fit its state. */
export function ProductRow({ row, onChange }: { row: OwnedProduct; onChange: (row: OwnedProduct) => void }) {
  const { line } = productByName(row.product);
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
        {row.currentPlan}
        {row.type ? unbroken(cycles[row.type]) : null}
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
