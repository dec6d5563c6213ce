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
      if (event.key === 'Tab') goRound(header, event);
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

/** Goes round the bar and what hangs from it as they are seen: the last stop, which is the bar's button, comes right behind the mark. */
function goRound(header: Element, event: KeyboardEvent): void {
  const stops = [...header.querySelectorAll<HTMLElement>('a[href], button')].filter((stop) => stop.getClientRects()[0]);
  stops.splice(1, 0, ...stops.splice(-1));
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  stops.at((at + (event.shiftKey ? -1 : 1)) % stops.length)?.focus();
}
