'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

/**
 * Lets blocks below the fold fade and rise once. What does it comes with the first scroll, which is also when blocks
 * are marked: until then, and where nothing moves, everything is simply there.
 */
export function Rise() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page brings new blocks
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const over = new AbortController();
    let end = () => {};
    const start = async () => {
      const { riseBelow } = await import('./rise-below');
      if (!over.signal.aborted) end = riseBelow(document.querySelectorAll<HTMLElement>('[data-rise]'));
    };
    // A block that does not come is no reason to say anything: all of them stay visible.
    const onScroll = () => void start().catch(() => {});
    window.addEventListener('scroll', onScroll, { once: true, passive: true, signal: over.signal });
    return () => {
      over.abort();
      end();
    };
  }, [pathname]);

  return null;
}
