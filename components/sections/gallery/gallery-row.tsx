'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { iconButtonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import styles from '@/styles/islands.module.scss';

/** Swipe, arrows and keys move the row; the place is said in words. */
export function GalleryRow({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const [at, setAt] = useState(0);

  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        for (const use of element.querySelectorAll<SVGUseElement>('use[data-href]')) {
          use.setAttribute('href', use.dataset.href ?? '');
        }
        observer.disconnect();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  function onScroll() {
    const element = row.current;
    const first = element?.firstElementChild;
    if (!element || !first) return;
    const end = element.scrollLeft + element.clientWidth >= element.scrollWidth - 8;
    setAt(end ? count - 1 : Math.round(element.scrollLeft / first.clientWidth));
  }

  function go(to: number) {
    const target = row.current?.children[Math.min(count - 1, Math.max(0, to))];
    if (!(target instanceof HTMLElement) || !row.current) return;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    row.current.scrollTo({ left: target.offsetLeft - row.current.offsetLeft, behavior: calm ? 'auto' : 'smooth' });
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    go(at + step);
  }

  return (
    <>
      <section
        ref={row}
        className={styles.galleryRow}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        {children}
      </section>
      <div className={styles.galleryBar}>
        <button
          type="button"
          className={iconButtonClass}
          aria-label="Previous screen"
          aria-disabled={at === 0}
          onClick={() => go(at - 1)}
        >
          <Icon name="chevron-left" />
        </button>
        <p role="status">
          {at + 1} of {count}
        </p>
        <button
          type="button"
          className={iconButtonClass}
          aria-label="Next screen"
          aria-disabled={at === count - 1}
          onClick={() => go(at + 1)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </>
  );
}
