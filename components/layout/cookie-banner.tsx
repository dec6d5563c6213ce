'use client';

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { Button } from '@/components/ui/button';
import { agree, hasAgreed, onConsentChange } from '@/lib/utils/consent';
import styles from '@/styles/islands.module.scss';

const ROOM = '--cookie-room';

/** Text, policy link and Agree; not modal. It reserves its own height at the page's end, so it hides no button. */
export function CookieBanner() {
  const agreed = useSyncExternalStore(onConsentChange, hasAgreed, () => true);
  const banner = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = banner.current;
    if (agreed || !element) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty(ROOM, `${element.offsetHeight + 32}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(ROOM);
    };
  }, [agreed]);

  if (agreed) return null;
  return (
    <section ref={banner} className={styles.cookiesBanner} aria-label="Cookies" data-floating="">
      <p>
        We use cookies to keep you signed in and, if you agree, to see which pages help.{' '}
        <QueryLink href="/cookies-policy">Cookie policy</QueryLink>
      </p>
      <Button size="s" onClick={agree}>
        Agree
      </Button>
    </section>
  );
}
