import { buttonClass } from '@/components/ui/button';
import { programAddress } from '@/lib/utils/going';
import { internalTarget } from './internal-target';

/** A pointer that rests so long on a link, or a focus that stays, means it; one that passes over does not. */
const INTENT_MS = 80;
/** Buttons in view whose pages are fetched ahead, on one page: a visitor takes one of them. */
const MOST_IN_VIEW = 2;

/** Whether somebody counts bytes: asked to save data, or on a line that has none to spare (Network Information API; Save Data API). */
export function sparesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}

/**
 * Fetches ahead the pages that somebody is about to open: of a link that is pointed at, focused or pressed, and of the first buttons of
 * the page's own that come into view. Each once, and none where data is to be saved.
 *
 * @param prefetch fetches what the app needs to show an address
 * @param signal ends it
 */
export function prefetchLinks(prefetch: (address: string) => void, signal: AbortSignal): void {
  const asked = new Set([window.location.pathname]);
  const ask = (url: URL) => {
    if (asked.has(url.pathname) || sparesData()) return false;
    asked.add(url.pathname);
    prefetch(programAddress(`${url.pathname}${url.search}`));
    return true;
  };

  let timer: ReturnType<typeof setTimeout>;
  const intend = ({ target }: Event) => {
    clearTimeout(timer);
    const found = internalTarget(target);
    if (found) timer = setTimeout(() => ask(found.url), INTENT_MS);
  };
  const press = ({ target }: Event) => {
    const found = internalTarget(target);
    if (found) ask(found.url);
  };
  const options = { capture: true, passive: true, signal };
  document.addEventListener('pointerover', intend, options);
  document.addEventListener('focusin', intend, options);
  document.addEventListener('pointerdown', press, options);

  let left = MOST_IN_VIEW;
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || left === 0) continue;
      seen.unobserve(target);
      const found = internalTarget(target);
      if (found && ask(found.url)) left -= 1;
    }
    if (left === 0) seen.disconnect();
  });
  for (const button of document.querySelectorAll(`main a.${buttonClass()}`)) seen.observe(button);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    seen.disconnect();
  });
}
