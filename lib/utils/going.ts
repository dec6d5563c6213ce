import { withCurrentQuery, withoutUsedOnce } from './query';

/**
 * The one function that makes every address that the program goes to by itself: the query of the present page goes
 * along as it does with a link, the fragment of the target stays.
 *
 * @param target absolute or root-relative address; one of another site is left as it is
 */
export function programAddress(target: string): string {
  return withCurrentQuery(target, window.location.search, window.location.origin);
}

/** Leaves for an address of the program by loading it anew. */
export function leaveFor(target: string): void {
  window.location.assign(programAddress(target));
}

/**
 * Where somebody is led back to, absolute: the page itself as it stands in the address line, fragment and all, but for
 * what works once; another page of ours with the present query.
 *
 * @param target the page to come back to; the present one unless told
 */
export function returnAddress(target: string = window.location.href): string {
  const { origin, pathname, href } = window.location;
  const url = new URL(target, origin);
  const isHere = url.origin === origin && url.pathname === pathname && !url.hash && !url.search;
  return new URL(isHere || target === href ? withoutUsedOnce(href) : programAddress(target), origin).href;
}
