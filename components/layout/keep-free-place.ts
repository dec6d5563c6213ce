import { type Box, freePlace } from '@/lib/utils/free-place';

const ROOM = '--cookie-room';
const UP = '--cookie-up';
/** Moving while the page moves would be restless, so the card looks for its place when the page has come to rest. */
const REST_MS = 120;

/** What must not be covered: everything to press or to fill in, links inside running text left out, and the focus. */
function boxesOutside(card: HTMLElement): Box[] {
  const boxes: Box[] = [];
  const add = (element: Element) => {
    if (card.contains(element)) return;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < window.innerHeight) boxes.push(box);
  };
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=tab]')) {
    if (!element.closest('p, [data-floating]')) add(element);
  }
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.id !== 'main') add(activeElement);
  return boxes;
}

/**
 * Keeps a card at the bottom of the screen off everything that can be pressed, at any width: it moves up to the next
 * free place, and says so when there is none. The page keeps room for it at its end, so that everything can be scrolled
 * clear of it.
 *
 * @param onCramped told whether there was no place, after each look
 * @returns the way to stop
 */
export function keepFreePlace(element: HTMLElement, onCramped: (isCramped: boolean) => void): () => void {
  const root = document.documentElement;
  const settle = () => {
    const { left, right, height } = element.getBoundingClientRect();
    if (height === 0) return;
    root.style.setProperty(ROOM, `${height + 32}px`);
    const up = freePlace({ left, right, height }, boxesOutside(element), window.innerHeight);
    element.style.setProperty(UP, `${(up ?? 16) - 16}px`);
    onCramped(up === null);
  };
  let timer: ReturnType<typeof setTimeout>;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, REST_MS);
  };
  settle();
  const observer = new ResizeObserver(later);
  observer.observe(element);
  observer.observe(document.body);
  // Blocks that rise into the page come to rest a second later.
  const events = ['scroll', 'resize', 'focusin', 'click', 'transitionend', 'animationend'] as const;
  for (const name of events) window.addEventListener(name, later, { passive: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const name of events) window.removeEventListener(name, later);
    root.style.removeProperty(ROOM);
  };
}
