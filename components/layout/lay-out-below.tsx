'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { whenIdle } from '@/lib/utils/when-idle';

/**
 * Lays out what the first screen left for later (`styles/_helpers.scss`), one section at a time when the browser is idle: from then on heights
 * are true, so that the key "End" and the scroll bar lead where they say.
 */
export function LayOutBelow() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page brings new sections
  useEffect(() => {
    const waiting = [...document.querySelectorAll<HTMLElement>('main > section, main ~ footer')];
    let end = () => {};
    const next = () => {
      const block = waiting.shift();
      if (!block) return;
      block.style.setProperty('content-visibility', 'visible');
      end = whenIdle(next);
    };
    end = whenIdle(next);
    return () => end();
  }, [pathname]);

  return null;
}
