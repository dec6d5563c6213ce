'use client';

import type { OwnedProduct } from '@/lib/contract/account';
import { momentInWords } from '@/lib/utils/moment-words';
import { ConfirmDialog } from './kit/dialog';
import { sayOfPlans } from './words';

type CancelDialogProps = { row: OwnedProduct; onClose: () => void; onCancelled: (row: OwnedProduct) => void };

/** Asks before a subscription is cancelled. */
export function CancelDialog({ row, onClose, onCancelled }: CancelDialogProps) {
  // Its date has passed and the renewal was not paid: nothing is left that could go on.
  const hasEnded = Boolean(row.graceUntil);
  const until = row.expirationDate && !hasEnded ? momentInWords(row.expirationDate) : null;
  return (
    <ConfirmDialog
      title={`Cancel ${row.product}, ${row.currentPlan}?`}
      onClose={onClose}
      confirm="Cancel subscription"
      send={async () => (await import('@/services/account')).cancelSubscription(row)}
      onDone={(changed) => {
        onCancelled(changed);
        onClose();
        const life = until ? ` and keeps working until ${until}` : hasEnded ? ', and its licence has ended' : '';
        sayOfPlans(`${changed.product} is cancelled${life}.`);
      }}
    >
      {hasEnded ? (
        <p>The renewal was not paid, so your licence ends at once. It won’t renew and you won’t be charged again.</p>
      ) : (
        <p>
          {until ? `Your plan keeps working until ${until}. ` : ''}After that it won’t renew and you won’t be charged
          again.
        </p>
      )}
    </ConfirmDialog>
  );
}
