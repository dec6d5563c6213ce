'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { iconButtonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import styles from '@/styles/islands.module.scss';
import type { Place, RowControl } from './start-swiper';

/** Pictures and Swiper arrive when the row is this near. */
const NEAR = '600px';

/** Swipe, arrows and keys move the row; the place is said in words. Until Swiper is there it is a scroll-snap row. */
export function GalleryRow({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [control, setControl] = useState<RowControl | null>(null);
  const [place, setPlace] = useState<Place>({ at: 0, isStart: true, isEnd: false });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let isOver = false;
    let end = () => {};
    const start = async () => {
      for (const use of element.querySelectorAll<SVGUseElement>('use[data-href]')) {
        use.setAttribute('href', use.dataset.href ?? '');
      }
      const { startSwiper } = await import('./start-swiper');
      if (isOver) return;
      const started = startSwiper(element, setPlace);
      end = started.end;
      setControl(started);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        // Without Swiper the row is still there to be scrolled, only its buttons are not.
        start().catch(() => {});
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => {
      isOver = true;
      observer.disconnect();
      end();
    };
  }, []);

  return (
    <div ref={box} className={styles.galleryBox}>
      <section
        className={cx('swiper-wrapper', styles.galleryRow)}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        {children}
      </section>
      <div className={styles.galleryBar} data-ready={control !== null}>
        <button
          type="button"
          className={iconButtonClass}
          aria-label="Previous screen"
          aria-disabled={place.isStart}
          onClick={control?.previous}
        >
          <Icon name="chevron-left" />
        </button>
        <p role="status">
          {place.at + 1} of {count}
        </p>
        <button
          type="button"
          className={iconButtonClass}
          aria-label="Next screen"
          aria-disabled={place.isEnd}
          onClick={control?.next}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </div>
  );
}
