'use client';

import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { Button } from '@/components/ui/button';
import { agree, type BannerState, bannerState, foldBanner, onConsentChange } from '@/lib/utils/consent';
import styles from '@/styles/islands.module.scss';
import { useFreePlace } from './use-free-place';

/**
 * Text, policy link and Agree; not modal. "No, thanks" folds it into a small button that stays, until the visitor
 * agrees. Both are in the page from the start; the attribute that the inline script sets decides which is seen.
 */
export function CookieBanner() {
  const state = useSyncExternalStore<BannerState>(onConsentChange, bannerState, () => 'open');
  const card = useRef<HTMLElement>(null);
  const small = useRef<HTMLDivElement>(null);
  // Where the keyboard was before it came to the card, which takes the focus along when it goes.
  const before = useRef<HTMLElement>(null);
  const [isCramped, setCramped] = useState(false);
  // Asked for where there is no room for it, the card comes all the same.
  const [isAskedFor, setAskedFor] = useState(false);
  const cramped = isCramped && !isAskedFor;
  // Where every place is taken the card makes way to its small button, until there is one again.
  const onCardCramped = useCallback((isTaken: boolean) => setCramped(isTaken), []);
  const onSmallCramped = useCallback(() => undefined, []);
  useFreePlace(card, state === 'open', onCardCramped);
  useFreePlace(small, state === 'folded' || cramped, onSmallCramped);

  const fold = (folded: boolean) => {
    setAskedFor(!folded);
    foldBanner(folded);
    requestAnimationFrame(() => (folded ? small : card).current?.querySelector('button')?.focus());
  };

  const agreeHere = () => {
    const hadFocus = card.current?.contains(document.activeElement);
    agree();
    if (!hadFocus) return;
    document.getElementById('main')?.focus({ preventScroll: true });
    // Gone or hidden, as the small button is now, it leaves the focus to the page.
    before.current?.focus({ preventScroll: true });
  };

  if (state === 'agreed') return null;
  return (
    <>
      <section
        ref={card}
        className={styles.cookiesBanner}
        aria-label="Cookies"
        data-floating=""
        data-cramped={cramped || undefined}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
        }}
      >
        <p>If you agree, cookies show us what helps.</p>
        <QueryLink href="/cookies-policy">Cookie policy</QueryLink>
        {/* The two stay together where the link needs a row of its own. */}
        <div>
          <Button size="s" name="ok" onClick={agreeHere}>
            Agree
          </Button>{' '}
          <Button size="s" variant="line" onClick={() => fold(true)}>
            No, thanks
          </Button>
        </div>
      </section>
      <div ref={small} className={styles.cookiesSmall} data-floating="">
        <Button size="s" variant="line" onClick={() => fold(false)}>
          Cookies
        </Button>
      </div>
    </>
  );
}
