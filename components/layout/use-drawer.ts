import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { afterPaint } from '@/lib/utils/after-paint';

/** Width from which the menus stand in the bar and there is no drawer (components/README.md, 14). */
const BAR = '(min-width: 68rem)';

/** The mobile drawer: the page behind is inert, focus stays in the header, Escape closes and gives focus back. */
export function useDrawer(drawer: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const toggle = useCallback(() => setOpen((open) => !open), []);

  useEffect(() => {
    const header = drawer.current?.closest('header');
    if (!isOpen || !header) return;
    const others = [...((header.closest('[data-skin]') ?? header.parentElement)?.children ?? [])].filter(
      (element) => !element.contains(header) && !element.hasAttribute('data-floating'),
    );
    // The style of everything on the page follows from it: the drawer, which covers the page, is seen first.
    const keepBehind = (isBehind: boolean) =>
      afterPaint(() => {
        for (const element of others) element.toggleAttribute('inert', isBehind);
        document.documentElement.classList.toggle('no-scroll', isBehind);
      });
    const stop = keepBehind(true);

    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setOpen(false);
        button.current?.focus();
      }
      if (event.key === 'Tab') keepFocusIn(header, event);
    };
    const wide = window.matchMedia(BAR);
    const over = new AbortController();
    document.addEventListener('keydown', onKey, over);
    wide.addEventListener('change', close, over);
    return () => {
      stop();
      keepBehind(false);
      over.abort();
    };
  }, [isOpen, drawer, close]);

  return { isOpen, button, close, toggle };
}

function keepFocusIn(container: HTMLElement, event: KeyboardEvent): void {
  const stops = [...container.querySelectorAll<HTMLElement>('a[href], button')].filter(
    (element) => element.offsetParent !== null || element.getClientRects().length > 0,
  );
  const first = stops[0];
  const last = stops.at(-1);
  const leaving = event.shiftKey ? first : last;
  if (document.activeElement !== leaving) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
