'use client';

import { Modal } from '@/components/actions/modal';
import { useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { OwnedProduct } from '@/lib/contract/account';
import { showToast } from '@/store/toasts';

type CancelDialogProps = { row: OwnedProduct; onClose: () => void; onCancelled: (row: OwnedProduct) => void };

/** Asks before a subscription is cancelled; Later comes first and has the focus (specification section 2). */
export function CancelDialog({ row, onClose, onCancelled }: CancelDialogProps) {
  const until = row.expirationDate
    ? new Date(row.expirationDate).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
    : null;
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/user')).cancelSubscription(row.id),
    (changed) => {
      onCancelled(changed);
      onClose();
      showToast(`${changed.product} is cancelled${until ? ` and keeps working until ${until}` : ''}.`);
    },
  );
  return (
    <Modal
      title={`Cancel ${row.product}, ${row.currentPlan}?`}
      onClose={onClose}
      actions={
        <>
          <Button variant="line" autoFocus onClick={onClose}>
            Later
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void submit()}>
            Cancel subscription
          </Button>
        </>
      }
    >
      <p>
        {until ? `Your plan keeps working until ${until}. ` : ''}After that it won’t renew and you won’t be charged
        again.
      </p>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
    </Modal>
  );
}
