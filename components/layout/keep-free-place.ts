import { type Box, freePlace } from '@/lib/utils/free-place';

const ROOM = '--cookie-room';
const UP = '--cookie-up';
/** Pixels that the card stands above the bottom of the screen, and those above and below it. */
const MARGIN = 16;
const GAPS = 32;
/** Pixels that the page keeps clear at its bottom in any case, for the way back to the top (styles/_base.scss). */
const TOP_ROOM = 80;
/** Moving while the page moves would be restless, so the card looks for its place when the page has come to rest. */
const REST_MS = 120;

/** Above this share of the screen the card stands in the middle of what is read, which is worse than over a price or a heading. */
const WORTHWHILE = 0.6;
/** A price is why a store is looked at: for it a little more is borne. */
const WORTH_A_PRICE = 0.7;
/** Pixels that the letters of a line are away from its edges, so that what stands close to it stands free all the same. */
const LEADING = 6;
/** What is kept clear of as well where a place allows it, and the share of the screen that it lies in: the first that does. */
const BETTER_CLEAR = [
  { clear: '[data-price], h1, h2, h3, label, main p, main dd', within: WORTHWHILE },
  { clear: '[data-price], h1, h2, h3, label, main :is(.lead, p:has(a))', within: WORTHWHILE },
  { clear: '[data-price], h1, h2, label, main :is(.lead, p:has(a))', within: WORTHWHILE },
  { clear: '[data-price], h1, h2, h3, label', within: WORTHWHILE },
  { clear: '[data-price], h1, label', within: WORTH_A_PRICE },
  { clear: 'h1, label', within: 1 },
  { clear: 'h1', within: 1 },
] as const;

/** A page that on a phone keeps room for the card high up means it to stand there. */
const HAS_ROOM = '[data-card-room], [data-card-place]';
const PHONE = 640;

/** The boxes of what a selector finds on the screen, outside the card. */
function boxesOf(card: HTMLElement, selector: string): Box[] {
  const boxes: Box[] = [];
  for (const element of document.querySelectorAll(selector)) {
    if (card.contains(element) || element.closest('[data-floating]')) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < window.innerHeight) boxes.push(box);
  }
  return boxes;
}

/** What must not be covered: everything to press or to fill in, links inside running text left out, what went wrong, and the focus. */
function boxesToPress(card: HTMLElement): Box[] {
  const { activeElement } = document;
  const hasFocus = activeElement && activeElement !== document.body && activeElement.id !== 'main';
  return [
    ...boxesOf(card, ':is(a[href], button, input, select, textarea, summary, [role=tab], [role=alert]):not(p *)'),
    ...(hasFocus && !card.contains(activeElement) ? [activeElement.getBoundingClientRect()] : []),
  ];
}

/**
 * The distance from the bottom of the screen where the card covers nothing to press, and the least of the rest. Never what the page is
 * about: where a small phone has no other place than the heading, the card waits until there is one.
 */
function bestPlace(card: HTMLElement): number | null {
  const { left, right, height } = card.getBoundingClientRect();
  const toPress = boxesToPress(card);
  const hasRoom = window.innerWidth < PHONE && document.querySelector(HAS_ROOM) !== null;
  for (const { clear, within } of hasRoom ? [{ ...BETTER_CLEAR[0], within: 1 }, ...BETTER_CLEAR] : BETTER_CLEAR) {
    const toRead = boxesOf(card, clear).map((box) => ({
      left: box.left,
      right: box.right,
      top: box.top + LEADING,
      bottom: box.bottom - LEADING,
    }));
    const up = freePlace({ left, right, height }, [...toPress, ...toRead], window.innerHeight);
    if (up !== null && up + height <= window.innerHeight * within) return up;
  }
  return null;
}

/**
 * Keeps a card at the bottom of the screen off everything that can be pressed, at any width: it moves up to the next
 * free place, past prices and headings where that is not far, and says so when there is none. The page keeps room for
 * it at its end, so that everything can be scrolled clear of it.
 *
 * @param onCramped told whether there was no place, after each look
 * @returns the way to stop
 */
export function keepFreePlace(element: HTMLElement, onCramped: (isCramped: boolean) => void): () => void {
  const root = document.documentElement;
  const settle = () => {
    const { height } = element.getBoundingClientRect();
    if (height === 0) return;
    // All is measured before anything is written, and the room, at which every element of the page is styled anew, only where it is less.
    const up = bestPlace(element);
    const room = Number.parseFloat(getComputedStyle(root).scrollPaddingBottom) || 0;
    if (room < height + GAPS + TOP_ROOM) root.style.setProperty(ROOM, `${height + GAPS}px`);
    element.style.setProperty(UP, `${MARGIN - (up ?? MARGIN)}px`);
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
  // A form that takes the place of its outline keeps the page as long as it was.
  const parts = new MutationObserver(later);
  parts.observe(document.body, { childList: true, subtree: true });
  // Blocks that rise into the page come to rest a second later.
  const events = ['scroll', 'resize', 'focusin', 'click', 'transitionend', 'animationend'] as const;
  for (const name of events) window.addEventListener(name, later, { passive: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    parts.disconnect();
    for (const name of events) window.removeEventListener(name, later);
    root.style.removeProperty(ROOM);
  };
}
