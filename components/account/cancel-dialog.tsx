'use client';

import type { OwnedProduct } from '@/lib/contract/account';
import { momentInWords } from '@/lib/utils/moment-words';
import { ConfirmDialog } from './kit/dialog';
import { sayOfPlans } from './words';

type CancelDialogProps = { row: OwnedProduct; onClose: () => void; onCancelled: (row: OwnedProduct) => void };

/** Asks before a subscription is cancelled. */
export function CancelDialog({ row, onClose, onCancelled }: CancelDialogProps) {
  const until = row.expirationDate ? momentInWords(row.expirationDate) : null;
  return (
    <ConfirmDialog
      title={`Cancel ${row.product}, ${row.currentPlan}?`}
      onClose={onClose}
      confirm="Cancel subscription"
      send={async () => (await import('@/services/account')).cancelSubscription(row)}
      onDone={(changed) => {
        onCancelled(changed);
        onClose();
        sayOfPlans(`${changed.product} is cancelled${until ? ` and keeps working until ${until}` : ''}.`);
      }}
    >
      <p>
        {until ? `Your plan keeps working until ${until}. ` : ''}After that it won’t renew and you won’t be charged
        again.
      </p>
    </ConfirmDialog>
  );
}
