'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** What tells that somebody is there, who may soon open a link. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'scroll'] as const;

/**
 * Fetches pages ahead that somebody is about to open, from the first sign of one on. It stands in pages of content; screens on which somebody
 * works have enough to fetch of their own.
 */
export function LookAhead() {
  const router = useRouter();
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has buttons of its own.
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const first = new AbortController();
    const begin = () => {
      first.abort();
      import('./prefetch-links')
        .then(({ prefetchLinks }) => signal.aborted || prefetchLinks((address) => router.prefetch(address), signal))
        // Without it pages come when they are asked for.
        .catch(() => undefined);
    };
    for (const name of SIGNS)
      window.addEventListener(name, begin, { capture: true, passive: true, signal: first.signal });
    return () => {
      first.abort();
      over.abort();
    };
  }, [router, pathname]);
  return null;
}
