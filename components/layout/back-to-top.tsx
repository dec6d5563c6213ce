'use client';

import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { limits } from '@/lib/catalog/limits';
import styles from '@/styles/islands.module.scss';

/** Appears after more than 900 px of scrolling (lib/contract/README.md, 9). */
export function BackToTop() {
  const [shown, setShown] = useState(false);

  useEffect(() => {
    const onScroll = () => setShown(window.scrollY > limits.backToTopPx);
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);

  if (!shown) return null;
  return (
    <button type="button" className={styles.topButton} aria-label="Back to top" onClick={toTop}>
      <Icon name="arrow-up" />
    </button>
  );
}

function toTop(): void {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
  // The button goes away, so focus must not go with it.
  document.getElementById('main')?.focus({ preventScroll: true });
}
