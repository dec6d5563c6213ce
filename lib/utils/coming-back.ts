import { programAddress } from './going';
import { withoutUsedOnce } from './query';

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
