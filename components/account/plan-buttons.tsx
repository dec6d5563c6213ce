'use client';

import { useRef, useState } from 'react';
import { DownloadButton } from '@/components/actions/download-button';
import { InstallerVersion } from '@/components/actions/installer-facts';
import { useSubmit } from '@/components/actions/use-submit';
import { buttonClass } from '@/components/ui/button';
import { productByName } from '@/lib/catalog/plans';
import type { OwnedProduct } from '@/lib/contract/account';
import { momentInWords } from '@/lib/utils/moment-words';
import { planActions } from '@/lib/utils/plan-state-words';
import { withPart } from '@/store/parts';
import styles from './account.module.scss';
import { CancelDialog } from './cancel-dialog';
import { ActionButton } from './kit/action-button';
import { keepFocusIn } from './kit/keep-focus';
import { sayOfPlans } from './words';

/** What is said of a plan that goes on: the moment of its next charge, as the mail about it says. */
function resumedWords({ product, nextCharge, expirationDate }: OwnedProduct): string {
  const at = nextCharge?.at ?? expirationDate;
  return at ? `${product} goes on and renews on ${momentInWords(at)}.` : `${product} goes on.`;
}

/** The actions that fit the state of a plan. */
export function PlanButtons({ row, onChange }: { row: OwnedProduct; onChange: (row: OwnedProduct) => void }) {
  const [asking, setAsking] = useState(false);
  const buttons = useRef<HTMLDivElement>(null);
  const { line, os } = productByName(row.product);
  const can = planActions(row);
  const resume = useSubmit(
    async () => (await import('@/services/account')).resumeSubscription(row),
    (changed) => {
      onChange(changed);
      sayOfPlans(resumedWords(changed));
      keepFocusIn(buttons.current);
    },
  );
  return (
    <>
      <div ref={buttons} className={styles.rowActs}>
        {can.renew ? (
          <ActionButton
            tone="line"
            size="s"
            onClick={() => void withPart(async () => (await import('@/store/checkout')).renew(row))}
          >
            Renew
          </ActionButton>
        ) : null}
        {can.resume ? (
          <ActionButton tone="line" size="s" busy={resume.busy} onClick={() => void resume.submit()}>
            Resume
          </ActionButton>
        ) : null}
        {can.download ? (
          <DownloadButton className={buttonClass({ variant: 'line', size: 's' })} website={line.website} os={os}>
            Download
          </DownloadButton>
        ) : null}
        {can.cancel ? (
          <ActionButton tone="line" size="s" onClick={() => setAsking(true)}>
            Cancel
          </ActionButton>
        ) : null}
      </div>
      {can.download ? <InstallerVersion website={line.website} os={os} className={styles.renewal} /> : null}
      {resume.error ? <p role="alert">{resume.error}</p> : null}
      {asking ? <CancelDialog row={row} onClose={() => setAsking(false)} onCancelled={onChange} /> : null}
    </>
  );
}
