'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { ErrorState, Waiting } from '@/components/ui/state';
import type { SandboxAction } from '@/lib/contract/requests/sandbox';
import type { SandboxCheckout as Checkout } from '@/lib/contract/sandbox';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import { useLoaded } from '../kit/use-loaded';
import styles from './development.module.scss';

const cards = [
  { number: sandboxCards.succeeds, outcome: 'succeeds' },
  { number: sandboxCards.declines, outcome: 'is declined' },
  { number: sandboxCards.pending, outcome: 'stays pending' },
] as const;

/** The sandbox's hosted payment page: no money moves, and it says so for as long as it is on the screen. */
export function SandboxCheckout() {
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => setKey(new URLSearchParams(window.location.search).get('key') ?? ''), []);
  return (
    <main className={styles.checkout} aria-labelledby="test-payment">
      <h1 id="test-payment" className="sr">
        Test payment
      </h1>
      <p className={styles.mark}>Test mode. No card is charged and no money moves.</p>
      {key === '' && (
        <ErrorState level="h2" title="This payment can’t be shown">
          The address names no payment. Go back to the shop and choose the plan again.
        </ErrorState>
      )}
      {key === null && <Waiting>The payment page is loading.</Waiting>}
      {key ? <CheckoutForm sessionKey={key} /> : null}
    </main>
  );
}

function CheckoutForm({ sessionKey }: { sessionKey: string }) {
  const load = useCallback(async () => (await import('@/services/sandbox')).readCheckout(sessionKey), [sessionKey]);
  const { loaded, reload } = useLoaded<Checkout>(load);
  if (loaded.state === 'loading') return <Waiting>The payment page is loading.</Waiting>;
  if (loaded.state === 'failed') {
    return (
      <ErrorState
        level="h2"
        title="This payment can’t be shown"
        action={
          <Button variant="line" size="s" onClick={() => void reload()}>
            Try again
          </Button>
        }
      >
        {loaded.msg}
      </ErrorState>
    );
  }
  if (loaded.value.status === 'pending') return <SettleForm sessionKey={sessionKey} onSettled={() => void reload()} />;
  return <CardForm sessionKey={sessionKey} checkout={loaded.value} />;
}

/** An amount as the site writes prices: `$9.99`. */
function priceOf({ currency, amount }: Checkout): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount));
}

function CardForm({ sessionKey, checkout }: { sessionKey: string; checkout: Checkout }) {
  const [cardNumber, setCardNumber] = useState<string>(sandboxCards.succeeds);
  const action = useRef<SandboxAction>({ action: 'cancel' });
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/sandbox')).actOnCheckout(sessionKey, action.current),
    ({ url }) => window.location.replace(url),
  );
  const act = (next: SandboxAction) => {
    action.current = next;
    void submit();
  };
  if (checkout.status === 'succeeded' || checkout.status === 'cancelled') {
    return <Notice>This payment is over: it {checkout.status === 'succeeded' ? 'succeeded' : 'was cancelled'}.</Notice>;
  }
  const price = priceOf(checkout);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        act({ cardNumber });
      }}
    >
      <h2>Pay {price}</h2>
      <p className="small">
        {checkout.title}. For {checkout.email}.
      </p>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <TextField
        label="Card number"
        inputMode="numeric"
        autoComplete="off"
        maxLength={23}
        value={cardNumber}
        onChange={(event) => setCardNumber(event.target.value)}
      />
      <fieldset className={styles.cards}>
        <legend className="small">Test cards</legend>
        {cards.map(({ number, outcome }) => (
          <button key={number} type="button" onClick={() => setCardNumber(number)}>
            <span>{number}</span> {outcome}
          </button>
        ))}
      </fieldset>
      <div className={styles.actions}>
        <Button type="submit" busy={busy}>
          Pay {price}
        </Button>
        <Button variant="line" busy={busy} onClick={() => act({ action: 'cancel' })}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** A pending test payment: what a bank would decide some time later is decided here. */
function SettleForm({ sessionKey, onSettled }: { sessionKey: string; onSettled: () => void }) {
  const outcome = useRef<'succeeded' | 'failed'>('succeeded');
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/sandbox')).settleCheckout(sessionKey, outcome.current),
    onSettled,
  );
  const settle = (next: 'succeeded' | 'failed') => {
    outcome.current = next;
    void submit();
  };
  return (
    <div className={styles.form}>
      <h2>This payment is pending</h2>
      <p className="small">A real bank decides later. Here you decide what it says.</p>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <div className={styles.actions}>
        <Button busy={busy} onClick={() => settle('succeeded')}>
          Let it succeed
        </Button>
        <Button variant="line" busy={busy} onClick={() => settle('failed')}>
          Let it fail
        </Button>
      </div>
    </div>
  );
}
