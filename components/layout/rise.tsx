'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

/** Lets blocks marked `data-rise` that lie below the fold fade and rise once (specification section 9: 1000 ms, once). */
export function Rise() {
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page brings new blocks
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        target.classList.add('rise-in');
        observer.unobserve(target);
      }
    });
    for (const block of document.querySelectorAll('[data-rise]')) {
      if (block.getBoundingClientRect().top < window.innerHeight) continue;
      block.classList.add('rise');
      observer.observe(block);
    }
    return () => {
      observer.disconnect();
      for (const block of document.querySelectorAll('.rise')) block.classList.remove('rise', 'rise-in');
    };
  }, [pathname]);

  return null;
}
