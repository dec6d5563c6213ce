'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { programAddress } from '@/lib/utils/going';
import { internalTarget, isJumpInPage } from './internal-target';

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** What tells that somebody is there, who may soon open a link. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'scroll'] as const;

/** Internal links move within the app and keep the query, external ones open (lib/contract/README.md, 17). */
export function LinkNavigation() {
  const router = useRouter();
  const pathname = usePathname();
  useEffect(() => {
    // Before a click, a copy or a new tab: the anchor itself carries the query.
    const carryQuery = (event: Event) => {
      const found = internalTarget(event.target);
      if (!found) return;
      found.anchor.href = programAddress(found.url.href);
    };
    const navigate = (event: MouseEvent) => {
      if (event.defaultPrevented || !isPlainClick(event)) return;
      const found = internalTarget(event.target);
      if (!found) return;
      if (isJumpInPage(found.url)) return;
      event.preventDefault();
      router.push(programAddress(found.url.href));
    };
    const over = new AbortController();
    const { signal } = over;
    for (const name of ['pointerdown', 'keydown', 'contextmenu']) {
      document.addEventListener(name, carryQuery, { capture: true, passive: true, signal });
    }
    document.addEventListener('click', navigate, { signal });
    return () => over.abort();
  }, [router]);

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
