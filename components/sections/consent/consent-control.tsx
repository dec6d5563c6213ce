'use client';

import { useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { agree, hasAgreed, onConsentChange } from '@/lib/utils/consent';
import { withdraw } from '@/lib/utils/consent-withdrawal';

/** Says what holds now and offers the opposite; Agree is the name of the card's button alone. */
export function ConsentControl() {
  const agreed = useSyncExternalStore(onConsentChange, hasAgreed, () => null);
  return (
    <>
      <p role="status">{sentence(agreed)}</p>
      {agreed ? (
        <Button variant="line" size="s" onClick={withdraw}>
          Withdraw agreement
        </Button>
      ) : (
        <Button size="s" onClick={agree} disabled={agreed === null}>
          Allow the rest
        </Button>
      )}
    </>
  );
}

/** Null stands for the page before its script runs. */
function sentence(agreed: boolean | null): string {
  if (agreed === null) return 'Only what the service needs is stored until you agree.';
  return agreed
    ? 'You agreed: uuid and channel may be stored and visits are counted.'
    : 'You have not agreed: only what the service needs is stored.';
}
