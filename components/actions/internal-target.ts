import { isInternalPage } from '@/lib/utils/query';

/** The internal page an event's link leads to, or null where the browser should do what it always does. */
export function internalTarget(target: EventTarget | null): { anchor: HTMLAnchorElement; url: URL } | null {
  const anchor = target instanceof Element ? target.closest('a') : null;
  if (!anchor?.href || anchor.hasAttribute('download') || (anchor.target && anchor.target !== '_self')) return null;
  const url = new URL(anchor.href);
  return isInternalPage(url, window.location.origin) ? { anchor, url } : null;
}

/** Whether a link leads to a place in the page that is shown. */
export function isJumpInPage(url: URL): boolean {
  return url.hash !== '' && url.pathname === window.location.pathname;
}
