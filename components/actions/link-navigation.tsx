'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { programAddress } from '@/lib/utils/going';
import { internalTarget, isJumpInPage } from './internal-target';

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Internal links move within the app and keep the query, external ones open (lib/contract/README.md, 17). */
export function LinkNavigation() {
  const router = useRouter();
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
  return null;
}
