import { type RefObject, useEffect } from 'react';

/** Keeps a card off what can be pressed; the code that does it comes after the page, for those who see the card. */
export function useFreePlace(
  card: RefObject<HTMLElement | null>,
  isShown: boolean,
  onCramped: (isCramped: boolean) => void,
): void {
  useEffect(() => {
    if (!isShown) return;
    let stop = () => {};
    let isOver = false;
    const start = () => {
      import('./keep-free-place')
        .then(({ keepFreePlace }) => {
          if (!isOver && card.current) stop = keepFreePlace(card.current, onCramped);
        })
        // Without it the card stays where it is; no reason to trouble anybody.
        .catch(() => undefined);
    };
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true });
    return () => {
      isOver = true;
      window.removeEventListener('load', start);
      stop();
    };
  }, [card, isShown, onCramped]);
}
